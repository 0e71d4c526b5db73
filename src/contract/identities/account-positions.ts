/** Positions of an account: their margin, their gain, and what other endpoints say of them. */

import { Exact } from '../../decimal/exact.ts'
import { CONTRACT } from '../operations.ts'
import type { NativeState, PerpState } from '../records/account-state.ts'
import type { ActiveAsset } from '../records/asset-context.ts'
import type { PositionSnapshot } from '../records/completed-trade.ts'
import type { FundingPayment } from '../records/funding.ts'
import { dexName, statesOf } from './account-money.ts'
import {
  allRows,
  answerOf,
  atMost,
  type Comparison,
  equal,
  type Identity,
  type InfoRequests,
  isWhole,
  MICRO,
  NOTHING,
  product,
  rounded,
  sameNumbers,
  sameRows,
  sum,
} from './identity.ts'

const { perpdex } = CONTRACT

type Position = NativeState['assetPositions'][number]['position']

function* positionsOf(user: string): InfoRequests<Position[]> {
  const states = yield* statesOf(user)
  return states.flatMap(([, { assetPositions }]) => assetPositions.map(({ position }) => position))
}

/** The value of a position with the sign of its size. */
const signedValue = ({ szi, positionValue }: Position): Exact =>
  szi.startsWith('-') ? Exact.of(positionValue).negated() : Exact.of(positionValue)

/** Entry prices are written with about six digits. */
const entryRounding = ({ positionValue, szi, entryPx }: Position) =>
  rounded(product(sum([positionValue, product(szi, entryPx).absolute()]), '0.00001').plus(MICRO))

export const gainsOfPositions: Identity = {
  id: 'unrealised',
  sentence: 'The unrealised PnL of a position is its value less its value at the entry price.',
  source: 'clearinghouseState; Perp account state',
  *compare(user) {
    return (yield* positionsOf(user)).map((position) => {
      const { coin, szi, entryPx, unrealizedPnl } = position
      const gain = signedValue(position).minus(product(szi, entryPx))
      return { ...equal(coin, unrealizedPnl, gain, position), ...entryRounding(position) }
    })
  },
}

export const returnsOfPositions: Identity = {
  id: 'return-on-equity',
  sentence: 'Return on equity is the unrealised PnL as a fraction of the margin at entry.',
  source: 'clearinghouseState; Perp account state',
  *compare(user) {
    return (yield* positionsOf(user)).map((position) => {
      const { coin, szi, entryPx, unrealizedPnl, returnOnEquity, leverage } = position
      const entryValue = product(szi, entryPx).absolute()
      const left = product(returnOnEquity, entryValue)
      const right = product(unrealizedPnl, leverage.value)
      // Of what is written, the entry price is rounded, and the return to ten decimals.
      const ofPrice = product(returnOnEquity, entryRounding(position).within).absolute()
      const ofReturn = product(entryValue, '0.0000000001')
      const ofGain = product(MICRO, leverage.value)
      return { ...equal(coin, left, right, position), within: sum([ofPrice, ofReturn, ofGain]) }
    })
  },
}

export const marginsOfPositions: Identity = {
  id: 'margin-used',
  sentence:
    'The margin of a cross position is its value by its leverage; that of an isolated one is its ' +
    'raw dollars plus its value.',
  source: 'clearinghouseState; Perp account state',
  *compare(user) {
    return (yield* positionsOf(user)).flatMap((position) => {
      const { coin, leverage, marginUsed, maxLeverage, positionValue } = position
      const most = atMost(`${coin} leverage`, leverage.value, maxLeverage, position)
      if (leverage.type === 'isolated') {
        const right = signedValue(position).plus(Exact.of(leverage.rawUsd ?? '0'))
        return [most, { ...equal(coin, marginUsed, right, position), within: MICRO }]
      }
      const left = product(marginUsed, leverage.value)
      const within = rounded(product(MICRO, leverage.value))
      return [most, { ...equal(coin, left, positionValue, position), ...within }]
    })
  },
}

export const crossAccounts: Identity = {
  id: 'cross-margin',
  sentence: 'The cross margin of an account is all of it less the margin of isolated positions.',
  source: 'clearinghouseState; Perp account state, crossMarginSummary',
  *compare(user) {
    const states = yield* statesOf(user)
    return states.flatMap(([dex, state]) => {
      const { marginSummary, crossMarginSummary: cross, assetPositions, withdrawable } = state
      const isolated = assetPositions.flatMap(({ position }) =>
        position.leverage.type === 'isolated' ? [position] : [],
      )
      const of = (name: 'marginUsed' | 'positionValue') => sum(isolated.map((one) => one[name]))
      const less = (name: 'accountValue' | 'totalNtlPos' | 'totalMarginUsed', part: Exact) =>
        equal(
          `${dexName(dex)} ${name}`,
          cross[name],
          Exact.of(marginSummary[name]).minus(part),
          state,
        )
      const most = Exact.of(marginSummary.accountValue)
      return [
        less('accountValue', of('marginUsed')),
        less('totalNtlPos', of('positionValue')),
        less('totalMarginUsed', of('marginUsed')),
        atMost(
          `${dexName(dex)} withdrawable`,
          withdrawable,
          most.isAtMost(NOTHING) ? NOTHING : most,
          state,
        ),
      ]
    })
  },
}

