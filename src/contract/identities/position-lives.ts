/** The life of a position: its snapshots among themselves, and its executions by its fills. */

import { Exact } from '../../decimal/exact.ts'
import { CONTRACT } from '../operations.ts'
import type {
  PositionExecutions,
  PositionHistory,
  PositionPnls,
} from '../records/completed-trade.ts'
import type { UserFill } from '../records/fill.ts'
import type { FundingPayment } from '../records/funding.ts'
import { statesOf } from './account-money.ts'
import {
  allRows,
  answerOf,
  type Comparison,
  equal,
  groupedBy,
  type Identity,
  type InfoRequests,
  isWhole,
  MICRO,
  product,
  rounded,
  sum,
} from './identity.ts'

const { perpdex } = CONTRACT

/** So many positions of an account are looked at. */
const LOOKED_AT = 4

function* openCoins(user: string): InfoRequests<string[]> {
  const states = yield* statesOf(user)
  const coins = states.flatMap(([, { assetPositions }]) =>
    assetPositions.map(({ position }) => position.coin),
  )
  return coins.slice(0, LOOKED_AT)
}

/** The last completed positions: coin and times. */
function* completed(address: string) {
  const trades = (yield* answerOf(perpdex.completedTrades, { path: { address } })) ?? []
  return trades.slice(0, LOOKED_AT).map(({ coin, openTime, closeTime }) => ({
    path: { address, coin },
    query: { startTime: `${openTime}`, endTime: `${closeTime}` },
  }))
}

/** What follows from size, prices and leverage in every snapshot. */
function snapshotsOf(of: string, history: PositionHistory | null): Comparison[] {
  if (!history) return []
  return history.history.flatMap((one) => {
    const { time, size, entryPrice, positionValue, unrealizedPnl, leverage, marginUsed } = one
    const cost = product(size, entryPrice)
    const gain = product(positionValue).minus(cost)
    const name = `${of} ${time}`
    const entry = rounded(product(cost.plus(product(positionValue)), '0.00001').plus(MICRO))
    const right = history.direction === 'long' ? gain : gain.negated()
    const back = product(one.returnOnEquity, cost)
    return [
      { ...equal(`${name} gain`, unrealizedPnl, right, one), ...entry },
      {
        ...equal(`${name} return`, back, product(unrealizedPnl, leverage), one),
        ...rounded(product(cost, '0.001').plus(MICRO)),
      },
      ...(history.cross
        ? [
            {
              ...equal(`${name} margin`, product(marginUsed, leverage), positionValue, one),
              ...rounded(product(MICRO, leverage)),
            },
          ]
        : []),
    ]
  })
}

export const snapshotsOfOpen: Identity = {
  id: 'open-snapshots',
  sentence: 'Each snapshot of an open position has the gain, return and margin that it must have.',
  source: 'clearinghouseState, perpDexs, perpdex.currentPositionHistory; Position history record',
  *compare(address) {
    const comparisons: Comparison[] = []
    for (const coin of yield* openCoins(address)) {
      const history = yield* answerOf(perpdex.currentPositionHistory, { path: { address, coin } })
      comparisons.push(...snapshotsOf(coin, history))
    }
    return comparisons
  },
}

export const snapshotsOfCompleted: Identity = {
  id: 'completed-snapshots',
  sentence: 'Each snapshot of a completed position has the gain, return and margin of its figures.',
  source:
    'perpdex.completedTrades, perpdex.completedPositionHistory, perpdex.completedPositionPnl, ' +
    'perpdex.completedPositionExecutions, userFunding; Position history record',
  *compare(address) {
    const comparisons: Comparison[] = []
    const ended = yield* completed(address)
    if (ended.length === 0) return []
    const payments = yield* allRows<FundingPayment>({ type: 'userFunding', user: address }, 500)
    for (const { path, query } of ended) {
      const history = yield* answerOf(perpdex.completedPositionHistory, { path, query })
      comparisons.push(...snapshotsOf(path.coin, history))
      if (isWhole(payments)) comparisons.push(...fundingOf(history, payments))
      const hourly = { path, query: { ...query, interval: '1h', limit: '1000' } }
      const pnl = yield* answerOf(perpdex.completedPositionPnl, hourly)
      const executions = yield* answerOf(perpdex.completedPositionExecutions, hourly)
      comparisons.push(...sizesOf(pnl, executions))
    }
    return comparisons
  },
}

/** Funding paid since a position was opened is the sum of its payments. */
function fundingOf(
  history: PositionHistory | null,
  payments: readonly FundingPayment[],
): Comparison[] {
  if (!history) return []
  const fromMs = Date.parse(history.startTime)
  // Who opens at a full hour pays the funding of that hour.
  const own = payments.filter(({ delta, time }) => delta.coin === history.coin && time >= fromMs)
  return history.history.map(({ time, cumFunding }) => {
    const paid = sum(own.flatMap((one) => (one.time <= time ? [one.delta.usdc] : [])))
    return equal(`${history.coin} ${time} funding`, cumFunding, paid.negated(), own)
  })
}

