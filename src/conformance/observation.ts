/** How a target answers the open questions: read off, not judged, for a stand-in to do alike. */

import type { SystemClock } from '../clock/system-clock.ts'
import { type AnswerTo, QUESTIONS, type QuestionId } from '../contract/questions.ts'
import { deferred } from '../platform/deferred.ts'
import { UserError } from '../platform/user-error.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import { CONTENT_OBSERVERS } from './observers/content.ts'
import { DISTRIBUTOR_OBSERVERS } from './observers/distributor.ts'
import { FUTURES_OBSERVERS } from './observers/futures.ts'
import { INDEX_OBSERVERS } from './observers/index.ts'
import { INDICATOR_OBSERVERS } from './observers/indicator.ts'
import { LIMITS_OBSERVERS } from './observers/limits.ts'
import { byName, bySuccess, dataIn, firstOf, type Observers } from './observers/observer.ts'
import { onlyOne } from './observers/omitted-parameter.ts'
import { PERPDEX_POSITION_OBSERVERS } from './observers/perpdex/positions.ts'
import { PERPDEX_TRADER_OBSERVERS } from './observers/perpdex/traders.ts'
import { SIGNAL_OBSERVERS, SIGNAL_TIMING_OBSERVERS } from './observers/signal.ts'
import { SOCKET_OBSERVERS } from './observers/sockets/replies-and-pushes.ts'
import { SOCKET_TIMING_OBSERVERS } from './observers/sockets/timing.ts'
import { UNOBSERVABLE } from './observers/unobservable.ts'
import { isJsonObject, type JsonObject } from './parsed-json.ts'
import { Probe } from './probe.ts'
import { isSuccess, objectOf, objectsOf } from './response-reading.ts'
import type { Target } from './target.ts'
import { someCoin, someCoins, someOpenPosition, someTraders } from './target-lookups.ts'
import type { TargetTransport } from './target-transport.ts'
import type { Traffic } from './traffic.ts'
import { column, isClose, isIncreasing, isSameJson } from './value-checks.ts'

const PERPDEX_MARKET_OBSERVERS: Observers = {
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
    // So many bitcoins rest in no book, and for so few dollars nobody keeps one.
    return middle > 100_000 ? 'usd' : 'coin'
  },
  'info-types': async (probe) => {
    const body = { type: 'exchangeStatus' }
    const data = await dataIn(probe, { method: 'POST', path: '/hl/info', body })
    return isJsonObject(data) ? 'all' : 'documented'
  },
}

const coinName = async (probe: Probe) => encodeURIComponent(await someCoin(probe))

// Orders of the perpetual DEX.

/** How it is spelled in some orders that they were cancelled. */
const wordsIn = (data: unknown): string[] =>
  (Array.isArray(data) ? data : [])
    .map((one) => (isJsonObject(one) ? String(one.status) : ''))
    .filter((status) => /^cancell?ed$/.test(status))

/** The simple form, then those of the venue; once where they agree. */
const SPELLINGS: Record<string, AnswerTo<'order-status-spelling'>> = {
  'cancelled,canceled': 'by-form',
  cancelled: 'cancelled',
  canceled: 'canceled',
}

const OPEN_ORDERS = { path: '/hl/orders/top-open-orders', query: { limit: 100 } }

const PERPDEX_ORDER_OBSERVERS: Observers = {
  'order-form': byName(
    async (probe) => {
      const { address } = await someOpenPosition(probe)
      return { path: `/hl/filled-orders/${address}/latest`, query: { limit: 1 } }
    },
    { order: 'nested', oid: 'flat' },
  ),
  'order-status-spelling': async (probe: Probe) => {
    for (const address of await someTraders(probe)) {
      const path = `/hl/orders/${address}/latest`
      const words = wordsIn(await dataIn(probe, { path, query: { limit: 2_000 } }))
      const body = { type: 'historicalOrders', user: address }
      const native = wordsIn(await dataIn(probe, { method: 'POST', path: '/hl/info', body }))
      if (words.length === 0 || native.length === 0) continue
      return SPELLINGS[[...new Set([words[0], native[0]])].join()] ?? null
    }
    probe.skip('nobody has cancelled an order')
  },
  'open-order-triggers': async (probe) => {
    const rows = await objectsOf(probe, OPEN_ORDERS)
    if (rows.length === 0) return null
    return rows.some(({ tif }) => tif === null) ? 'present' : 'absent'
  },
  'distance-sign': async (probe) => {
    const rows = await objectsOf(probe, OPEN_ORDERS)
    if (rows.length === 0) return null
    return column(rows, 'distPct').some((one) => one < 0) ? 'signed' : 'absolute'
  },
}

const QUOTES = { path: '/crypto_stock/quotes' }

const GAINERS = { path: '/crypto_stock/top-gainer' }

