/** Funding rates, mark prices and open interest, and properties of instruments. */

import { readSpan } from '../../../../contract/span.ts'
import { UserError } from '../../../../platform/user-error.ts'
import type { UnknownRecord } from '../../../recorded-data.ts'
import type { Level } from '../../../tape-event.ts'
import {
  type CandleFact,
  listIn,
  type MarketFact,
  type NumberReader,
  type Recogniser,
  recordIn,
  recordsIn,
  textIn,
  timeIn,
} from '../market-fact.ts'

/** A pushed market of one coin. It contains no time: that of its arrival is used. */
export const pushedContext: Recogniser = {
  sources: ['channel/activeAssetCtx', 'channel/activeSpotAssetCtx'],
  facts({ data, timeMs, numbers }) {
    const { coin, ctx } = recordIn(data)
    return contextFacts(textIn(coin, 'a coin'), recordIn(ctx), timeMs, numbers)
  },
}

/** The universe, and the market of each coin in its order. */
export const contexts: Recogniser = {
  sources: ['info/metaAndAssetCtxs'],
  facts({ data, timeMs, numbers }) {
    if (data === null) return []
    const [meta, list] = listIn(data)
    return marketsOf(meta, list, timeMs, numbers)
  },
}

/** The same in the data of a venue's page. */
export const webData: Recogniser = {
  sources: ['info/webData2', 'channel/webData2'],
  facts({ data, timeMs, numbers }) {
    const { meta, assetCtxs } = recordIn(data)
    return meta ? marketsOf(meta, assetCtxs, timeMs, numbers) : []
  },
}

/** Markets of spot pairs, each with its coin. */
export const spotContexts: Recogniser = {
  sources: ['info/spotMetaAndAssetCtxs'],
  facts({ data, timeMs, numbers }) {
    if (data === null) return []
    const [meta, list] = listIn(data)
    const markets = recordsIn(list).flatMap((context) =>
      contextFacts(textIn(context.coin, 'a coin'), context, timeMs, numbers),
    )
    return [...pairsOf(recordIn(meta)), ...markets]
  },
}

/** The universe of spot pairs alone. */
export const spotUniverse: Recogniser = {
  sources: ['info/spotMeta'],
  facts: ({ data }) => (data === null ? [] : pairsOf(recordIn(data))),
}

/** The universe alone. */
export const universe: Recogniser = {
  sources: ['info/meta'],
  facts: ({ data }) => (data === null ? [] : instrumentsOf(recordIn(data))),
}

/** Rates of past hours, at the hour. */
export const fundingRates: Recogniser = {
  sources: ['info/fundingHistory'],
  facts: ({ data, numbers }) =>
    recordsIn(data).map(({ coin, fundingRate, premium, time }) => ({
      kind: 'funding',
      coin: textIn(coin, 'a coin'),
      timeMs: timeIn(time),
      rate: numbers.decimal(fundingRate, true),
      premium: premium == null ? null : numbers.decimal(premium, true),
    })),
}

/** Rates that an account paid or received. */
export const fundingPayments: Recogniser = {
  sources: ['info/userFunding'],
  facts: ({ data, numbers }) =>
    recordsIn(data).map(({ time, delta }) => {
      const { coin, fundingRate } = recordIn(delta)
      const rate = numbers.decimal(fundingRate, true)
      const name = textIn(coin, 'a coin')
      return { kind: 'funding', coin: name, timeMs: timeIn(time), rate, premium: null }
    }),
}

function marketsOf(meta: unknown, list: unknown, timeMs: number, numbers: NumberReader) {
  const instruments = instrumentsOf(recordIn(meta))
  const names = recordsIn(recordIn(meta).universe).map(({ name }) => String(name))
  const markets = recordsIn(list).flatMap((context, at) =>
    names[at] === undefined ? [] : contextFacts(names[at], context, timeMs, numbers),
  )
  return [...instruments, ...markets]
}

const instrumentsOf = ({ universe: list }: UnknownRecord): MarketFact[] =>
  recordsIn(list).flatMap(({ name, szDecimals, maxLeverage }): MarketFact[] => {
    if (typeof szDecimals !== 'number') return []
    const known = typeof maxLeverage === 'number' ? maxLeverage : null
    return [{ kind: 'instrument', coin: textIn(name, 'a coin'), szDecimals, maxLeverage: known }]
  })

/** A pair's sizes are those of the first of its two tokens. */
function pairsOf({ universe: pairs, tokens }: UnknownRecord): MarketFact[] {
  const decimals = new Map(
    recordsIn(tokens).map(({ index, szDecimals }) => [index, szDecimals] as const),
  )
  return recordsIn(pairs).flatMap(({ name, tokens: pair }): MarketFact[] => {
    const szDecimals = decimals.get(Array.isArray(pair) ? pair[0] : undefined)
    if (typeof szDecimals !== 'number') return []
    return [{ kind: 'instrument', coin: textIn(name, 'a coin'), szDecimals, maxLeverage: null }]
  })
}