/** The size at the end of each interval is what was bought less what was sold so far. */
function sizesOf(pnl: PositionPnls | null, life: PositionExecutions | null): Comparison[] {
  if (!pnl || !life || life.executions.length >= 1000) return []
  return pnl.pnls.map(({ time, size }) => {
    const before = life.executions.filter((one) => one.time <= time)
    const bought = sum(before.map(({ buySz }) => buySz))
    const left = bought.minus(sum(before.map(({ sellSz }) => sellSz))).absolute()
    return equal(`${life.coin} ${time} size`, size, left, before)
  })
}

export const pricesOfExecutions: Identity = {
  id: 'execution-prices',
  sentence: 'Executions on a position are its fills: as many, and worth the same.',
  source:
    'clearinghouseState, perpDexs, perpdex.currentPositionExecutions, perpdex.completedTrades, ' +
    'perpdex.completedPositionExecutions, userFillsByTime; Position executions record',
  *compare(address) {
    const all = yield* allRows<UserFill>({ type: 'userFillsByTime', user: address }, 2000)
    if (!isWhole(all)) return []
    const comparisons: Comparison[] = []
    for (const coin of yield* openCoins(address)) {
      const query = { interval: '1d', limit: '1000' }
      const parameters = { path: { address, coin }, query }
      const found = yield* answerOf(perpdex.currentPositionExecutions, parameters)
      comparisons.push(...ofFills(found, all))
    }
    for (const { path, query } of yield* completed(address)) {
      const whole = { path, query: { ...query, interval: '1h', limit: '1000' } }
      comparisons.push(...ofFills(yield* answerOf(perpdex.completedPositionExecutions, whole), all))
    }
    return comparisons
  },
}

/** Both sides of its fills; none where one of them closed a position and opened another. */
function ofFills(life: PositionExecutions | null, all: readonly UserFill[]): Comparison[] {
  if (!life || life.executions.length >= 1000) return []
  const [fromMs, toMs] = [Date.parse(life.startTime), Date.parse(life.endTime ?? LAST_DAY)]
  const fills = all.filter(({ coin, time }) => coin === life.coin && fromMs <= time && time <= toMs)
  if (fills.some(isFlip) || !startsAtOpening(fills)) return []
  return (['buy', 'sell'] as const).flatMap((side) => {
    const own = fills.filter((fill) => fill.side === (side === 'buy' ? 'B' : 'A'))
    const value = sum(own.map(({ px, sz }) => product(px, sz)))
    const parts = life.executions
    const shown = sum(parts.map((one) => product(one[`${side}Sz`], one[`${side}AvgPx`] ?? '0')))
    const count = sum(parts.map((one) => one[`${side}Count`]))
    const of = `${life.coin} ${life.startTime} ${side}`
    return [
      // A service may count the orders.
      { ...equal(`${of} count`, count, own.length, parts), relation: 'atMost' as const },
      ...(own.length > 0 ? [equal(`${of} any`, count.isAtMost(NONE) ? 0 : 1, 1, parts)] : []),
      {
        ...equal(`${of} value`, shown, value, { parts, own }),
        ...rounded(product(value, '0.0001').plus(MICRO)),
      },
    ]
  })
}

const NONE = Exact.of(0)
const LAST_DAY = '9999-12-31T00:00:00Z'

const isFlip = ({ side, sz, startPosition }: UserFill): boolean => {
  const before = Exact.of(startPosition)
  const after = before.plus(side === 'B' ? Exact.of(sz) : Exact.of(sz).negated())
  const isLong = (one: Exact) => !one.isAtMost(NONE)
  const isShort = (one: Exact) => !NONE.isAtMost(one)
  return (isLong(before) && isShort(after)) || (isShort(before) && isLong(after))
}

/** Of two positions that meet in one millisecond the fills cannot be distinguished. */
const startsAtOpening = (fills: readonly UserFill[]): boolean =>
  fills.filter(({ startPosition }) => /^-?0(\.0+)?$/.test(startPosition)).length === 1

export const sizesOfFunding: Identity = {
  id: 'funding-size',
  sentence: 'Funding is paid on the size that the fills before had left, by the sign of its rate.',
  source: 'userFunding, userFillsByTime; the venue pays each hour',
  *compare(user) {
    const fills = yield* allRows<UserFill>({ type: 'userFillsByTime', user }, 2000)
    const payments = yield* allRows<FundingPayment>({ type: 'userFunding', user }, 500)
    if (!isWhole(fills)) return []
    const byCoin = groupedBy(fills, ({ coin }) => coin)
    const comparisons: Comparison[] = []
    for (const { time, delta } of payments.slice(-PAYMENTS)) {
      const own = byCoin.get(delta.coin) ?? []
      const last = own.findLast((fill) => fill.time <= time)
      if (!last) continue
      const change = last.side === 'B' ? Exact.of(last.sz) : Exact.of(last.sz).negated()
      const held = Exact.of(last.startPosition).plus(change)
      const of = `${delta.coin} ${time}`
      // A fill of the very instant may come after it.
      if (last.time < time) comparisons.push(equal(`${of} size`, delta.szi, held, last))
      const towards = product(delta.szi, delta.fundingRate, delta.usdc)
      comparisons.push({ ...equal(of, towards, NONE, delta), relation: 'atMost' })
    }
    return comparisons
  },
}

/** So many of the latest payments are looked at. */
const PAYMENTS = 500