const STOCK_OBSERVERS: Observers = {
  'stock-times': async (probe) => {
    const { timestamp } = firstOf(await dataIn(probe, { path: '/crypto_stock/quotes' }))
    const digits = String(timestamp ?? '').length
    return digits === 13 ? 'ms' : digits === 10 ? 's' : null
  },
  'stock-ticker-form': async (probe) => {
    const { ticker } = firstOf(await dataIn(probe, { path: '/crypto_stock/quotes' }))
    return typeof ticker !== 'string' ? null : ticker.includes(':') ? 'key' : 'symbol'
  },
  'stock-quote-close': async (probe: Probe) => {
    const rows = await objectsOf(probe, QUOTES)
    if (rows.length === 0) return null
    return rows.every((row) => row.close === row.last_price) ? 'present' : 'previous'
  },
  'stock-quote-day': async (probe: Probe) => {
    const [row] = await objectsOf(probe, QUOTES)
    return row === undefined ? null : 'open_today' in row ? 'present' : 'absent'
  },
  'stock-change-rate': async (probe: Probe) => {
    const query = { us_stock: true, hk_stock: true }
    const ratios = (await objectsOf(probe, { ...GAINERS, query })).flatMap((row) => {
      const [price, change, rate] = [row.price, row.change, row.change_rate].map(Number)
      return change ? [((rate as number) * ((price as number) - change)) / change] : []
    })
    if (ratios.length === 0) probe.skip('no stock has moved')
    const middle = ratios.sort((a, b) => a - b)[ratios.length >> 1] as number
    return middle > 50 && middle < 200 ? 'percent' : middle > 0.5 && middle < 2 ? 'fraction' : null
  },
  'stock-no-market': async (probe) =>
    (await objectsOf(probe, GAINERS)).length > 0 ? 'all' : 'none',
  'stock-unknown': async (probe: Probe) => {
    const exchange = await probe.request({ path: '/crypto_stock/company/i:nobody:nasdaq' })
    const { status, json } = exchange
    if (isSuccess(exchange)) return isJsonObject(json) && json.data === null ? 'null' : null
    return status === 500 ? '500' : status === 400 ? 'refuse' : null
  },
}

