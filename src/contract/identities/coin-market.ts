/** Prices and candles of a coin agree with one another, with trades, and with figures of a day. */

import type { Exact } from '../../decimal/exact.ts'
import { CONTRACT } from '../operations.ts'
import type { PerpContext } from '../records/asset-context.ts'
import type { Bbo, L2Book } from '../records/book.ts'
import type { Candle } from '../records/candle.ts'
import type { CoinTicker } from '../records/coin.ts'
import type { Trade } from '../records/fill.ts'
import type { TakerKline } from '../records/order-flow.ts'
import {
  answerOf,
  atMost,
  type Comparison,
  equal,
  type Identity,
  type InfoRequests,
  product,
  rounded,
  sum,
} from './identity.ts'

const { perpdex, coin: coins, mix } = CONTRACT

/** An address without an account, for data of the venue that do not depend on one. */
const UNUSED_ADDRESS = '0x000000000000000000000000000000000000dead'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Figures of a perpetual of the main dex, and when they were true; null for another coin. */
export function* contextOf(coin: string): InfoRequests<(PerpContext & { nowMs: number }) | null> {
  const shown = (yield { type: 'webData2', user: UNUSED_ADDRESS }) as {
    meta: { universe: { name: string }[] } | null
    assetCtxs: PerpContext[] | null
    serverTime: number
  } | null
  const at = shown?.meta?.universe.findIndex(({ name }) => name === coin) ?? -1
  const context = shown?.assetCtxs?.[at]
  return shown && context ? { ...context, nowMs: shown.serverTime } : null
}

type DayFigures = Pick<PerpContext, 'prevDayPx' | 'dayNtlVlm' | 'dayBaseVlm' | 'midPx'>

/** Figures of a day of a perpetual of the main dex or a spot pair; null for another coin. */
function* dayOf(coin: string): InfoRequests<(DayFigures & { nowMs: number }) | null> {
  const context = yield* contextOf(coin)
  if (context) return context
  const shown = (yield { type: 'webData2', user: UNUSED_ADDRESS }) as {
    spotAssetCtxs: (DayFigures & { coin: string })[] | null
    serverTime: number
  } | null
  const found = shown?.spotAssetCtxs?.find((one) => one.coin === coin)
  return shown && found ? { ...found, nowMs: shown.serverTime } : null
}

/** Candles of a coin between two instants, those that contain them included. */
export function* klinesOf(
  coin: string,
  interval: string,
  startTime: number,
  endTime: number,
): InfoRequests<TakerKline[]> {
  const query = { startTime: `${startTime}`, endTime: `${endTime}`, limit: '2000' }
  return (yield* answerOf(perpdex.klinesWithTakerVol, { path: { coin, interval }, query })) ?? []
}

function* lastKlines(coin: string, interval: string, limit: number): InfoRequests<TakerKline[]> {
  const parameters = { path: { coin, interval }, query: { limit: `${limit}` } }
  return (yield* answerOf(perpdex.klinesWithTakerVol, parameters)) ?? []
}

const SUMS = ['tc', 'size', 'amount', 'tcBuyer', 'sizeBuyer', 'amountBuyer'] as const

export const hoursOfMinutes: Identity = {
  id: 'hour-candle',
  sentence: 'The candle of an hour is the sum of its minutes: trades, volume, highest and lowest.',
  source: 'perpdex.klinesWithTakerVol; Action map, HL_KLINES_WITH_TAKER_VOL',
  *compare(coin) {
    const comparisons: Comparison[] = []
    // The newest hour is still going on.
    for (const hour of (yield* lastKlines(coin, '1h', HOURS + 1)).slice(0, HOURS)) {
      const { openTime } = hour
      const minutes = yield* klinesOf(coin, '1m', openTime, openTime + 60 * MINUTE_MS - 1)
      if (minutes.length === 0) continue
      for (const name of SUMS) {
        const parts = minutes.map((one) => one[name])
        comparisons.push(equal(`${openTime} ${name}`, hour[name], sum(parts), parts))
      }
      const records = { hour, minutes }
      for (const { openTime: minute, high, low } of minutes) {
        comparisons.push(atMost(`${openTime} high of ${minute}`, high, hour.high, records))
        comparisons.push(atMost(`${openTime} low of ${minute}`, hour.low, low, records))
      }
      const [first, last] = [minutes[0], minutes.at(-1)]
      comparisons.push(equal(`${openTime} open`, hour.open, first?.open ?? 0, records))
      comparisons.push(equal(`${openTime} close`, hour.close, last?.close ?? 0, records))
    }
    return comparisons
  },
}

