/** News and flashes. */

import type { Parameter } from '../../contract/parameters.ts'
import type { TestedOperation } from '../derived/tested-operation.ts'
import { type Effect, type EffectTable, nameOf, someNewsIds } from '../effects/effect.ts'
import { languages, names, pages } from '../effects/selection.ts'
import { cursor } from '../effects/spans.ts'
import type { Case, Probe } from '../probe.ts'
import type { ProbeRequest } from '../probe-request.ts'
import type { Observers } from '../requirement.ts'
import { byAnswers, byValues, type Requirement, requirementsOfSection } from '../requirement.ts'
import {
  assertAtLeast,
  assertAtMost,
  assertSame,
  assertText,
  column,
  dataOf,
  isJsonObject,
  isSameJson,
  isSuccess,
  type JsonObject,
  objectOf,
  objectsOf,
  retryUntilHeld,
} from '../responses.ts'

/** News, flashes and insights (the service's documentation, Content). */
export const CONTENT_CASES: readonly Case[] = [
  {
    id: 'content.flash-types',
    title: 'an industry flash has one of the listed types',
    checks: ['record.flash.types'],
    run: async (probe: Probe) => {
      const rows = await objectsOf(probe, { path: '/content/flashList', query: { language: 'en' } })
      for (const { flashType } of rows)
        probe.assert(TYPES.has(Number(flashType)), 'flashType is one of the list', flashType)
    },
  },
  {
    id: 'content.detail',
    title: 'an article of the list is found by its id, with its content',
    checks: ['operation.content.newsDetail', 'record.newsDetail'],
    run: async (probe: Probe) => {
      const query = { page: 1, pageSize: 3 }
      const [first] = await objectsOf(probe, { path: '/content/news-list', query })
      if (!first) probe.skip('there are no articles')
      const request = { path: '/content/news-detail', query: { id: Number(first.id) } }
      const detail = await objectOf(probe, request)
      const [found, expected] = [detail, first].map(({ id, title }) => ({ id, title }))
      assertSame(probe, found, expected, 'it is the same article')
      assertText(probe, detail.content, 'its content is text')
      assertAtLeast(probe, detail.content.length, 1, 'it has content')
    },
  },
  {
    id: 'content.pages',
    title: 'pages of news do not repeat one another',
    checks: ['operation.content.newsList', 'limit.pageSize.news'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const page = async (number: number) => {
          const query = { page: number, pageSize: 5 }
          return (await objectsOf(probe, { path: '/content/news-list', query })).map(({ id }) => id)
        }
        const [first, second] = [await page(1), await page(2)]
        assertAtMost(probe, first.length, 5, 'a page has at most pageSize articles')
        return second.some((id) => first.includes(id)) ? 'no article stands on two pages' : null
      }),
  },
  {
    id: 'content.members',
    title: 'memberIds may be repeated or separated by commas, and are a pair when left out',
    checks: ['content.listing.memberIds', 'content.listing.default'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const usual = await listings(probe, {})
        const commas = await listings(probe, { memberIds: '477,1509' })
        const repeated = await listings(probe, { 'memberIds[]': ['477', '1509'] })
        const [one, again] = [{ memberIds: '477' }, { 'memberIds[]': ['477'] }]
        const isSame =
          isSameJson(commas, repeated) &&
          isSameJson(await listings(probe, one), await listings(probe, again))
        if (!isSame) return 'both ways of naming members have the same answer'
        return isSameJson(usual, commas) ? null : 'without memberIds 477 and 1509 are meant'
      }),
  },
  {
    id: 'content.insights',
    title: 'AI insights are of the requested coin keys, in Chinese by default',
    checks: ['content.aiCoins.languages', 'record.insight.trend'],
    run: async (probe: Probe) => {
      const request = { method: 'POST', path: '/content/ai-coins' } as const
      await retryUntilHeld(probe, async () => {
        const coinKeys = ['bitcoin']
        const usual = await dataOf(probe, { ...request, body: { coinKeys } })
        const chinese = await dataOf(probe, { ...request, body: { coinKeys, language: 'CN' } })
        return isSameJson(wordsOf(usual), wordsOf(chinese))
          ? null
          : 'without a language CN is meant'
      })
      const body = { coinKeys: ['bitcoin', 'ethereum'], language: 'EN' }
      const rows = await objectsOf(probe, { ...request, body }, 'list')
      const keys = rows.map(({ coinKey }) => coinKey)
      assertSame(probe, keys.sort(), ['bitcoin', 'ethereum'], 'the insights are of both coins')
      for (const { trend } of rows)
        probe.assert(trend === 'rise' || trend === 'fall', 'trend is rise or fall', trend)
    },
  },
  {
    id: 'content.languages',
    title: 'newsflashes are in the requested language',
    checks: ['content.newsflash.languages'],
    run: async (probe: Probe) => {
      for (const language of ['cn', 'tc', 'en']) {
        const request: ProbeRequest = { path: '/content/newsflash', query: { language } }
        for (const row of await objectsOf(probe, request))
          assertSame(probe, row.language, language, `a newsflash is in ${language}`)
      }
    },
  },
]

