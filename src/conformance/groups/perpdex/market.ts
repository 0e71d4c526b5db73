/** The market of the perpetual DEX: tickers, books, candles, liquidations and whales. */

import type { Parameter } from '../../../contract/parameters.ts'
import type { AnswerTo } from '../../../contract/questions.ts'
import { rowsIn, type TestedOperation } from '../../derived/tested-operation.ts'
import {
  type Effect,
  type EffectEntry,
  type EffectTable,
  nameOf,
  type Pick,
  picked,
  twoCoins,
} from '../../effects/effect.ts'
import { differs, names, ordersBy, part, selects } from '../../effects/selection.ts'
import { bounded, span, spans, steps, widens } from '../../effects/spans.ts'
import { someCoin, someCoins } from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import { bySuccess, dataIn, type Observers, onlyOne } from '../../requirement.ts'
import {
  assertSame,
  column,
  columnSum,
  dataOf,
  isClose,
  isIncreasing,
  isJsonObject,
  isNonDecreasing,
  isNonIncreasing,
  isSameJson,
  type JsonObject,
  MOVED,
  objectOf,
  objectsOf,
  retryUntilHeld,
  whileStill,
} from '../../responses.ts'
import { acknowledged, frameData, open, pushed, subscribe } from '../sockets/subscriptions.ts'

/** Agreement of endpoints and sockets about one market at any instant. */
export const MARKET_CASES: readonly Case[] = [
  {
    id: 'perpdex.market.tickers',
    title: 'the ticker of a coin is the one of the list',
    checks: ['operation.perpdex.ticker'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      await retryUntilHeld(probe, () =>
        whileStill(
          async () => {
            const tickers = await objectsOf(probe, { path: '/hl/tickers' })
            return tickers.find((row) => row.coin === coin)
          },
          async (listed) => {
            const path = `/hl/tickers/coin/${encodeURIComponent(coin)}`
            const one = await objectOf(probe, { path })
            assertSame(probe, one.coin, coin, 'it is of the requested coin')
            return one.price === listed?.price ? null : `both have the same price of ${coin}`
          },
        ),
      )
    },
  },
  {
    id: 'perpdex.market.books',
    title: 'the book of a socket is the book of POST /info, and its best prices are bbo',
    checks: ['channel.l2Book', 'channel.bbo', 'operation.perpdex.info'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      const body = { type: 'l2Book', coin }
      await retryUntilHeld(probe, () =>
        whileStill(
          async () => levelsOf(await dataOf(probe, { method: 'POST', path: '/hl/info', body })),
          async (answered) => {
            const socket = await open(probe)
            await acknowledged(socket, subscribe({ type: 'l2Book', coin }))
            const pushedBook = frameData(await pushed(socket, 'l2Book', 'a book is pushed'))
            const book = bestOf(levelsOf(pushedBook))
            await acknowledged(socket, subscribe({ type: 'bbo', coin }))
            const best = frameData(await pushed(socket, 'bbo', 'a best bid and offer is pushed'))
            socket.close()
            const ofBbo = Array.isArray(best.bbo) ? best.bbo.map(priceOf) : []
            if (book.join() !== bestOf(answered).join())
              return 'socket and POST /info have the same best prices'
            return book.join() === ofBbo.join() ? null : 'bbo has the best prices of the book'
          },
        ),
      )
    },
  },
  {
    id: 'perpdex.market.candles',
    title: 'the running candle is the same from a socket and from POST /info',
    checks: ['channel.candle', 'operation.perpdex.info'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      await retryUntilHeld(probe, async () => {
        const before = await pushedCandle(probe, coin)
        const req = { coin, interval: '15m', startTime: before.t, endTime: before.T }
        const body = { type: 'candleSnapshot', req }
        const rows = await objectsOf(probe, { method: 'POST', path: '/hl/info', body })
        const found = rows.find(({ t }) => t === before.t)
        if (!found) return 'POST /info has the candle that is pushed'
        const wrong = ['o', 'h', 'l', 'c', 'v', 'n'].find((name) => !near(found, before, name))
        if (!wrong) return null
        return isBetween(before, found, await pushedCandle(probe, coin))
          ? MOVED
          : `${wrong} of the candle is the same from both`
      })
    },
  },
  {
    id: 'perpdex.market.liquidations',
    title: 'liquidation statistics are the sum of both sides and of all coins',
    checks: ['operation.perpdex.liquidationsStat'],
    run: (probe: Probe) =>
      retryUntilHeld(probe, async () => {
        const query = { interval: '1d' }
        const read = async (): Promise<JsonObject> => {
          const all = await objectOf(probe, { path: '/hl/liquidations/stat', query })
          return Object.fromEntries(SUMMED.map((name) => [name, all[name]]))
        }
        return whileStill(read, async (all) => {
          const both = Number(all.longFilled) + Number(all.shortFilled)
          probe.assert(isClose(all.totalFilled, both), 'long and short add up', all)
          const coins = await objectsOf(probe, { path: '/hl/liquidations/stat-by-coin', query })
          for (const name of ['totalFilled', 'longLiquidations', 'shortLiquidations'])
            if (!isClose(all[name], columnSum(coins, name)))
              return `${name} is the sum of all coins`
          return null
        })
      }),
  },
  {
    id: 'perpdex.market.whales',
    title: 'no coin has more whales than all coins together',
    checks: ['operation.perpdex.whaleDirections', 'perpdex.coin'],
    run: async (probe: Probe) => {
      const coin = await someCoin(probe)
      await retryUntilHeld(probe, async () => {
        const all = await objectOf(probe, { path: '/hl/whales/directions' })
        const one = await objectOf(probe, { path: '/hl/whales/directions', query: { coin } })
        for (const name of ['longCount', 'shortCount'])
          if (Number(one[name]) > Number(all[name])) return `${name} of ${coin} is a part of all`
        return null
      })
    },
  },
]

