/** Open interest, funding rates and liquidations of a coin agree between endpoints. */

import { CONTRACT } from '../operations.ts'
import type { NativeState } from '../records/account-state.ts'
import type { CoinInterest } from '../records/asset-context.ts'
import type { CoinLiquidationStat, LiquidationStat } from '../records/liquidation.ts'
import { contextOf } from './coin-market.ts'
import {
  answerOf,
  atMost,
  type Comparison,
  equal,
  type Identity,
  type InfoRequests,
  product,
  rounded,
  sameNumbers,
  sum,
} from './identity.ts'

const { perpdex, futures, indicator, mix, coin: coins } = CONTRACT

/** Values of many positions, each rounded to a millionth. */
const CENT = '0.01'

function* interestRow(coin: string): InfoRequests<CoinInterest | null> {
  const query = { limit: '50', interval: '180d' }
  const rows = (yield* answerOf(perpdex.openInterestTopCoins, { query })) ?? []
  return rows.find((row) => row.coin === coin) ?? null
}

/** The pair of a coin on the perpetual venue itself; null where it is not listed. */
export function* ownPairOf(coin: string): InfoRequests<string | null> {
  const query = { coinType: coin, indicator_key: 'fundflow' }
  const { list = [] } = (yield* answerOf(indicator.tradingPairs, { query })) ?? {}
  const keys = list.map(([symbol]) => symbol)
  return keys.find((key) => key.includes('swap') && OWN_VENUE.test(key)) ?? null
}

const OWN_VENUE = /:(hl|hyperliquid)$/

export const sidesOfInterest: Identity = {
  id: 'interest-sums',
  sentence:
    'Open interest is that of the long and of the short positions, which are worth the same.',
  source: 'perpdex.openInterestTopCoins; every position has a counterpart',
  restsOn: 'top-coins-window',
  *compare(coin) {
    const row = yield* interestRow(coin)
    if (!row) return []
    const { longPv, shortPv, totalPv, avgPv, positionCount } = row
    return [
      { ...equal('sides', totalPv, sum([longPv, shortPv]), row), ...rounded(CENT) },
      { ...equal('long and short', longPv, shortPv, row), ...rounded(CENT) },
      {
        ...equal('mean', product(avgPv, positionCount), totalPv, row),
        ...rounded(product(positionCount, CENT)),
      },
    ]
  },
}

export const partsOfInterest: Identity = {
  id: 'interest-parts',
  sentence: 'Open interest of each coin is that of its long and of its short positions.',
  source: 'perpdex.openInterestTopCoins, perpdex.openInterestSummary; every position has a side',
  *compare(coin) {
    const query = { limit: '50', interval: '1d' }
    const rows = (yield* answerOf(perpdex.openInterestTopCoins, { query })) ?? []
    const row = rows.find((one) => one.coin === coin)
    const all = yield* answerOf(perpdex.openInterestSummary)
    return [row, all].flatMap((one) => {
      if (!one) return []
      const { longPv, shortPv, totalPv, avgPv, positionCount } = one
      const of = 'coin' in one ? coin : 'all'
      return [
        { ...equal(of, totalPv, sum([longPv, shortPv]), one), ...rounded(CENT) },
        {
          ...equal(`${of} mean`, product(avgPv, positionCount), totalPv, one),
          ...rounded(product(positionCount, CENT)),
        },
      ]
    })
  },
}

export const presentInterest: Identity = {
  id: 'interest-history',
  sentence: 'The last point of the open-interest history is the present row of top-coins.',
  source:
    'perpdex.openInterestHistory, perpdex.openInterestTopCoins; one fact through two endpoints',
  restsOn: 'top-coins-window',
  *compare(coin) {
    const row = yield* interestRow(coin)
    if (!row) return []
    const parameters = { path: { coin }, query: { interval: '1d' } }
    const last = (yield* answerOf(perpdex.openInterestHistory, parameters))?.at(-1)
    return (['totalPv', 'longPv', 'avgPv', 'positionCount'] as const).map((name) =>
      equal(name, last?.[name] ?? 0, row[name], { last, row }),
    )
  },
}