const HOURS = 2

export const candlesOfEndpoints: Identity = {
  id: 'candles',
  sentence: 'A candle of candleSnapshot is that of klines-with-taker-vol.',
  source: 'candleSnapshot, perpdex.klinesWithTakerVol; one fact through two endpoints',
  *compare(coin) {
    const comparisons: Comparison[] = []
    for (const interval of ['1m', '15m', '1h']) {
      const klines = yield* lastKlines(coin, interval, CANDLES)
      const [startTime, endTime] = [klines[0]?.openTime, klines.at(-1)?.openTime]
      if (startTime === undefined) continue
      const req = { coin, interval, startTime, endTime }
      const candles = ((yield { type: 'candleSnapshot', req }) as Candle[] | null) ?? []
      const byTime = new Map(candles.map((one) => [one.t, one]))
      for (const kline of klines) {
        const candle = byTime.get(kline.openTime)
        const of = `${interval} ${kline.openTime}`
        for (const [name, short] of CANDLE_NAMES)
          comparisons.push(
            equal(`${of} ${name}`, candle?.[short] ?? 0, kline[name], { candle, kline }),
          )
      }
    }
    return comparisons
  },
}

const CANDLES = 10
const CANDLE_NAMES = [
  ['open', 'o'],
  ['high', 'h'],
  ['low', 'l'],
  ['close', 'c'],
  ['size', 'v'],
  ['tc', 'n'],
] as const

export const lastPrices: Identity = {
  id: 'last-price',
  sentence: 'The price of a coin is the close of its newest candle and the price in the list.',
  source:
    'perpdex.ticker, perpdex.tickers, perpdex.klinesWithTakerVol; one fact through three endpoints',
  *compare(coin) {
    const ticker = yield* answerOf(perpdex.ticker, { path: { coin } })
    if (!ticker) return []
    const listed = ((yield* answerOf(perpdex.tickers)) ?? []).find((one) => one.coin === coin)
    const [newest] = yield* lastKlines(coin, '1m', 1)
    const comparisons = [equal('tickers', listed?.price ?? 0, ticker.price, { listed, ticker })]
    if (newest) comparisons.push(equal('candle', newest.close, ticker.price, { newest, ticker }))
    return comparisons
  },
}

export const tradesInCandles: Identity = {
  id: 'trade-in-candle',
  sentence: 'A trade lies in the candle of its minute, which has at least its volume.',
  source: 'perpdex.topTrades, /ws trades, perpdex.klinesWithTakerVol; Perpetual-DEX records',
  *compare(coin) {
    const comparisons: Comparison[] = []
    const query = { coin, interval: '1d', limit: `${TRADES}` }
    const large = (yield* answerOf(perpdex.topTrades, { query })) ?? []
    const subscription = { type: 'trades', coin }
    const latest = ((yield { channel: 'trades', subscription }) as Trade[] | null | undefined) ?? []
    for (const trade of [...large, ...latest.slice(0, TRADES)]) {
      const openTime = trade.time - (trade.time % MINUTE_MS)
      const found = yield* klinesOf(coin, '1m', openTime, openTime + MINUTE_MS - 1)
      const candle = found.find((one) => one.openTime === openTime)
      const records = { trade, candle }
      const of = `${trade.time} ${trade.side}`
      comparisons.push(atMost(`${of} low`, candle?.low ?? 0, trade.px, records))
      comparisons.push(atMost(`${of} high`, trade.px, candle?.high ?? 0, records))
      comparisons.push(atMost(`${of} volume`, trade.sz, candle?.size ?? 0, records))
    }
    return comparisons
  },
}

const TRADES = 10