const SUMMED = [
  ...['longFilled', 'shortFilled', 'totalFilled', 'longLiquidations', 'shortLiquidations'],
]

const priceOf = (level: unknown) => (isJsonObject(level) ? Number(level.px) : null)

/** Bids and asks of a book. */
const levelsOf = (book: unknown): unknown[] =>
  isJsonObject(book) && Array.isArray(book.levels) ? book.levels : []

/** Best bid and best ask. */
const bestOf = (levels: readonly unknown[]): (number | null)[] =>
  levels.map((side) => priceOf(Array.isArray(side) ? side[0] : undefined))

/** The running candle of a quarter of an hour, as pushed on a socket. */
async function pushedCandle(probe: Probe, coin: string): Promise<JsonObject> {
  const socket = await open(probe)
  await acknowledged(socket, subscribe({ type: 'candle', coin, interval: '15m' }))
  const candle = frameData(await pushed(socket, 'candle', 'a candle is pushed'))
  socket.close()
  return candle
}

/** Whether a candle may be one between two successive pushes. */
function isBetween(before: JsonObject, candle: JsonObject, after: JsonObject): boolean {
  if (after.t !== before.t) return true
  const rises = ['v', 'n', 'h'].every((name) =>
    isNonDecreasing(column([before, candle, after], name)),
  )
  const falls = isNonIncreasing(column([before, candle, after], 'l'))
  return near(candle, before, 'o') && rises && falls && !near(before, after, 'v')
}

const near = (one: JsonObject, other: JsonObject, name: string) =>
  isClose(one[name], other[name], 1e-9, 1e-9)

// Parameters that select by the sign of a number.

/** Rows of a value have numbers of one sign only; null where the contract leaves open which one. */
const bySign =
  (pick: Pick, values: Readonly<Record<string, 1 | -1 | null>>): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const taken: number[] = []
    for (const [value, sign] of Object.entries(values)) {
      const rows = await requested.withValue(parameter, value).objects()
      const signs = new Set(rows.map((row) => Math.sign(Number(picked(pick, row)))))
      signs.delete(0)
      const question = nameOf(requested, parameter, value)
      const found = [...signs]
      requested.probe.assert(
        found.length <= 1,
        `${question} has rows of one sign only`,
        rows.slice(0, 3),
      )
      if (found.length === 0) continue
      requested.probe.assert(
        sign === null || found[0] === sign,
        `${question} has the sign ${sign}`,
        rows[0],
      )
      requested.probe.assert(
        !taken.includes(found[0] as number),
        `${question} has another sign`,
        rows[0],
      )
      taken.push(found[0] as number)
    }
    if (taken.length === 0) requested.probe.skip('there are no rows of any sign')
  }

const named: EffectEntry = { effect: names('coin', twoCoins) }

const sumOf =
  (...columns: string[]) =>
  (data: unknown) =>
    (Array.isArray(data) ? data : [data])
      .filter(isJsonObject)
      .flatMap((row) => columns.map((name) => Number(row[name] ?? 0)))
      .reduce((sum, one) => sum + one, 0)

const filled = sumOf('totalFilled')