export const interestInSummary: Identity = {
  id: 'interest-summary',
  sentence: 'Open interest of a coin is a part of that of all coins; all coins together are that.',
  source: 'perpdex.openInterestTopCoins, perpdex.openInterestSummary; Action map',
  restsOn: 'top-coins-window',
  *compare(coin) {
    const query = { limit: '50', interval: '180d' }
    const rows = (yield* answerOf(perpdex.openInterestTopCoins, { query })) ?? []
    const all = yield* answerOf(perpdex.openInterestSummary)
    const row = rows.find((one) => one.coin === coin)
    if (!row || !all) return []
    const names = ['totalPv', 'longPv', 'positionCount'] as const
    const parts = names.map((name) => ({
      ...atMost(name, row[name], all[name], { row, all }),
      ...rounded(CENT),
    }))
    if (rows.length >= 50) return parts
    const sums = names.map((name) => {
      const total = sum(rows.map((one) => one[name]))
      return { ...equal(`${name} of all`, total, all[name], rows), ...rounded(CENT) }
    })
    return [...parts, ...sums]
  },
}

export const interestInContext: Identity = {
  id: 'interest-context',
  sentence: 'Open interest of the asset context at the mark price is the value of the long side.',
  source: 'webData2, perpdex.openInterestTopCoins; open interest through two endpoints',
  *compare(coin) {
    const context = yield* contextOf(coin)
    const row = context && (yield* interestRow(coin))
    if (!context || !row) return []
    const left = product(context.openInterest, context.markPx)
    return [{ ...equal(coin, left, row.longPv, { context, row }), ...rounded(CENT) }]
  },
}

export const interestOfPairs: Identity = {
  id: 'interest-pairs',
  sentence: 'Open interest of a coin over all exchanges is the sum of that of its pairs.',
  source: 'futures.stablecoinInterestHistory, futures.interest; Futures interest item',
  restsOn: 'futures-interest-fields',
  *compare(coin) {
    const parameters = { query: { symbol: coin, interval: '1m', limit: '1' } }
    const [last] = (yield* answerOf(futures.stablecoinInterestHistory, parameters)) ?? []
    if (!last) return []
    const rows = []
    for (let page = 1; page <= PAGES_MOST; page++) {
      const query = { page: `${page}`, pageSize: '20', currency: 'usd' }
      const { list = [] } = (yield* answerOf(futures.interest, { query })) ?? {}
      rows.push(...list)
      if (list.length < 20) break
    }
    const own = rows.filter(({ show, key }) => show === coin && !/swapusd:/.test(key))
    const present = own.map((row) => {
      const { key, trend, vol_coin } = row
      return {
        ...equal(`${key} now`, trend.at(-1)?.close ?? 0, vol_coin, row),
        ...rounded('0.000001'),
      }
    })
    const total = sum(own.map(({ vol_coin }) => vol_coin))
    return [...present, { ...equal('sum', last.close, total, own), ...rounded('0.001') }]
  },
}

const PAGES_MOST = 12

export const fundingRates: Identity = {
  id: 'funding-rate',
  sentence: 'The funding rate of the asset context is the last one in the history of its pair.',
  source: 'webData2, futures.fundingRateHistory, indicator.tradingPairs; one fact, two endpoints',
  *compare(coin) {
    const context = yield* contextOf(coin)
    const symbol = context && (yield* ownPairOf(coin))
    if (!context || !symbol) return []
    const query = { symbol, interval: '1h', limit: '2' }
    const last = ((yield* answerOf(futures.fundingRateHistory, { query })) ?? []).at(-1)
    return [equal(symbol, last?.close ?? 0, context.funding, { last, context })]
  },
}

export const interestOfWhales: Identity = {
  id: 'whale-positions',
  sentence: 'Positions of whales are those of the account states, and directions count them.',
  source: 'perpdex.whalePositions, perpdex.whaleDirections, clearinghouseState; Whale directions',
  *compare(coin) {
    const query = { coin, take: '200', topBy: 'position-value' }
    const held = (yield* answerOf(perpdex.whalePositions, { query })) ?? []
    const directions = yield* answerOf(perpdex.whaleDirections, { query: { coin } })
    const comparisons: Comparison[] = []
    const longs = held.filter(({ positionSize }) => !positionSize.startsWith('-')).length
    if (directions && held.length < 200) {
      comparisons.push(equal('longs', directions.longCount, longs, directions))
      comparisons.push(equal('shorts', directions.shortCount, held.length - longs, directions))
    }
    const dex = coin.includes(':') ? coin.split(':')[0] : ''
    for (const whale of held.slice(0, WHALES)) {
      const { user } = whale
      const state = (yield { type: 'clearinghouseState', user, dex }) as NativeState | null
      const position = state?.assetPositions.find((one) => one.position.coin === coin)?.position
      const pairs = [
        ['szi', 'positionSize'],
        ['entryPx', 'entryPrice'],
        ['positionValue', 'positionValueUsd'],
        ['marginUsed', 'marginBalance'],
        ['unrealizedPnl', 'unrealizedPnL'],
      ] as const
      for (const [name, other] of pairs) {
        const records = { whale, position }
        comparisons.push(equal(`${user} ${name}`, position?.[name] ?? 0, whale[other], records))
      }
      comparisons.push(atMost(`${user} value`, 1_000_000, whale.positionValueUsd, whale))
    }
    return comparisons
  },
}

