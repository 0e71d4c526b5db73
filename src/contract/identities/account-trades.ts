/** Identities of an account's fills, positions and orders, among themselves and with the market. */

import { Exact } from '../../decimal/exact.ts'
import type { LedgerUpdate } from '../records/account-state.ts'
import type { L2Book } from '../records/book.ts'
import type { Candle } from '../records/candle.ts'
import type { UserFill } from '../records/fill.ts'
import type { FrontendOrder } from '../records/order.ts'
import { statesOf } from './account-money.ts'
import { allRows, type Comparison, FILLS_AT_ONCE, type Identity, isWhole } from './identity.ts'

const fillsOf = (user: string) => allRows<UserFill>({ type: 'userFillsByTime', user }, 2000)

const signedSize = ({ side, sz }: UserFill) =>
  side === 'B' ? Exact.of(sz) : Exact.of(sz).negated()

const isPerp = ({ coin }: UserFill) => !coin.includes('/') && !coin.startsWith('@')

export const chainOfPositions: Identity = {
  id: 'chain',
  sentence:
    'The start position of a fill is what the fill before left; the last left the position.',
  source: 'userFillsByTime, clearinghouseState',
  *compare(user) {
    const states = yield* statesOf(user)
    const all = yield* fillsOf(user)
    const fills = all.filter(isPerp)
    const held = new Map<string, Exact>()
    const latest = new Map<string, UserFill>()
    const comparisons: Comparison[] = []
    for (const [at, fill] of fills.entries()) {
      if (at % FILLS_AT_ONCE === 0) yield
      const { coin, startPosition, tid } = fill
      const left = Exact.of(startPosition)
      // The fills before the first one may be missing.
      const right = held.get(coin) ?? (isWhole(all) ? Exact.of(0) : null)
      const of = `${coin} ${tid}`
      if (right) comparisons.push({ of, left, relation: 'equal', right, records: fill })
      held.set(coin, left.plus(signedSize(fill)))
      latest.set(coin, fill)
    }
    const positions = new Map(
      states.flatMap(([, { assetPositions }]) =>
        assetPositions.map(({ position }) => [position.coin, position] as const),
      ),
    )
    const coins = isWhole(all) ? [...held.keys(), ...positions.keys()] : held.keys()
    for (const coin of new Set(coins)) {
      const position = positions.get(coin)
      const left = Exact.of(position?.szi ?? '0')
      const right = held.get(coin) ?? Exact.of(0)
      const records = { position, fill: latest.get(coin) }
      comparisons.push({ of: coin, left, relation: 'equal', right, records })
    }
    return comparisons
  },
}

export const fillsInCandles: Identity = {
  id: 'fill-in-candle',
  sentence: 'The price of a fill lies within the candle of its minute.',
  source: 'userFillsByTime, candleSnapshot',
  *compare(user) {
    const fills = yield* fillsOf(user)
    const comparisons: Comparison[] = []
    for (const fill of someOf(fills)) {
      const { coin, time, px, tid } = fill
      const startTime = time - (time % MINUTE_MS)
      const req = { coin, interval: '1m', startTime, endTime: startTime + MINUTE_MS - 1 }
      const found = ((yield { type: 'candleSnapshot', req }) as Candle[] | null) ?? []
      const candle = found.find(({ t }) => t === startTime)
      const price = Exact.of(px)
      const [low, high] = [Exact.of(candle?.l ?? 0), Exact.of(candle?.h ?? 0)]
      const at = { relation: 'atMost', records: { fill, candle } } as const
      comparisons.push({ of: `${coin} ${tid} low`, left: low, right: price, ...at })
      comparisons.push({ of: `${coin} ${tid} high`, left: price, right: high, ...at })
    }
    return comparisons
  },
}

export const liquidationsInLedger: Identity = {
  id: 'liquidation-in-ledger',
  sentence: 'A fill that liquidates comes after an entry of the ledger that says so.',
  source: 'userFillsByTime, userNonFundingLedgerUpdates',
  *compare(user) {
    const fills = (yield* fillsOf(user)).filter(({ dir }) => dir.startsWith('Liquidated'))
    const ledger = { type: 'userNonFundingLedgerUpdates', user }
    const updates = yield* allRows<LedgerUpdate>(ledger, 2000)
    if (!isWhole(updates)) return []
    const entries = updates.filter(({ delta }) => delta.type === 'liquidation')
    return fills.map((fill) => {
      const before = entries.filter(({ time, delta }) => {
        const positions = delta.liquidatedPositions as { coin: string }[]
        const isNear = time <= fill.time && fill.time - time < ANNOUNCED_MS
        return isNear && positions.some(({ coin }) => coin === fill.coin)
      })
      const left = Exact.of(before.length > 0 ? 0 : 1)
      const records = { fill, entries: before }
      return { of: `${fill.tid}`, left, relation: 'equal', right: Exact.of(0), records }
    })
  },
}

export const ordersOutsideBook: Identity = {
  id: 'resting-order',
  sentence: 'A limit order that rests does not cross the book.',
  source: 'frontendOpenOrders, l2Book',
  *compare(user) {
    const comparisons: Comparison[] = []
    for (const dex of ['', ...(yield* otherDexes())]) {
      const orders = (yield { type: 'frontendOpenOrders', user, dex }) as FrontendOrder[]
      for (const order of orders.filter((one) => !one.isTrigger && one.orderType === 'Limit')) {
        const book = (yield { type: 'l2Book', coin: order.coin }) as L2Book | null
        const best = book?.levels[order.side === 'A' ? 0 : 1]?.[0]?.px
        if (best === undefined) continue
        const prices = [Exact.of(best), Exact.of(order.limitPx)] as const
        const [left, right] = order.side === 'A' ? prices : ([prices[1], prices[0]] as const)
        comparisons.push({ of: `${order.oid}`, left, relation: 'atMost', right, records: order })
      }
    }
    return comparisons
  },
}

function* otherDexes() {
  const dexs = (yield { type: 'perpDexs' }) as ({ name: string } | null)[]
  return dexs.flatMap((one) => (one ? [one.name] : []))
}

const MINUTE_MS = 60_000
/** A liquidation is announced at most so long before one of its trades. */
const ANNOUNCED_MS = 60_000

/** The first, the last, and some in between. */
function someOf(fills: readonly UserFill[]): UserFill[] {
  if (fills.length <= FILLS_MOST) return [...fills]
  const step = (fills.length - 1) / (FILLS_MOST - 1)
  return Array.from({ length: FILLS_MOST }, (_, at) => fills[Math.round(at * step)] as UserFill)
}

const FILLS_MOST = 20
