/** What is said of a coin: its day by the coin ticker, and what may come of it. */

import { DAY_MS, HOUR_MS } from '../../../clock/durations.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { CoinTicker } from '../../../contract/records/coin.ts'
import type { AiInsight, Language } from '../../../contract/records/content.ts'
import { ZERO } from '../../../decimal/quantity.ts'
import { parse } from '../../../decimal/scaled.ts'
import { randomSource } from '../../../random/random-source.ts'
import { coinsOf } from '../../rows/coins.ts'
import type { World } from '../../world.ts'
import { CoinQueries } from '../coin/coin-queries.ts'
import { PICTURE_ORIGIN } from './authors.ts'
import {
  type BilingualText,
  inLanguage,
  moveText,
  phrase,
  priceText,
  usdWords,
} from './bilingual-text.ts'
import { MarketView } from './market-view.ts'

/** Coins without a price yet, and unknown keys, are left out. */
export function* insightsOf(
  world: World,
  moment: Moment,
  coinKeys: string[],
  language: Language,
): Slices<AiInsight[]> {
  const view = new MarketView(world, moment.atMs)
  const insights: AiInsight[] = []
  for (const ticker of yield* new CoinQueries(world, moment).tickers(coinKeys)) {
    yield
    const { coin_key: key, price_usd, degree_24h_usd: degree } = ticker
    const { interpret, predition } = insightTexts(view, ticker)
    insights.push({
      coinKey: key,
      coinShow: coinsOf(world).get(key)?.asset.show ?? key,
      coinLogo: `${PICTURE_ORIGIN}/coins/${key}.png`,
      price: price_usd,
      degree,
      interpret: inLanguage(interpret, language),
      trend: degree.startsWith('-') ? 'fall' : 'rise',
      predition: inLanguage(predition, language),
    })
  }
  return insights
}

function insightTexts(
  view: MarketView,
  ticker: CoinTicker,
): { interpret: BilingualText; predition: BilingualText } {
  const coin = coinsOf(view.world).get(ticker.coin_key)
  if (!coin) throw new Error(`${ticker.coin_key} has a ticker and is no coin`)
  const { instrument: of, asset } = coin
  const px = view.pxAgo(of, 0) ?? ZERO
  const { high, low } = view.tally(of, DAY_MS)
  const turnover = dollarsOf(ticker.trade_24h_usd)
  const net = dollarsOf(ticker.fundNetIn_24h_usd)
  const isFalling = ticker.degree_24h_usd.startsWith('-')
  const parts = {
    coin: asset.show,
    price: priceText(of, px),
    move: moveText(parse(ticker.degree_24h_usd, 2)),
    turnover: usdWords(turnover),
    net: usdWords(net),
    way: net < 0n ? { cn: '净流出', en: 'net outflow' } : { cn: '净流入', en: 'net inflow' },
    high: priceText(of, high === ZERO ? px : high),
    low: priceText(of, low === ZERO ? px : low),
  }
  const interpret = phrase(
    '{coin}现报{price}，24小时{move}，成交额{turnover}，资金{way}{net}。',
    '{coin} trades at {price}, {move} over 24 hours, on a turnover of {turnover} and a {way} of ' +
      '{net}.',
    parts,
  )
  const [cn, en] = outlook(view, ticker.coin_key, isFalling)
  return { interpret, predition: phrase(cn, en, parts) }
}

/** Cents as text in micro-dollars. */
const dollarsOf = (text: string) => BigInt(text.replace('.', '')) * 10_000n

/** One of the outlooks that go with the trend; another one each hour. */
function outlook(
  { world, atMs }: MarketView,
  key: string,
  isFalling: boolean,
): readonly [string, string] {
  const hour = Math.floor(atMs / HOUR_MS)
  const of = randomSource(world.meta.seed, `outlook of ${key} in hour ${hour}`)
  return of.pick(isFalling ? FALLING : RISING)
}

type Templates = readonly (readonly [cn: string, en: string])[]

const RISING: Templates = [
  [
    '短线若站稳{price}，有望测试24小时高点{high}；跌破{low}则转弱。',
    'Holding {price}, it may test the 24-hour high of {high}; below {low} it weakens.',
  ],
  [
    '多头占优，预计在{low}至{high}之间震荡偏强。',
    'Buyers lead; it is likely to stay firm between {low} and {high}.',
  ],
  [
    '上行动能仍在，回踩{low}不破可视为企稳。',
    'The rise has momentum; a dip that holds {low} would confirm it.',
  ],
  [
    '成交额{turnover}支持当前走势，关注{high}能否突破。',
    'A turnover of {turnover} backs the move; watch whether {high} gives way.',
  ],
]

const FALLING: Templates = [
  [
    '短线承压，若失守24小时低点{low}可能继续下探；收复{high}前反弹空间有限。',
    'Under pressure: below the 24-hour low of {low} it may fall further, and a rebound is ' +
      'limited until it regains {high}.',
  ],
  [
    '空头占优，预计在{low}至{high}之间震荡偏弱。',
    'Sellers lead; it is likely to stay weak between {low} and {high}.',
  ],
  [
    '卖压尚未释放完毕，{low}附近能否企稳是关键。',
    'Selling is not over; what counts is whether it steadies near {low}.',
  ],
  [
    '反弹至{high}附近或遇阻，短线以观望为主。',
    'A rebound may meet resistance near {high}; the short term calls for patience.',
  ],
]