const WHALES = 3

export const statesOfWhales: Identity = {
  id: 'whale-states',
  sentence: 'Every position of a whale is that of its account state.',
  source: 'perpdex.whalePositions, perpdex.tradersClearinghouseState; Whale position',
  *compare(coin) {
    const query = { coin, take: '200', topBy: 'position-value' }
    const held = ((yield* answerOf(perpdex.whalePositions, { query })) ?? []).slice(0, WHALES_MOST)
    if (held.length === 0) return []
    const dex = coin.includes(':') ? { dex: coin.split(':')[0] ?? '' } : {}
    const body = { addresses: held.map(({ user }) => user), ...dex }
    const states = (yield* answerOf(perpdex.tradersClearinghouseState, { body })) ?? []
    const byUser = new Map(states.map(({ address, state }) => [address.toLowerCase(), state]))
    return held.flatMap((whale) => {
      const { user, fundingFee, entryPrice, marginBalance, positionValueUsd, leverage } = whale
      const { positionSize, unrealizedPnL, liqPrice } = whale
      const state = byUser.get(user.toLowerCase())
      const own = state?.assetPositions.find(({ position }) => position.coin === coin)?.position
      if (!own) return [equal(`${user} is known`, 0, 1, whale)]
      const { szi, entryPx, marginUsed, positionValue, unrealizedPnl, liquidationPx } = own
      // Which way funding is counted is open.
      const paid = product(own.cumFunding.sinceOpen).absolute()
      return [
        equal(`${user} size`, positionSize, szi, { whale, own }),
        equal(`${user} funding`, product(fundingFee).absolute(), paid, { whale, own }),
        equal(`${user} gain`, unrealizedPnL, unrealizedPnl, { whale, own }),
        ...sameNumbers(
          user,
          { entryPrice, marginBalance, positionValueUsd, leverage, liqPrice },
          {
            entryPrice: entryPx,
            marginBalance: marginUsed,
            positionValueUsd: positionValue,
            leverage: own.leverage.value,
            liqPrice: liquidationPx,
          },
        ),
      ]
    })
  },
}

const WHALES_MOST = 50

// Liquidations.

const LIQUIDATION_SUMS = [
  'totalFilled',
  'longFilled',
  'shortFilled',
  'totalPnl',
  'longPnl',
  'shortPnl',
] as const
const LIQUIDATION_COUNTS = ['addresses', 'longLiquidations', 'shortLiquidations'] as const

function* liquidationsOf(coin: string, interval: string): InfoRequests<CoinLiquidationStat | null> {
  const rows = (yield* answerOf(perpdex.liquidationsStatByCoin, { query: { interval } })) ?? []
  return rows.find((row) => row.coin === coin) ?? null
}

export const liquidationsByCoin: Identity = {
  id: 'liquidation-stat',
  sentence: 'Liquidation statistics of a coin are its row by coin; both sides add up.',
  source: 'perpdex.liquidationsStat, perpdex.liquidationsStatByCoin; liquidation statistics',
  *compare(coin) {
    const row = yield* liquidationsOf(coin, '1d')
    if (!row) return []
    const query = { coin, interval: '1d' }
    const stat = yield* answerOf(perpdex.liquidationsStat, { query })
    const { totalFilled, longFilled, shortFilled, totalPnl, longPnl, shortPnl } = row
    return [
      ...[...LIQUIDATION_SUMS, ...LIQUIDATION_COUNTS].map((name) =>
        equal(name, stat?.[name] ?? 0, row[name], { stat, row }),
      ),
      equal('filled', totalFilled, sum([longFilled, shortFilled]), row),
      equal('pnl', totalPnl, sum([longPnl, shortPnl]), row),
    ]
  },
}

