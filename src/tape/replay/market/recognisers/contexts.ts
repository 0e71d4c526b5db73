/** Funding rates, mark prices and open interest, and what is known of instruments. */
import type { UnknownRecord } from '../../../unknown-record.ts'
import { listIn, recordIn, recordsIn, textIn, timeIn } from '../data-reading.ts'
import type { MarketFact, NumberReader, Recogniser } from '../market-fact.ts'

/** The market of one coin, as it is pushed. It carries no time: it counts from when it came. */
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

/** The same in what a page of the venue shows. */
export const webData: Recogniser = {
  sources: ['info/webData2', 'channel/webData2'],
  facts({ data, timeMs, numbers }) {
    const { meta, assetCtxs } = recordIn(data)
    return meta ? marketsOf(meta, assetCtxs, timeMs, numbers) : []
  },
}

/** The markets of spot pairs, each of which names its coin. */
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

/** Rates that an account paid or was paid by. */
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
    // What is listed and was never traded has a price of 0.
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
