import { assertAtLeast, assertAtMost, assertSame, assertText } from '../assertions.ts'
import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import type { ProbeRequest } from '../probe-request.ts'
import { dataOf, objectOf, objectsOf, retryUntilHeld } from '../response-reading.ts'
import { isSameJson } from '../value-checks.ts'

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
    title: 'AI insights are of the coin keys that are asked for, in Chinese unless told',
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
    title: 'newsflashes are in the language that is asked for',
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

/** Texts without their numbers, which change as the market moves. */
const wordsOf = (data: unknown) => JSON.stringify(data).replaceAll(/-?\d[\d.,]*/g, '#')

async function listings(
  probe: Probe,
  members: NonNullable<ProbeRequest['query']>,
): Promise<unknown[]> {
  const query = { language: 'en', ...members }
  const rows = await objectsOf(probe, { path: '/content/exchange-listing-flash', query })
  return rows.map(({ id }) => id)
}