export const marksOfPositions: Identity = {
  id: 'position-mark',
  sentence:
    'The value of a position is its size at the mark price that its coin is shown with, and ' +
    'its leverage is the chosen one.',
  source: 'clearinghouseState, activeAssetData; one fact through two endpoints',
  *compare(user) {
    const comparisons: Comparison[] = []
    for (const one of (yield* positionsOf(user)).slice(0, LOOKED_AT)) {
      const { coin, szi, positionValue, leverage } = one
      const active = (yield { type: 'activeAssetData', user, coin }) as ActiveAsset | null
      const right = product(szi, active?.markPx ?? 0).absolute()
      comparisons.push({ ...equal(coin, positionValue, right, active), within: MICRO })
      comparisons.push(...sameNumbers(`${coin} leverage`, active?.leverage, leverage))
    }
    return comparisons
  },
}

const LOOKED_AT = 4

export const statesOfEndpoints: Identity = {
  id: 'state',
  sentence: 'The account state of the batch is that of info.',
  source:
    'perpdex.tradersClearinghouseState, clearinghouseState, ' +
    'perpDexs; one fact through two endpoints',
  *compare(user) {
    const comparisons: Comparison[] = []
    for (const [dex, state] of yield* statesOf(user)) {
      const body = { addresses: [user], ...(dex === '' ? {} : { dex }) }
      const rows = yield* answerOf(perpdex.tradersClearinghouseState, { body })
      const other = rows?.[0]?.state
      comparisons.push(...sameState(dexName(dex), state, other))
    }
    return comparisons
  },
}

/** Every figure of a state, but for the time of its answer. */
export function sameState(of: string, one: NativeState, other?: NativeState | PerpState) {
  const { assetPositions, time, ...sums } = one
  const positions = (state?: NativeState | PerpState) =>
    (state?.assetPositions ?? []).map(({ position }) => position)
  return [
    ...sameNumbers(of, sums, other),
    ...sameRows(of, positions(one), positions(other) as Position[], ({ coin }) => coin),
  ]
}

export const historiesOfPositions: Identity = {
  id: 'position-history',
  sentence: 'The last snapshots of an open position are the position as it is.',
  source:
    'clearinghouseState, perpdex.currentPositionHistory, ' +
    'perpdex.currentPositionPnl; Position history record',
  *compare(user) {
    const comparisons: Comparison[] = []
    for (const position of (yield* positionsOf(user)).slice(0, LOOKED_AT)) {
      const { coin, szi, positionValue, unrealizedPnl } = position
      const path = { address: user, coin }
      const history = yield* answerOf(perpdex.currentPositionHistory, { path })
      const pnl = yield* answerOf(perpdex.currentPositionPnl, { path, query: { interval: '1h' } })
      const size = Exact.of(szi).absolute()
      for (const [name, last] of [
        ['history', history?.history.at(-1)],
        ['pnl', pnl?.pnls.at(-1)],
      ] as const) {
        const records = { position, last }
        const of = `${coin} ${name}`
        comparisons.push(equal(`${of} size`, last?.size ?? 0, size, records))
        comparisons.push(equal(`${of} value`, last?.positionValue ?? 0, positionValue, records))
        comparisons.push(equal(`${of} gain`, last?.unrealizedPnl ?? 0, unrealizedPnl, records))
        if (last && 'entryPrice' in last) comparisons.push(...sameSnapshot(of, last, position))
      }
    }
    return comparisons
  },
}

/** What only snapshots of a history have. */
function sameSnapshot(of: string, last: PositionSnapshot, position: Position): Comparison[] {
  const { leverage, entryPrice, returnOnEquity, marginUsed, cumFunding } = last
  const shown = { leverage, entryPrice, returnOnEquity, marginUsed, cumFunding }
  const { entryPx, cumFunding: paid, liquidationPx } = position
  return [
    ...sameNumbers(of, shown, {
      ...position,
      leverage: position.leverage.value,
      entryPrice: entryPx,
      cumFunding: paid.sinceOpen,
    }),
    ...sameNumbers(`${of} liquidation`, last.liquidationPx ?? last.liqPrice, liquidationPx),
  ]
}

export const executionsOfPositions: Identity = {
  id: 'executions',
  sentence: 'What was bought less what was sold since a position was opened is its size.',
  source: 'clearinghouseState, perpdex.currentPositionExecutions; Position executions record',
  *compare(user) {
    const comparisons: Comparison[] = []
    for (const { coin, szi } of (yield* positionsOf(user)).slice(0, LOOKED_AT)) {
      const parameters = { path: { address: user, coin }, query: { interval: '1d', limit: '1000' } }
      const found = yield* answerOf(perpdex.currentPositionExecutions, parameters)
      const executions = found?.executions ?? []
      const bought = sum(executions.map(({ buySz }) => buySz))
      const sold = sum(executions.map(({ sellSz }) => sellSz))
      comparisons.push(equal(coin, bought.minus(sold), szi, found))
    }
    return comparisons
  },
}

export const fundingSinceOpen: Identity = {
  id: 'funding-since-open',
  sentence: 'Payments of funding since a position was opened sum up to minus its sinceOpen.',
  source:
    'userFunding, clearinghouseState, ' +
    'perpdex.currentPositionHistory; Perp account state, cumFunding',
  *compare(user) {
    const held = (yield* positionsOf(user)).slice(0, LOOKED_AT)
    if (held.length === 0) return []
    const payments = yield* allRows<FundingPayment>({ type: 'userFunding', user }, 500)
    if (!isWhole(payments)) return []
    const comparisons: Comparison[] = []
    for (const { coin, cumFunding } of held) {
      const path = { address: user, coin }
      const history = yield* answerOf(perpdex.currentPositionHistory, { path })
      if (!history) continue
      const startMs = Date.parse(history.startTime)
      const own = payments.filter(({ delta, time }) => delta.coin === coin && time > startMs)
      const paid = sum(own.map(({ delta }) => delta.usdc))
      comparisons.push(equal(coin, paid, Exact.of(cumFunding.sinceOpen).negated(), own))
    }
    return comparisons
  },
}