export const liquidatedPositions: Identity = {
  id: 'liquidation-positions',
  sentence: 'The liquidated positions of a coin are worth what its statistics say together.',
  source:
    'perpdex.liquidationsTopPositions, perpdex.liquidationsStatByCoin; statistics and records',
  *compare(coin) {
    const comparisons: Comparison[] = []
    for (const interval of ['15m', '1h', '1d']) {
      const query = { coin, interval, limit: '100' }
      const rows = (yield* answerOf(perpdex.liquidationsTopPositions, { query })) ?? []
      const row = yield* liquidationsOf(coin, interval)
      if (!row || rows.length === 0) continue
      const within = rounded('0.01')
      const of = (name: 'liquidatedVal' | 'pnl', direction?: string) =>
        sum(rows.flatMap((one) => (direction && one.direction !== direction ? [] : [one[name]])))
      const pairs = [
        ['all', of('liquidatedVal'), row.totalFilled],
        ['long', of('liquidatedVal', 'long'), row.longFilled],
        ['short', of('liquidatedVal', 'short'), row.shortFilled],
      ] as const
      // Where there are more than are given they are a part.
      const compare = rows.length < 100 ? equal : atMost
      for (const [name, left, right] of pairs)
        comparisons.push({ ...compare(`${interval} ${name}`, left, right, rows), ...within })
      if (rows.length >= 100) continue
      const results = [
        ['pnl', of('pnl'), row.totalPnl],
        ['long pnl', of('pnl', 'long'), row.longPnl],
        ['short pnl', of('pnl', 'short'), row.shortPnl],
      ] as const
      for (const [name, left, right] of results)
        comparisons.push({ ...equal(`${interval} ${name}`, left, right, rows), ...within })
    }
    return comparisons
  },
}

export const fillsOfLiquidations: Identity = {
  id: 'liquidated-order',
  sentence: 'The order that closed a liquidated position filled what it lost.',
  source: 'perpdex.liquidationsTopPositions, perpdex.fillsOfOrder; records of liquidations',
  *compare(coin) {
    const comparisons: Comparison[] = []
    const query = { coin, interval: '1d', limit: '8' }
    for (const row of (yield* answerOf(perpdex.liquidationsTopPositions, { query })) ?? []) {
      const { oid, startPosition, endPosition, liquidatedVal, direction } = row
      const lost = product(startPosition).minus(product(endPosition))
      const closed = direction === 'long' ? lost : lost.negated()
      const fills = (yield* answerOf(perpdex.fillsOfOrder, { path: { oid: `${oid}` } })) ?? []
      const simple = fills.flatMap((fill) => ('price' in fill ? [fill] : []))
      if (simple.length < fills.length) continue
      const records = { row, fills }
      const size = sum(simple.map((fill) => fill.size))
      const value = sum(simple.map((fill) => product(fill.price, fill.size)))
      comparisons.push(equal(`${oid} size`, closed, size, records))
      comparisons.push({
        ...equal(`${oid} value`, liquidatedVal, value, records),
        ...rounded(CENT),
      })
    }
    return comparisons
  },
}

export const liquidationMinutes: Identity = {
  id: 'liquidation-minutes',
  sentence: 'A minute of the liquidation history of a pair is that of its coin on the venue.',
  source:
    'futures.liquidationHistory, perpdex.liquidationsHistory, ' +
    'indicator.tradingPairs; one fact, two endpoints',
  *compare(coin) {
    const symbol = yield* ownPairOf(coin)
    if (!symbol) return []
    const history = { query: { symbol, interval: '1m', limit: '60' } }
    const buckets = (yield* answerOf(futures.liquidationHistory, history)) ?? []
    const query = { coin, interval: '1m', limit: '60' }
    const minutes = (yield* answerOf(perpdex.liquidationsHistory, { query })) ?? []
    const byTime = new Map(buckets.map((one) => [one.time, one]))
    return minutes.flatMap((minute) => {
      const bucket = byTime.get(Date.parse(minute.startTime))
      if (!bucket) return []
      const [long, short] = [bucket.long_liquidation_usd, bucket.short_liquidation_usd]
      const records = { minute, bucket }
      return [
        {
          ...equal(`${minute.startTime} long`, long, minute.longFilled, records),
          ...rounded(CENT),
        },
        {
          ...equal(`${minute.startTime} short`, short, minute.shortFilled, records),
          ...rounded(CENT),
        },
      ]
    })
  },
}