/** Rows of the requested coin, in the record itself. */
const wallOf: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  for (const coin of await twoCoins(requested.probe)) {
    const data = await requested.withValue(parameter, coin).data()
    const found = isJsonObject(data) ? data.coin : undefined
    assertSame(requested.probe, found, coin, `the wall is of ${coin}, not of ${found}`)
  }
}

const whales = sumOf('longCount', 'shortCount')

/** Effects of market parameters, by operation and parameter. */
export const MARKET_EFFECTS: EffectTable = {
  'perpdex.accumulatedTakerDelta': {
    coin: { effect: differs(twoCoins) },
    interval: { effect: differs(['1m', '1d', '7d']) },
  },
  'perpdex.klinesWithTakerVol': {
    coin: { effect: differs(twoCoins, (data) => rowsIn(data).at(-1)) },
    interval: { effect: steps([span('1m'), span('15m'), span('1h')]) },
    startTime: { effect: bounded('start') },
    endTime: { effect: bounded('end') },
    limit: { counted: true },
  },
  'perpdex.liquidationsEstimatedHeatmap': {
    coin: named,
    interval: { effect: widens(sumOf('longTotal', 'shortTotal'), ['15m', '1d', '60d']) },
  },
  'perpdex.liquidationsHistory': {
    coin: { effect: part(filled, twoCoins), checks: ['perpdex.coin'] },
    interval: { effect: steps([span('5m'), span('1h'), span('1d')], { isDense: false }) },
    limit: { counted: true },
  },
  'perpdex.liquidationsMarketHeatmap': {
    coin: named,
    interval: { effect: spans([span('1h'), span('1d'), span('7d')]) },
  },
  'perpdex.liquidationsStat': {
    coin: { effect: part(filled, twoCoins), checks: ['perpdex.coin'] },
    interval: { effect: widens(filled, ['1s', '1d', '60d']) },
  },
  'perpdex.liquidationsStatByCoin': { interval: { effect: widens(filled, ['1s', '1d', '60d']) } },
  'perpdex.liquidationsTopPositions': {
    interval: { effect: spans([span('1h'), span('1d'), span('60d')]) },
    coin: named,
    limit: { counted: true },
  },
  'perpdex.openInterestHistory': {
    coin: named,
    interval: { effect: spans([span('1d'), span('7d'), span('30d')]) },
  },
  'perpdex.openInterestTopCoins': {
    limit: { counted: true },
    interval: { reason: 'what it does is open: top-coins-window' },
  },
  'perpdex.orderbookSummaries': {
    coin: named,
    interval: { effect: spans([span('1h'), span('1d'), span('7d')]) },
  },
  'perpdex.ticker': { coin: named },
  'perpdex.twapsExecutionWall': {
    coin: { effect: wallOf },
    interval: { effect: steps([span('1m'), span('5m'), span('1h')], { isDense: false }) },
  },
  'perpdex.whaleDirections': { coin: { effect: part(whales, twoCoins), checks: ['perpdex.coin'] } },
  'perpdex.whaleEvents': {
    limit: { counted: true },
    coin: { reason: 'whether it counts is open: whale-event-coin' },
  },
  'perpdex.whaleLongRatios': {
    interval: { listed: steps([span('10m'), span('1h'), span('4h'), span('1d')]) },
    limit: { counted: true },
  },
  'perpdex.whalePositions': {
    coin: { effect: selects('symbol') },
    dir: { listed: bySign('positionSize', { long: 1, short: -1 }) },
    npnlSide: { listed: bySign('unrealizedPnL', { profit: 1, loss: -1 }) },
    frSide: { listed: bySign('fundingFee', { profit: null, loss: null }) },
    topBy: {
      listed: ordersBy({
        'position-value': 'positionValueUsd',
        'margin-balance': 'marginBalance',
        'create-time': 'createTime',
        profit: 'unrealizedPnL',
        loss: ({ unrealizedPnL }) => -Number(unrealizedPnL),
      }),
    },
    take: { counted: true },
  },
}