export const valuesOfTrades: Identity = {
  id: 'top-trade-value',
  sentence: 'The value of a top trade is its price times its size, and its order has that fill.',
  source: 'perpdex.topTrades, perpdex.fillsOfOrder; Perpetual-DEX records, Top trade',
  *compare(coin) {
    const comparisons: Comparison[] = []
    const query = { coin, interval: '1d', limit: '5' }
    for (const trade of (yield* answerOf(perpdex.topTrades, { query })) ?? []) {
      const { oid, px, sz, val, time } = trade
      const of = `${oid} ${time}`
      comparisons.push({ ...equal(`${of} value`, val, product(px, sz), trade), ...rounded('0.01') })
      const fills = (yield* answerOf(perpdex.fillsOfOrder, { path: { oid: `${oid}` } })) ?? []
      const same = fills.filter((fill) => 'price' in fill && fill.time === time)
      if (fills.some((fill) => !('price' in fill))) continue
      const sizes = same.map((fill) => ('size' in fill ? fill.size : '0'))
      comparisons.push(atMost(`${of} fills`, sz, sum(sizes), { trade, fills }))
    }
    return comparisons
  },
}

export const turnoverOfDay: Identity = {
  id: 'day-turnover',
  sentence: 'Turnover and volume of 24 hours are the sums of the minutes in them.',
  source: 'webData2, perpdex.klinesWithTakerVol; 24-hour figures are sums of candles',
  *compare(coin) {
    const context = yield* dayOf(coin)
    if (!context) return []
    const { nowMs, dayNtlVlm, dayBaseVlm } = context
    const minutes = yield* klinesOf(coin, '1m', nowMs - DAY_MS, nowMs)
    // The first minute may have begun before, or with a trade of that very instant.
    const whole = minutes.filter(({ openTime }) => openTime > nowMs - DAY_MS)
    const total = (of: readonly TakerKline[], name: 'size' | 'amount') =>
      sum(of.map((one) => one[name]))
    return (
      [
        ['amount', dayNtlVlm],
        ['size', dayBaseVlm],
      ] as const
    ).flatMap(([name, day]) => {
      const parts = (of: readonly TakerKline[]) =>
        of.map((one) => ({ openTime: one.openTime, [name]: one[name] }))
      const [least, most] = [total(whole, name), total(minutes, name)]
      return [
        { ...atMost(`${name} least`, least, day, parts(whole)), ...rounded('0.01') },
        { ...atMost(`${name} most`, day, most, parts(minutes)), ...rounded('0.01') },
      ]
    })
  },
}

export const priceOfDayBefore: Identity = {
  id: 'day-before',
  sentence: 'The price of a day ago lies in the candles of the two minutes up to then.',
  source: 'webData2, perpdex.klinesWithTakerVol; 24-hour figures against candles',
  *compare(coin) {
    const context = yield* dayOf(coin)
    if (!context) return []
    const { nowMs, prevDayPx } = context
    const atMs = nowMs - DAY_MS
    const candles = yield* klinesOf(coin, '1m', atMs - MINUTE_MS, atMs)
    if (candles.length < 2) return []
    return [
      atMost('low', lowest(candles), prevDayPx, candles),
      atMost('high', prevDayPx, highest(candles), candles),
    ]
  },
}

const lowest = (candles: readonly TakerKline[]) => extreme(candles.map(({ low }) => product(low)))
const highest = (candles: readonly TakerKline[]) =>
  extreme(candles.map(({ high }) => product(high).negated())).negated()

const extreme = (values: readonly Exact[]) =>
  values.reduce((least, one) => (one.isAtMost(least) ? one : least))

export const takerDelta: Identity = {
  id: 'taker-delta',
  sentence: 'What takers bought less what they sold is twice their part of candles less the whole.',
  source: 'perpdex.accumulatedTakerDelta, perpdex.klinesWithTakerVol, webData2; Action map',
  *compare(coin) {
    const context = yield* contextOf(coin)
    if (!context) return []
    const parameters = { path: { coin }, query: { interval: '15m' } }
    const delta = yield* answerOf(perpdex.accumulatedTakerDelta, parameters)
    const startMs = context.nowMs - 15 * MINUTE_MS
    const seconds = yield* klinesOf(coin, '1s', startMs, context.nowMs)
    // The first second may have begun before.
    const [first] = seconds.filter(({ openTime }) => openTime <= startMs)
    return (
      [
        ['amount', delta?.valDelta],
        ['size', delta?.szDelta],
      ] as const
    ).map(([name, side]) => {
      const records = seconds.map((one) => {
        const [bought, all] = [one[`${name}Buyer`], one[name]]
        return {
          openTime: one.openTime,
          bought,
          all,
          delta: product(bought, 2).minus(product(all)),
        }
      })
      const within = sum([first?.[name] ?? 0, '0.01'])
      return { ...equal(name, side ?? 0, sum(records.map(({ delta }) => delta)), records), within }
    })
  },
}