/** Liquidations of the perpetual DEX. */
const PERPDEX_LIQUIDATION_OBSERVERS: Observers = {
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

const PERPDEX_FILL_OBSERVERS: Observers = {
  'fill-form': byName(
    async (probe) => ({
      path: `/hl/fills/${(await someTraders(probe))[0]}`,
      query: { limit: 1 },
    }),
    { px: 'native', price: 'simple' },
  ),
  'twap-fill-form': byName(
    async (probe) => ({ path: `/hl/fills/twapid/${await someTwap(probe)}` }),
    { address: 'native', closedPnl: 'native', px: 'slice', price: 'simple' },
  ),
  'builder-fill-ids': async (probe: Probe) => {
    const [builder] = probe.target.inventory?.builders ?? []
    if (builder === undefined) probe.skip('no list of the service names a builder')
    const path = `/hl/fills/builder/${builder}/latest`
    const [fill] = await objectsOf(probe, { path, query: { limit: 1 } })
    if (fill === undefined) probe.skip('the builder has no fill')
    return 'tid' in fill && 'twapId' in fill ? 'present' : 'tid' in fill ? null : 'absent'
  },
}

/** A TWAP that has bought or sold something. */
async function someTwap(probe: Probe): Promise<number> {
  const rows = await objectsOf(probe, { path: '/hl/twaps/top-impact' })
  const running = column(rows, 'twapId').filter(Number.isSafeInteger)
  for (const id of [...(probe.target.inventory?.twapIds ?? []), ...running].slice(0, 10))
    if ((await objectsOf(probe, { path: `/hl/fills/twapid/${id}` })).length > 0) return id
  probe.skip('no TWAP has filled anything of late')
}

const PERPDEX_WHALE_OBSERVERS: Observers = {
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

/** Features of the whole market. */
const MIX_OBSERVERS: Observers = {
  'fundco-scale-unit': async (probe: Probe) => {
    const query = { coins: 'btc' }
    const { detail } = await objectOf(probe, { path: '/mix/fundco-scale', query })
    const bitcoin = isJsonObject(detail) && isJsonObject(detail.btc) ? Number(detail.btc.total) : 0
    if (!(bitcoin > 0)) probe.skip('the target tells no total of bitcoin trusts')
    // There are never more bitcoins than this.
    return bitcoin < 21_000_000 ? 'coin' : 'usd'
  },
  'nav-trades': async (probe: Probe) => {
    const rows = await objectsOf(probe, { path: '/mix/nav' })
    const lists = rows.map(({ trades }) => trades).filter(Array.isArray)
    if (lists.length === 0) return null
    return lists.some((trades) => trades.length > 0) ? 'recent' : 'empty'
  },
  'stock-market-form': async (probe: Probe) => {
    const { detail } = await objectOf(probe, { path: '/mix/stock-market' })
    return Array.isArray(detail) ? 'list' : isJsonObject(detail) ? 'one' : null
  },
}

/** Whether nonces are remembered. */
const AUTHENTICATION_OBSERVERS: Observers = {
  'nonce-reuse': async (probe) => {
    const nonce = probe.newNonce()
    const once = await probe.request({ path: '/coin', nonce })
    const twice = await probe.request({ path: '/coin', nonce })
    if (!isSuccess(once)) return null
    return isSuccess(twice) ? 'accept' : 'reject'
  },
}

const ERRORS_OBSERVERS: Observers = {
  'refusal-status': async (probe) => {
    const { status } = await probe.request({ path: '/hl/tickers', signedIn: 'nowhere' })
    return status === 200 ? 'ok' : status === 401 ? 'http' : null
  },
}

const COIN_OBSERVERS: Observers = {
  'coin-ticker-variant': byName(() => ({ path: '/coin/ticker', query: { coin_list: 'bitcoin' } }), {
    degree_7day_usd: 'current',
    usdt_funding_rate: 'older',
  }),
}

/** What lets the target's time pass. */
const TIMED_OBSERVERS: Observers = { ...SOCKET_TIMING_OBSERVERS, ...SIGNAL_TIMING_OBSERVERS }

export const OBSERVERS: Observers = {
  ...AUTHENTICATION_OBSERVERS,
  ...ERRORS_OBSERVERS,
  ...LIMITS_OBSERVERS,
  ...DISTRIBUTOR_OBSERVERS,
  ...STOCK_OBSERVERS,
  ...FUTURES_OBSERVERS,
  ...INDEX_OBSERVERS,
  ...COIN_OBSERVERS,
  ...MIX_OBSERVERS,
  ...SIGNAL_OBSERVERS,
  ...CONTENT_OBSERVERS,
  ...INDICATOR_OBSERVERS,
  ...PERPDEX_FILL_OBSERVERS,
  ...PERPDEX_LIQUIDATION_OBSERVERS,
  ...PERPDEX_MARKET_OBSERVERS,
  ...PERPDEX_ORDER_OBSERVERS,
  ...PERPDEX_POSITION_OBSERVERS,
  ...PERPDEX_TRADER_OBSERVERS,
  ...PERPDEX_WHALE_OBSERVERS,
  ...SOCKET_OBSERVERS,
  ...TIMED_OBSERVERS,
}

export interface Observations {
  /** As `serve --questions` and a new sandbox take them. */
  questions: Record<string, string>
  /** Questions that this target did not answer, and why. */
  unseen: Record<string, string>
}

/** How long it may take to look at one question, ms. */
const OBSERVATION_TIMEOUT_MS = 120_000

const ALL = Object.keys(QUESTIONS) as QuestionId[]

/** Observes every question that can be seen from outside, or some of them. */
export async function observe(
  target: Target,
  transport: TargetTransport,
  systemClock: SystemClock,
  traffic?: Traffic,
  ids: readonly QuestionId[] = ALL,
): Promise<Observations> {
  const start = `observe-${systemClock.nowMs().toString(36)}`
  let count = 0
  const signing = {
    nowS: () => Math.floor(systemClock.nowMs() / 1000),
    nonce: () => `${start}-${count++}`,
  }
  const seen = new Map<QuestionId, Observation>()
  // What lets the target's time pass comes last: others look at a market that they know.
  const isTimed = (id: QuestionId) => id in TIMED_OBSERVERS
  for (const id of [...ids.filter((one) => !isTimed(one)), ...ids.filter(isTimed)]) {
    const probe = new Probe(target, transport, signing, traffic ? { gate: traffic.gate(0) } : {})
    seen.set(id, await withTimeout(observeQuestion(id, probe), systemClock))
    probe.close()
  }
  return sortedObservations(ids.map((id) => [id, seen.get(id) as Observation]))
}

type Observation = { answer: string } | { why: string }

/** What was seen, and what was not. */
export function sortedObservations(
  seen: readonly (readonly [QuestionId, Observation])[],
): Observations {
  const observed: Observations = { questions: {}, unseen: {} }
  for (const [id, one] of seen)
    if ('answer' in one) observed.questions[id] = one.answer
    else observed.unseen[id] = one.why
  return observed
}

async function withTimeout(
  seen: Promise<Observation>,
  systemClock: SystemClock,
): Promise<Observation> {
  const late = deferred<Observation>()
  const cancel = systemClock.startTimer(OBSERVATION_TIMEOUT_MS, () =>
    late.resolve({ why: `no answer in ${OBSERVATION_TIMEOUT_MS} ms` }),
  )
  return Promise.race([seen, late.promise]).finally(cancel)
}

/** What one look at the target shows of a question, or why it shows nothing. */
export async function observeQuestion(id: QuestionId, probe: Probe): Promise<Observation> {
  const observer = OBSERVERS[id]
  if (!observer) return { why: UNOBSERVABLE[id] ?? 'it is not looked at from outside' }
  try {
    const answer = await observer(probe)
    if (answer === null) return { why: 'the target answers in none of the known ways' }
    return { answer }
  } catch (error) {
    if (error instanceof SkipCase || error instanceof CheckFailure || error instanceof UserError)
      return { why: error.message }
    // What an observer reads without asking first: the target has another form there.
    if (error instanceof TypeError)
      return { why: 'the target answers in a form that is not known here' }
    throw error
  }
}
