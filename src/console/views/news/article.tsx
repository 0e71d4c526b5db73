/** An article with its text, which is shown as text. */
import { Dialog } from '../../parts/dialog.tsx'
import { Shown } from '../../parts/shown.tsx'
import { useAsked } from '../../session/asking.ts'
import { dateTimeText } from '../../shell/formats.ts'
import { paragraphsOf } from './plain-text.ts'
import { say } from './words.ts'

export function Article({ id, onClose }: { id: number; onClose(): void }) {
  const asked = useAsked(({ account }) => account.content.newsDetail({ query: { id } }), {
    of: [id],
  })
  return (
    <Dialog title={asked.data?.title ?? say('articles')} onClose={onClose} class="article">
      <Shown of={asked} isEmpty={(article) => article === null} emptyText={say('gone')}>
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