/** Observers of the open questions about the perpetual market. */
export const PERPDEX_MARKET_OBSERVERS: Observers = {
  'top-coins-window': async (probe: Probe) => {
    const path = '/hl/open-interest/top-coins'
    const of = (interval: string) => objectsOf(probe, { path, query: { interval, limit: 50 } })
    const [short, long] = [await of('15m'), await of('180d')]
    const both = short.flatMap((row) => {
      const other = long.find(({ coin }) => coin === row.coin)
      return other ? [[Number(row.totalPv), Number(other.totalPv)] as const] : []
    })
    if (both.length === 0) probe.skip('no coin was traded within 15 minutes')
    return both.every(([one, other]) => isClose(one, other, 0.02)) ? 'traded' : 'opened'
  },
  'open-interest-step': async (probe: Probe) => {
    const path = `/hl/open-interest/history/${await coinName(probe)}`
    const { length } = await objectsOf(probe, { path, query: { interval: '3d' } })
    return length >= 3 && length < 24 ? 'few' : length >= 24 ? 'fine' : null
  },
  'taker-delta-interval': bySuccess(
    async (probe) => ({ path: `/hl/accumulated-taker-delta/${(await someCoins(probe))[0]}` }),
    'hour',
    'refuse',
  ),
  'book-summary-unit': async (probe: Probe) => {
    if ((await someCoin(probe)) !== 'BTC') probe.skip('the target does not list BTC')
    const rows = await objectsOf(probe, { path: '/hl/orderbooks/history-summaries/BTC' })
    const volumes = column(rows, 'bidVolume').filter((one) => one > 0)
    const middle = volumes.sort((a, b) => a - b)[volumes.length >> 1]
    if (middle === undefined) probe.skip('no summary of BTC has a bid')
    // No book holds so many bitcoins, or so few dollars.
    return middle > 100_000 ? 'usd' : 'coin'
  },
  'info-types': async (probe) => {
    const body = { type: 'exchangeStatus' }
    const data = await dataIn(probe, { method: 'POST', path: '/hl/info', body })
    return isJsonObject(data) ? 'all' : 'documented'
  },
}

const coinName = async (probe: Probe) => encodeURIComponent(await someCoin(probe))

/** Observers of the open questions about liquidations. */
export const PERPDEX_LIQUIDATION_OBSERVERS: Observers = {
  'liquidation-window': async (probe: Probe) => {
    const path = '/hl/liquidations/stat'
    const of = (query: Record<string, string>) => objectOf(probe, { path, query })
    const usual = await of({})
    const alike: AnswerTo<'liquidation-window'>[] = []
    for (const interval of ['1m', '1h', '1d'] as const)
      if (isSameJson(await of({ interval }), usual)) alike.push(interval)
    return onlyOne(probe, alike)
  },
  'top-positions-interval': bySuccess(
    async (probe) => ({
      path: '/hl/liquidations/top-positions',
      query: { coin: await someCoin(probe) },
    }),
    '1d',
    'refuse',
  ),
  'estimated-heatmap-interval': async (probe: Probe) => {
    for (const coin of (await someCoins(probe)).slice(0, 10)) {
      const totals = (interval?: string) => heat(probe, coin, interval)
      const [usual, all, day] = [await totals(), await totals('60d'), await totals('1d')]
      if (isClose(all, day, 0.01)) continue
      return isClose(usual, all, 0.002) ? 'all' : isClose(usual, day, 0.002) ? 'day' : null
    }
    probe.skip('all positions are of the last day, or none is')
  },
}

async function heat(probe: Probe, coin: string, interval?: string): Promise<number> {
  const query = { coin, ...(interval === undefined ? {} : { interval }) }
  const path = '/hl/liquidations/estimated-heatmap'
  const { longTotal, shortTotal }: JsonObject = await objectOf(probe, { path, query })
  return Number(longTotal) + Number(shortTotal)
}

/** Observers of the open questions about whales. */
export const PERPDEX_WHALE_OBSERVERS: Observers = {
  'whale-funding-sign': async (probe: Probe) => {
    const request = { path: '/hl/whales/open-positions', query: { frSide: 'loss' } }
    const fees = column(await objectsOf(probe, request), 'fundingFee').filter((one) => one !== 0)
    if (fees.length === 0) probe.skip('no whale has paid funding')
    if (fees.every((one) => one > 0)) return 'paid'
    return fees.every((one) => one < 0) ? 'received' : null
  },
  'whale-ratio-order': async (probe) => {
    const path = '/hl/whales/history-long-ratio'
    const times = column(await objectsOf(probe, { path, query: { interval: '1d' } }), 'time')
    if (times.length < 2) return null
    return isIncreasing(times) ? 'oldest' : isIncreasing(times.toReversed()) ? 'newest' : null
  },
  'whale-event-coin': async (probe: Probe) => {
    const path = '/hl/whales/latest-events'
    const symbols = async (query: object) =>
      (await objectsOf(probe, { path, query: { limit: 100, ...query } })).map(
        ({ symbol }) => symbol,
      )
    const all = [...new Set(await symbols({}))]
    if (all.length < 2) probe.skip('whales have acted in one coin only')
    const coin = String(all.at(-1))
    return (await symbols({ coin })).every((one) => one === coin) ? 'filtered' : 'ignored'
  },
}