export const bestPrices: Identity = {
  id: 'best-prices',
  sentence: 'Best prices and sizes of l2Book are those of bbo and of the book on the socket.',
  source: 'l2Book, /ws bbo, /ws l2Book; one fact through REST and sockets',
  *compare(coin) {
    const book = (yield { type: 'l2Book', coin }) as L2Book | null
    if (!book) return []
    const bbo = (yield { channel: 'bbo', subscription: { type: 'bbo', coin } }) as Bbo | null
    const subscription = { type: 'l2Book', coin }
    const pushed = (yield { channel: 'l2Book', subscription }) as L2Book | null
    return (['bid', 'ask'] as const).flatMap((side, at) => {
      const best = book.levels[at]?.[0]
      const others = { bbo: bbo?.bbo[at], l2Book: pushed?.levels[at]?.[0] }
      return Object.entries(others).flatMap(([channel, level]) =>
        (['px', 'sz', 'n'] as const).map((name) =>
          equal(`${side} ${name} of ${channel}`, level?.[name] ?? 0, best?.[name] ?? 0, {
            best,
            level,
          }),
        ),
      )
    })
  },
}

export const middlePrices: Identity = {
  id: 'mid-price',
  sentence: 'Twice the mid price is the best bid plus the best ask.',
  source: 'allMids, l2Book; one fact through two endpoints',
  *compare(coin) {
    const dex = coin.includes(':') ? { dex: coin.split(':')[0] } : {}
    const mids = (yield { type: 'allMids', ...dex }) as Record<string, string> | null
    const book = (yield { type: 'l2Book', coin }) as L2Book | null
    const [bid, ask] = [book?.levels[0][0]?.px, book?.levels[1][0]?.px]
    const mid = mids?.[coin]
    if (mid === undefined || bid === undefined || ask === undefined) return []
    return [
      {
        ...equal(coin, product(mid, 2), sum([bid, ask]), { mid, bid, ask }),
        ...rounded('0.000001'),
      },
    ]
  },
}

/** The row of the coin tickers for a coin of the venue; null where the list does not have it. */
function* coinTickerOf(coin: string): InfoRequests<CoinTicker | null> {
  const listed = ((yield* answerOf(coins.list)) ?? []).find(({ show }) => show === coin)
  if (!listed) return null
  const query = { coin_list: listed.coin_key }
  const [row] = (yield* answerOf(coins.ticker, { query })) ?? []
  return row && 'degree_7day_usd' in row ? (row as CoinTicker) : null
}

export const pricesOfCoins: Identity = {
  id: 'coin-price',
  sentence: 'The price of the coin ticker is the last price of its perpetual.',
  source: 'coin.ticker, perpdex.ticker, coin.list; one fact through two endpoints',
  *compare(coin) {
    const row = yield* coinTickerOf(coin)
    const ticker = row && (yield* answerOf(perpdex.ticker, { path: { coin } }))
    return row && ticker ? [equal(coin, row.price_usd, ticker.price, { row, ticker })] : []
  },
}

export const capsOfCoins: Identity = {
  id: 'market-cap',
  sentence: 'The market cap is at most the price times all that is ever issued.',
  source: 'coin.ticker, coin.config, coin.list; Coin ticker, Coin profile',
  *compare(coin) {
    const row = yield* coinTickerOf(coin)
    if (!row) return []
    const [profile] = (yield* answerOf(coins.config, { query: { coin_list: row.coin_key } })) ?? []
    if (!profile || profile.publishAmount === '') return []
    const most = product(row.price_usd, profile.publishAmount)
    return [{ ...atMost(coin, row.supply_usd, most, { row, profile }), ...rounded('0.01') }]
  },
}

export const currenciesOfCoins: Identity = {
  id: 'coin-currencies',
  sentence: 'Yuan over dollars is one rate in the price, the cap, the turnover and the net inflow.',
  source: 'coin.ticker, coin.list; Coin ticker',
  *compare(coin) {
    const row = yield* coinTickerOf(coin)
    if (!row) return []
    return (['price', 'trade_24h', 'fundNetIn_24h'] as const).map((name) => {
      const left = product(row[`${name}_cny`], row.supply_usd)
      const right = product(row[`${name}_usd`], row.supply_cny)
      // Each was rounded to a cent, or to as many digits as a price has.
      const within = sum([product(row.supply_cny, '0.01'), product(row.supply_usd, '0.1')])
      return { ...equal(name, left, right, row), within }
    })
  },
}