/** 0, 1, 3 to 8, 10, 14 to 16 and 18 to 28. */
const TYPES = new Set([
  ...[0, 1, 3, 4, 5, 6, 7, 8, 10, 14, 15, 16],
  ...[18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28],
])

/** Texts without their numbers, which change with the market. */
const wordsOf = (data: unknown) => JSON.stringify(data).replaceAll(/-?\d[\d.,]*/g, '#')

async function listings(
  probe: Probe,
  members: NonNullable<ProbeRequest['query']>,
): Promise<unknown[]> {
  const query = { language: 'en', ...members }
  const rows = await objectsOf(probe, { path: '/content/exchange-listing-flash', query })
  return rows.map(({ id }) => id)
}

const WORDS = { cn: 'cn', en: 'en', tc: 'tc' }

/** Flashes are from the named exchanges, and from the first five of them. */
const members: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  const of = async (memberIds: string) => {
    const one = requested.with({ query: { pageSize: '100' } }).withValue(parameter, memberIds)
    return (await one.objects()).map(({ id }) => String(id))
  }
  const [one, other] = [await of('477'), await of('1509')]
  if (one.length === 0 && other.length === 0) requested.probe.skip('there are no flashes of either')
  const both = one.filter((id) => other.includes(id))
  requested.probe.assert(both.length === 0, 'no flash is of two exchanges', both)
  for (const before of [4, 5]) {
    const unknown = Array.from({ length: before }, (_, at) => 990_000_001 + at)
    const member = one.length > 0 ? '477' : '1509'
    const found = await of([...unknown, member].join(','))
    requested.probe.assert(
      found.length > 0 === before < 5,
      `${nameOf(requested, parameter, `${before} others and ${member}`)} reads five and no more`,
      { expected: before < 5 ? 'some' : [], found },
    )
  }
}

/** Sites may repeat one another's titles. */
const item = ({ title, pubDate, image }: JsonObject) => `${title} ${pubDate} ${image}`

/** Effects of news and flash parameters, by operation and parameter. */
export const CONTENT_EFFECTS: EffectTable = {
  'content.aiCoins': {
    coinKeys: { effect: names('coinKey', [['bitcoin'], ['ethereum']]) },
    language: {
      listed: languages({ cn: 'CN', en: 'EN', tc: 'TC' }, 'interpret'),
      checks: ['content.aiCoins.languages'],
    },
  },
  'content.exchangeListingFlash': {
    language: { listed: languages(WORDS, 'content') },
    memberIds: { effect: members, checks: ['limit.memberIds'] },
    pageSize: { counted: true },
  },
  'content.flashList': {
    language: { listed: languages(WORDS, 'content') },
    createtime: { effect: cursor() },
  },
  'content.newsDetail': { id: { effect: names('id', someNewsIds) } },
  'content.newsList': { page: { effect: pages('id') }, pageSize: { counted: true } },
  'content.newsflash': {
    language: { listed: languages(WORDS, 'content'), checks: ['content.newsflash.languages'] },
  },
  'content.rssNewsList': { page: { effect: pages(item) }, pageSize: { counted: true } },
}