export const liquidationHours: Identity = {
  id: 'liquidation-hours',
  sentence:
    'A day of liquidations is its hours, an hour its minutes, and each its longs and its shorts.',
  source: 'perpdex.liquidationsHistory; liquidation statistics',
  *compare(coin) {
    const query = { coin, limit: '100' }
    const hours =
      (yield* answerOf(perpdex.liquidationsHistory, { query: { ...query, interval: '1h' } })) ?? []
    const minutes =
      (yield* answerOf(perpdex.liquidationsHistory, { query: { ...query, interval: '1m' } })) ?? []
    const sides = [...hours, ...minutes].flatMap((row) => {
      const { startTime, totalFilled, longFilled, shortFilled } = row
      const { totalPnl, longPnl, shortPnl, addresses, longLiquidations, shortLiquidations } = row
      const filled = equal(`${startTime} filled`, totalFilled, sum([longFilled, shortFilled]), row)
      const count = sum([longLiquidations, shortLiquidations])
      return [
        { ...filled, ...rounded(CENT) },
        { ...equal(`${startTime} pnl`, totalPnl, sum([longPnl, shortPnl]), row), ...rounded(CENT) },
        atMost(`${startTime} addresses`, addresses, count, row),
      ]
    })
    const days =
      (yield* answerOf(perpdex.liquidationsHistory, { query: { ...query, interval: '1d' } })) ?? []
    return [
      ...sides,
      ...partsOf(hours, minutes, HOUR_MS),
      ...partsOf(days.slice(0, 4), hours, DAY_MS),
    ]
  },
}

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000]

/** Long intervals, newest first, are the sums of the short ones in them. */
function partsOf(
  longer: readonly LiquidationStat[],
  shorter: readonly LiquidationStat[],
  lengthMs: number,
): Comparison[] {
  const parts = [...LIQUIDATION_SUMS, 'longLiquidations', 'shortLiquidations'] as const
  const oldestMs = Math.min(...shorter.map(({ startTime }) => Date.parse(startTime)))
  // The newest one goes on; one before the oldest part is not whole.
  return longer.slice(1).flatMap((row) => {
    const startMs = Date.parse(row.startTime)
    if (startMs < oldestMs) return []
    const own = shorter.filter(({ startTime }) => {
      const atMs = Date.parse(startTime)
      return startMs <= atMs && atMs < startMs + lengthMs
    })
    return parts.map((name) => ({
      ...equal(`${row.startTime} ${name}`, row[name], sum(own.map((one) => one[name])), own),
      ...rounded(CENT),
    }))
  })
}
export const estimatedMap: Identity = {
  id: 'estimated-liquidations',
  sentence: 'The totals of the estimated heatmap are the sums of its cells, longs below the mark.',
  source:
    'perpdex.liquidationsEstimatedHeatmap, webData2; positions are liquidated on their losing side',
  *compare(coin) {
    const map = yield* answerOf(perpdex.liquidationsEstimatedHeatmap, { query: { coin } })
    if (!map) return []
    const context = yield* contextOf(coin)
    const turnover = (cells: typeof map.long) => sum(cells.map(([, , usd]) => usd))
    const last = map.long.at(-1)
    const first = map.short[0]
    return [
      { ...equal('long', map.longTotal, turnover(map.long), map.long), ...rounded(CENT) },
      { ...equal('short', map.shortTotal, turnover(map.short), map.short), ...rounded(CENT) },
      ...(context ? [equal('mark', map.markPx, context.markPx, { map, context })] : []),
      ...(last ? [atMost('long cells', last[0], map.markPx, last)] : []),
      ...(first ? [atMost('short cells', map.markPx, first[1], first)] : []),
    ]
  },
}

export const liquidationsOfMarkets: Identity = {
  id: 'market-liquidations',
  sentence: 'Liquidations of a coin over all exchanges are its longs and its shorts, hour in day.',
  source: 'mix.liq, coin.list; Signals, Liquidation statistics',
  *compare(coin) {
    const listed = ((yield* answerOf(coins.list)) ?? []).find(({ show }) => show === coin)
    if (!listed) return []
    const query = { type: '1', coinKey: listed.coin_key, currency: 'usd' }
    const detail = (yield* answerOf(mix.liq, { query }))?.detail
    if (!detail) return []
    const { liq1h, liqLong1h, liqShort1h, liq24h, liqLong24h, liqShort24h, maxLiq } = detail
    return [
      { ...equal('hour', liq1h, sum([liqLong1h, liqShort1h]), detail), ...rounded('0.02') },
      { ...equal('day', liq24h, sum([liqLong24h, liqShort24h]), detail), ...rounded('0.02') },
      atMost('hour in day', liq1h, liq24h, detail),
      atMost('largest', maxLiq, liq24h, detail),
    ]
  },
}