function contextFacts(
  coin: string,
  { funding, premium, openInterest, markPx, oraclePx }: UnknownRecord,
  timeMs: number,
  numbers: NumberReader,
): MarketFact[] {
  const facts: MarketFact[] = []
  if (markPx != null) {
    const mark = numbers.decimal(markPx)
    const oracle = oraclePx == null ? mark : numbers.decimal(oraclePx)
    // A listed coin that never traded has a price of 0.
    if (mark !== '0' && oracle !== '0') facts.push({ kind: 'mark', coin, timeMs, mark, oracle })
  }
  if (facts.length === 0) return []
  if (funding != null) {
    const known = premium == null ? null : numbers.decimal(premium, true)
    const rate = numbers.decimal(funding, true)
    facts.push({ kind: 'funding', coin, timeMs, rate, premium: known })
  }
  if (openInterest != null)
    facts.push({ kind: 'interest', coin, timeMs, openInterest: numbers.decimal(openInterest) })
  return facts
}

/** Last prices of coins. */
export const tickers: Recogniser = {
  sources: ['perpdex.tickers', 'perpdex.ticker'],
  facts: ({ data, timeMs, numbers }) =>
    recordsIn(Array.isArray(data) || data === null ? data : [data]).map(({ coin: name, price }) => {
      const coin = textIn(name, 'a coin')
      return { kind: 'price', coin, timeMs, px: numbers.decimal(price) }
    }),
}

/** Mid prices of all books. */
export const mids: Recogniser = {
  sources: ['info/allMids', 'channel/allMids'],
  facts({ data, timeMs, numbers }) {
    const prices = recordIn(data)
    const byCoin = prices.mids === undefined ? prices : recordIn(prices.mids)
    return Object.entries(byCoin).map(
      ([coin, px]): MarketFact => ({ kind: 'price', coin, timeMs, px: numbers.decimal(px) }),
    )
  },
}

/** Full books. Rounded ones are skipped. */
export const books: Recogniser = {
  sources: ['channel/l2Book', 'info/l2Book'],
  facts({ data, requested, numbers }) {
    if (data === null || (requested.nSigFigs ?? null) !== null) return []
    const { coin: name, time, levels, spread } = recordIn(data)
    if (spread !== undefined) return []
    const coin = textIn(name, 'a coin')
    const [bids, asks] = listIn(levels).map((side) => levelsIn(side, coin, numbers))
    if (!bids || !asks) throw new UserError('has a book without its two sides')
    return [{ kind: 'book', coin, timeMs: timeIn(time), bids, asks }]
  },
}

/** The best prices. */
export const bestPrices: Recogniser = {
  sources: ['channel/bbo'],
  facts({ data, numbers }) {
    const { coin: name, time, bbo } = recordIn(data)
    const coin = textIn(name, 'a coin')
    const [bid = null, ask = null] = listIn(bbo).map(
      (level) => (level === null ? null : levelsIn([level], coin, numbers)[0]) ?? null,
    )
    return [{ kind: 'bbo', coin, timeMs: timeIn(time), bid, ask }]
  },
}

const levelsIn = (side: unknown, coin: string, numbers: NumberReader): Level[] =>
  recordsIn(side).map(({ px, sz, n }) => [
    numbers.px(coin, px),
    numbers.sz(coin, sz),
    typeof n === 'number' ? n : 1,
  ])

/** Candles, each with its coin and interval. Months vary in length and are skipped. */
export const candles: Recogniser = {
  sources: ['channel/candle', 'info/candleSnapshot'],
  facts: ({ data, numbers }) =>
    recordsIn(Array.isArray(data) || data === null ? data : [data]).flatMap((row): CandleFact[] => {
      const coin = textIn(row.s, 'a coin')
      const lengthMs = readSpan(textIn(row.i, 'an interval'))
      if (lengthMs === null) return []
      const { t, o, h, l, c, v } = row
      const candle = { startMs: t, open: o, high: h, low: l, close: c, volume: v }
      return [candleOf(coin, lengthMs, candle, numbers)]
    }),
}

/** Candles of the requested coin and interval. */
export const takerCandles: Recogniser = {
  sources: ['perpdex.klinesWithTakerVol'],
  facts({ data, requested, numbers }) {
    const coin = textIn(requested.coin, 'a coin')
    const lengthMs = readSpan(textIn(requested.interval, 'an interval'))
    if (lengthMs === null) return []
    return recordsIn(data).map(({ openTime, size, ...row }) =>
      candleOf(coin, lengthMs, { ...row, startMs: openTime, volume: size }, numbers),
    )
  },
}

function candleOf(
  coin: string,
  lengthMs: number,
  { startMs, open, high, low, close, volume }: UnknownRecord,
  numbers: Parameters<Recogniser['facts']>[0]['numbers'],
): CandleFact {
  return {
    kind: 'candle',
    coin,
    lengthMs,
    startMs: timeIn(startMs),
    open: numbers.px(coin, open),
    high: numbers.px(coin, high),
    low: numbers.px(coin, low),
    close: numbers.px(coin, close),
    volume: numbers.decimal(volume),
  }
}