/** Observers of the open questions about news and flashes. */
export const CONTENT_OBSERVERS: Observers = {
  'flash-createtime': async (probe: Probe) => {
    const path = '/content/flashList'
    const times = column(await objectsOf(probe, { path }), 'createtime').sort((a, b) => a - b)
    const middle = times[times.length >> 1]
    if (middle === undefined) probe.skip('the target lists no industry flash')
    const found = column(
      await objectsOf(probe, { path, query: { createtime: middle } }),
      'createtime',
    )
    if (found.every((one) => one === middle)) return null
    if (found.every((one) => one <= middle)) return 'older'
    return found.every((one) => one >= middle) ? 'newer' : null
  },
  'news-absent': async (probe: Probe) => {
    const exchange = await probe.request({ path: '/content/news-detail', query: { id: 1 } })
    if (!isJsonObject(exchange.json)) return null
    if (isSuccess(exchange)) return exchange.json.data === null ? 'null' : null
    const code = String(exchange.json.errorCode)
    return code === '403' || code === '404' ? code : null
  },
  'news-language': async (probe: Probe) => {
    const rows = await firstPages(probe, '/content/news-list')
    const seen = new Set(rows.map(({ language }) => language))
    if (seen.has(10) === seen.has(0)) probe.skip('no news is in Chinese, or in both numbers')
    return seen.has(10) ? '10' : '0'
  },
  'news-list-language': async (probe: Probe) => {
    const rows = await firstPages(probe, '/content/news-list')
    return languageOf(rows.map(({ language }) => language !== ENGLISH))
  },
  'rss-language': async (probe: Probe) => {
    const rows = await firstPages(probe, '/content/square/market/news-list')
    return languageOf(rows.map(({ title }) => CHINESE.test(String(title))))
  },
}

/** Its number in an article. */
const ENGLISH = 11
const CHINESE = /\p{Script=Han}/u

async function firstPages(probe: Probe, path: string) {
  const pages = []
  for (const page of [1, 2, 3])
    pages.push(await objectsOf(probe, { path, query: { page, pageSize: 20 } }))
  const rows = pages.flat()
  if (rows.length === 0) probe.skip('the target lists no news')
  return rows
}

function languageOf(areChinese: readonly boolean[]): 'both' | 'cn' | 'en' {
  if (areChinese.every((isChinese) => isChinese)) return 'cn'
  return areChinese.includes(true) ? 'both' : 'en'
}

/** Requirements of the contract on news and flashes. */
export const CONTENT_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Content', {
    'content.aiCoins.languages': 'language of AI insights is CN, EN or TC, and CN by default.',
    'content.aiCoins.bodySignature':
      'POST /content/ai-coins takes the four signature values inside the body.',
    'content.newsflash.languages': byValues(
      'language of newsflashes is cn, tc or en.',
      'content.newsflash',
    ),
    'content.listing.memberIds':
      'memberIds are repeated as memberIds[] or separated by commas, with the same answer.',
    'content.listing.default': 'memberIds are 477 and 1509 by default.',
  }),
  ...requirementsOfSection('Resources: Content', {
    'record.columnist': byAnswers(
      'A columnist has nick_name, avatar and avatar_black as text.',
      'content.newsflash',
      'content.newsList',
      'content.flashList',
    ),
    'record.newsflash': byAnswers(
      'A newsflash has a whole id and createtime, texts and a columnist.',
      'content.newsflash',
    ),
    'record.flash': byAnswers(
      'An industry flash is a newsflash with a whole flashType.',
      'content.flashList',
    ),
    'record.flash.types': 'flashType is one of the listed numbers.',
    'record.listing': byAnswers(
      'A listing flash has id, title, content, language, createtime and newsType 2.',
      'content.exchangeListingFlash',
    ),
    'record.news': byAnswers(
      'An item of the news list has id, texts, a whole language of 0, 10 or 11 and a ' +
        'columnist.',
      'content.newsList',
    ),
    'record.newsDetail': byAnswers(
      'The detail of a news item has its content too.',
      'content.newsDetail',
    ),
    'record.rss': byAnswers(
      'An RSS item has title, description and image as text and a whole pubDate.',
      'content.rssNewsList',
    ),
    'record.insight': byAnswers(
      'An AI insight has coin, price, degree, interpretation, trend and predition, so ' + 'spelt.',
      'content.aiCoins',
    ),
    'record.insight.trend': 'trend of an AI insight is rise or fall.',
  }),
]
