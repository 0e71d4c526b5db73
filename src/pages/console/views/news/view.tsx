/** Texts about the market: articles, newsflashes, listings. */
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Shown } from '../../parts/shown.tsx'
import { type Fetched, useFetched } from '../../session/asking.ts'
import { era } from '../../session/connection.ts'
import { dateTimeText, dayTimeText } from '../../shell/formats.ts'
import { language } from '../../shell/preferences.ts'
import type { View } from '../../shell/route.ts'
import { changeQuery, go, linkTo, route } from '../../shell/route.ts'
import { wording } from '../../shell/words.ts'

export const newsView: View = {
  id: 'news',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon: 'M3 4h11v12H4.5A1.5 1.5 0 0 1 3 14.5zM14 8h3v6.5a1.5 1.5 0 0 1-3 0M6 7.5h5M6 10.5h5M6 13h3',
  component: News,
}

const LANGUAGES = ['en', 'cn', 'tc'] as const
const EVERY_MS = 5000

function News() {
  const { path, query } = route.value
  const usual = language.value === 'zh' ? 'cn' : 'en'
  const lang = LANGUAGES.find((one) => one === query.language) ?? usual
  const asking = { of: [lang, era.value], everyMs: EVERY_MS }
  const flashes = useFetched(
    ({ account }) => account.content.newsflash({ query: { language: lang } }),
    asking,
  )
  const industry = useFetched(
    ({ account }) => account.content.flashList({ query: { language: lang } }),
    asking,
  )
  const listings = useFetched(
    ({ account }) => account.content.exchangeListingFlash({ query: { language: lang } }),
    asking,
  )
  const choice = (
    <Choice
      label={say('language')}
      value={lang}
      options={LANGUAGES.map((value) => ({ value, text: say(value) }))}
      onPick={(picked) => changeQuery({ language: picked })}
    />
  )
  return (
    <>
      <div class="news-head">{choice}</div>
      <div class="news">
        <Flashes title={say('newsflash')} requested={flashes} lang={lang} />
        <Flashes title={say('industry')} requested={industry} lang={lang} />
        <Flashes title={say('listings')} requested={listings} lang={lang} />
        <Articles lang={lang} />
      </div>
      {path[0] !== undefined && <Article id={Number(path[0])} onClose={() => go('news')} />}
    </>
  )
}

interface FlashProps {
  title: string
  requested: Fetched<{ id: number; title: string; content: string; createtime: number }[]>
  lang: (typeof LANGUAGES)[number]
}

const HTML_LANGUAGES = { en: 'en', cn: 'zh-Hans', tc: 'zh-Hant' } as const

function Flashes({ title, requested, lang }: FlashProps) {
  return (
    <Panel title={title} isFlush>
      <Shown of={requested} isEmpty={({ length }) => length === 0} emptyText={say('noNews')}>
        {(rows) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
          <ol class="flashes" tabIndex={0} aria-label={title} lang={HTML_LANGUAGES[lang]}>
            {rows.map((row) => (
              <li key={row.id}>
                <time>{dayTimeText(row.createtime * 1000)}</time>
                <h3>{row.title}</h3>
                {paragraphsOf(row.content).map((text) => (
                  <p key={text}>{text}</p>
                ))}
              </li>
            ))}
          </ol>
        )}
      </Shown>
    </Panel>
  )
}

/** Articles come in both languages; the first pages have enough of each. */
const ARTICLE_PAGES = [1, 2]
const ENGLISH = 11

function Articles({ lang }: { lang: FlashProps['lang'] }) {
  const requested = useFetched(
    async ({ account }) => {
      const pages = ARTICLE_PAGES.map((page) => account.content.newsList({ query: { page } }))
      const all = (await Promise.all(pages)).flat()
      return all.filter(({ language }) => (language === ENGLISH) === (lang === 'en'))
    },
    { of: [lang, era.value], everyMs: EVERY_MS },
  )
  return (
    <Panel title={say('articles')} isFlush>
      <Shown of={requested} isEmpty={({ length }) => length === 0} emptyText={say('noNews')}>
        {(rows) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
          <ol class="flashes" tabIndex={0} aria-label={say('articles')}>
            {rows.map((row) => (
              <li key={row.id} lang={row.language === ENGLISH ? 'en' : 'zh'}>
                <time>{dayTimeText(row.createtime * 1000)}</time>
                <h3>
                  <a href={linkTo('news', [String(row.id)])}>{row.title}</a>
                </h3>
                <p>{row.describe}</p>
              </li>
            ))}
          </ol>
        )}
      </Shown>
    </Panel>
  )
}

/** An article, shown as text. */
function Article({ id, onClose }: { id: number; onClose(): void }) {
  const requested = useFetched(({ account }) => account.content.newsDetail({ query: { id } }), {
    of: [id],
  })
  return (
    <Dialog title={requested.data?.title ?? say('articles')} onClose={onClose} class="article">
      <Shown of={requested} isEmpty={(article) => article === null} emptyText={say('gone')}>
        {(article) =>
          article && (
            <>
              <p class="faint">
                {dateTimeText(article.createtime * 1000)} · {article.columnist.nick_name}
                {article.source !== undefined && ` · ${say('source', { source: article.source })}`}
              </p>
              {paragraphsOf(article.content).map((text) => (
                <p key={text}>{text}</p>
              ))}
            </>
          )
        }
      </Shown>
    </Dialog>
  )
}

/** HTML as paragraphs of text: parsed in a separate document, where nothing runs. */
function paragraphsOf(html: string): string[] {
  // Without attributes: the browser would report handlers in them as blocked.
  const tags = html.replace(/<(\/?[a-z][a-z0-9]*)\b[^>]*>/gi, '<$1>')
  const { body } = new DOMParser().parseFromString(tags, 'text/html')
  const blocks = [...body.querySelectorAll('p, li, h1, h2, h3, h4, blockquote')]
  const texts = blocks.length > 0 ? blocks.map((block) => block.textContent) : [body.textContent]
  return texts.map((text) => (text ?? '').trim()).filter((text) => text !== '')
}

const say = wording({
  title: ['News', '资讯'],
  about: [
    'Articles, newsflashes and listings in three languages',
    '三种语言的文章、快讯与上币公告',
  ],
  newsflash: ['Newsflashes', '快讯'],
  industry: ['Market alerts', '行业快讯'],
  listings: ['Listings and delistings', '上币与下币'],
  articles: ['Articles', '文章'],
  rss: ['Other sites', '其他网站'],
  language: ['Language', '语言'],
  en: ['English', '英语'],
  cn: ['Simplified Chinese', '简体中文'],
  tc: ['Traditional Chinese', '繁体中文'],
  source: ['Source: {source}', '来源：{source}'],
  gone: ['There is no such article.', '文章不存在。'],
  noNews: ['Nothing yet', '暂无内容'],
})
