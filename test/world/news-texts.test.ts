/** Templates of the news have only slots that the code fills. */
import { expect, test } from 'bun:test'
import stories from '../../seed/news-stories.json' with { type: 'json' }
import news from '../../seed/news-texts.json' with { type: 'json' }
import { NEWS_STORIES } from '../../src/market/events/market-event.ts'
import {
  analystFor,
  coinArticle,
  coinFigures,
  coinQuote,
  marketQuote,
  moveHeadline,
  storyArticle,
} from '../../src/market/queries/content/article-texts.ts'
import { type BilingualText, worded } from '../../src/market/queries/content/bilingual-text.ts'
import { MarketView, type PricedMarket } from '../../src/market/queries/content/market-view.ts'
import { institutionsOf } from '../../src/market/queries/content/stories/institutions.ts'
import { stagesOf, storyText } from '../../src/market/queries/content/stories/stories.ts'
import { type RandomSource, randomSource } from '../../src/random/random-source.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
/** Enough for each element of lists of up to four. */
const ROUNDS = 4
/** Number of research houses: each of them gives each of its quotes. */
const HOUSES = 24

const used = new Set<BilingualText>()

/** Chooses houses by turn and templates by round, and notes the templates. */
function inTurn(round: number, turn = round): RandomSource {
  const source: RandomSource = {
    ...randomSource(1, 'texts'),
    pick<T>(list: readonly T[]): T {
      const picked = list[(list.length === HOUSES ? turn : round) % list.length] as T
      if (typeof picked === 'object') used.add(picked as BilingualText)
      return picked
    },
    between: (low, high) => (round % 2 === 0 ? low : high),
    fork: () => source,
  }
  return source
}

class ViewInTurn extends MarketView {
  turn = 0
  override random(): RandomSource {
    return inTurn(Math.floor(this.turn / HOUSES), this.turn)
  }
}

/** The templates in the data of a file. */
const templatesIn = (data: unknown): BilingualText[] => {
  if (typeof data !== 'object' || data === null) return []
  return 'cn' in data && 'en' in data
    ? [data as BilingualText]
    : Object.values(data).flatMap(templatesIn)
}
const unused = (data: unknown) => templatesIn(data).filter((one) => !used.has(one))

test('each template of each stage of a story can be filled', () => {
  const ago = { cn: '1天', en: 'a day' }
  for (const institution of institutionsOf(world).slice(0, 12))
    for (let round = 0; round < ROUNDS; round++)
      for (const name of NEWS_STORIES)
        for (let stage = 0; stage < stagesOf(name); stage++) {
          const random = inTurn(round)
          const { title } = storyText(name, { world, institution, random }, stage, { random, ago })
          expect(title.en).not.toMatch(/[{}]/)
        }
  expect(unused(stories.stories)).toEqual([])
})

test('each template of an article about a coin, of a quote and of a remark can be filled', () => {
  const view = new ViewInTurn(world, world.tapeEndMs)
  const market = view.markets[0] as PricedMarket
  for (view.turn = 0; view.turn < ROUNDS * HOUSES; view.turn++) {
    const analyst = analystFor(view, 'analyst')
    for (let angle = 0; angle < 4; angle++) coinArticle(view, market, angle)
    moveHeadline(view, coinFigures(view, market))
    coinQuote(view, analyst, coinFigures(view, market))
    marketQuote(view, analyst)
    const text = { title: plain, lead: plain, details: [plain, plain] }
    storyArticle(view, 1, text, view.random())
  }
  const { opinions: _, ...coin } = news.coin
  expect(unused([coin, news.quotes, news.business])).toEqual([])
})

const plain = { cn: '是', en: 'yes' }

test('a slot without a value is an error that names it', () => {
  const random = inTurn(0)
  expect(() => worded(random, [{ cn: '{coin}', en: '{coin} {pirce}' }], { coin: 'BTC' })).toThrow(
    '{pirce} has no value in: {coin} {pirce}',
  )
})