export const coinTurnover: Identity = {
  id: 'coin-turnover',
  sentence: 'The turnover of a perpetual is a part of that of its coin, and so is the volume.',
  source: 'webData2, coin.ticker, coin.list; turnover of a coin is that of all its pairs',
  *compare(coin) {
    const context = yield* contextOf(coin)
    const row = context && (yield* coinTickerOf(coin))
    if (!context || !row) return []
    const records = { context, row }
    return [
      { ...atMost('turnover', context.dayNtlVlm, row.trade_24h_usd, records), ...rounded('0.01') },
      { ...atMost('volume', context.dayBaseVlm, row.vol_24h, records), ...rounded('0.01') },
    ]
  },
}

export const changeOfDay: Identity = {
  id: 'coin-change',
  sentence: 'The change of 24 hours is the price over that of a day before.',
  source: 'webData2, coin.ticker, coin.list; Coin ticker, degree_24h_usd in percent',
  *compare(coin) {
    const context = yield* contextOf(coin)
    const row = context && (yield* coinTickerOf(coin))
    if (!context || !row) return []
    const { prevDayPx } = context
    const changed = product(row.price_usd).minus(product(prevDayPx))
    const records = { context, row }
    // A coin is traded at many places, and a day may begin at a whole minute.
    const within = rounded(product(prevDayPx, '0.5'))
    return (['usd', 'cny'] as const).map((currency) => ({
      ...equal(
        currency,
        product(row[`degree_24h_${currency}`], prevDayPx),
        product(changed, 100),
        records,
      ),
      ...within,
    }))
  },
}

export const middleOfContext: Identity = {
  id: 'context-mid',
  sentence: 'The mid price of the asset context is between the best bid and the best ask.',
  source: 'webData2, l2Book; one fact through two endpoints',
  *compare(coin) {
    const context = yield* dayOf(coin)
    const book = (yield { type: 'l2Book', coin }) as L2Book | null
    const [bid, ask] = [book?.levels[0][0]?.px, book?.levels[1][0]?.px]
    if (!context || context.midPx === null || bid === undefined || ask === undefined) return []
    const records = { mid: context.midPx, bid, ask }
    return [atMost('bid', bid, context.midPx, records), atMost('ask', context.midPx, ask, records)]
  },
}

export const changeOfWeek: Identity = {
  id: 'coin-week',
  sentence: 'The change of seven days is the price over that of the hour a week before.',
  source: 'webData2, perpdex.klinesWithTakerVol, coin.ticker, coin.list; Coin ticker, in percent',
  *compare(coin) {
    const context = yield* contextOf(coin)
    const row = context && (yield* coinTickerOf(coin))
    if (!context || !row) return []
    const atMs = context.nowMs - 7 * DAY_MS
    const candles = yield* klinesOf(coin, '1h', atMs - 60 * MINUTE_MS, atMs + 60 * MINUTE_MS)
    if (candles.length < 2) return []
    // The change is the greater the lower the price was.
    return (['usd', 'cny'] as const).flatMap((currency) => {
      const percent = product(row[`degree_7day_${currency}`])
      const changeFrom = (before: Exact) =>
        product(product(row.price_usd).minus(before), 100).minus(product(percent, before))
      const slack = rounded(product(row.price_usd, '0.5'))
      const [from, to] = [changeFrom(highest(candles)), changeFrom(lowest(candles))]
      return [
        { ...atMost(`${currency} least`, from, 0, row), ...slack },
        { ...atMost(`${currency} most`, 0, to, row), ...slack },
      ]
    })
  },
}

export const priceInNavigation: Identity = {
  id: 'navigation-price',
  sentence: 'The last price of a pair of the venue in the navigation is that of its coin.',
  source: 'mix.nav, perpdex.ticker; Navigation item',
  *compare(coin) {
    const ticker = yield* answerOf(perpdex.ticker, { path: { coin } })
    const rows = (yield* answerOf(mix.nav, { query: { lan: 'en' } })) ?? []
    // An index has no pair.
    const own = rows.filter(({ key, coin_show }) => OWN_SWAP.test(key) && coin_show === coin)
    return ticker ? own.map((row) => equal(row.key, row.last, ticker.price, { row, ticker })) : []
  },
}

const OWN_SWAP = /swap\w*:(hl|hyperliquid)$/
