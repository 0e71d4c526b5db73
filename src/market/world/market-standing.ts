/** What stands in each market as of an instant, and what has come about between two. */

import { sql } from 'drizzle-orm'
import { DAY_MS } from '../../clock/durations.ts'
import { later, type TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { raw, type Sz, type Usd, usd, ZERO } from '../../decimal/quantity.ts'
import { notionalOf } from '../accounting/position.ts'
import type { PriceLevel } from '../books/book.ts'
import { bookCacheOf } from '../books/book-cache.ts'
import type { CoinStanding } from '../events/event-kind.ts'
import { assetOf } from '../rows/assets.ts'
import { columns } from '../rows/columns.ts'
import { openInterestAt } from '../rows/open-interest.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import {
  type InstrumentRow,
  liquidation,
  MONEY_DECIMALS,
  pxText,
  usdText,
} from '../schema/schema.ts'
import { worldAsOf } from './listed-world.ts'
import { perMarket } from './per-world.ts'
import type { World } from './world.ts'

/** The markets that are listed by then, in the order of the tape. */
export function* standingsAt(world: World, atMs: TapeMs): Slices<CoinStanding[]> {
  const standings: CoinStanding[] = []
  for (const of of worldAsOf(world, atMs).listed) {
    standings.push(standingOf(world, of, atMs))
    yield
  }
  return standings
}

/**
 * What requests and streams call a coin: itself, its key and its pairs, which end in `*`. One that
 * there is not is called as it will be when it is listed.
 */
export function namesOfCoin(world: World, coin: string): string[] {
  const of = world.byCoin.get(coin) ?? { base: coin, quote: '', kind: 'perp', dex: '' }
  const base = of.base.toLowerCase()
  const quotes = of.kind === 'perp' ? ['swap', 'usd'] : [of.quote.toLowerCase()]
  return [
    coin,
    ...(of.dex === '' ? [assetOf(of.base).key] : []),
    ...quotes.map((q) => `${base}${q}*`),
  ]
}

function standingOf(world: World, of: InstrumentRow, atMs: TapeMs): CoinStanding {
  const endMs = later(atMs, 1)
  const hours = tradeHoursOf(world)
  const book = bookCacheOf(world).at(of, atMs)
  const px = hours.lastBefore(of.id, endMs)?.px ?? ZERO
  const usdOf = (sz: Sz) => dollars(notionalOf(px, sz, of))
  return {
    coin: of.coin,
    kind: of.kind,
    openInterestUsd: of.kind === 'perp' ? usdOf(openInterestAt(world, of, atMs) ?? ZERO) : 0,
    bidUsd: book ? sideUsd(book.bids, of) : 0,
    askUsd: book ? sideUsd(book.asks, of) : 0,
    dayVolumeUsd: dollars(hours.tally(of.id, later(endMs, -DAY_MS), endMs).amount),
  }
}

/** What a coin's market went through between two instants; prices and money as text. */
export interface CoinChange {
  coin: string
  /** Price of the last trade up to each of them; null before the first one. */
  pxBefore: string | null
  pxAfter: string | null
  /** In between: turnover, what takers bought of it, and what was liquidated, dollars. */
  tradedUsd: string
  boughtUsd: string
  liquidatedUsd: { long: string; short: string }
}

/** The change of a coin's market after `fromMs` and up to `toMs`; null for an unknown coin. */
export function coinChange(
  world: World,
  coin: string,
  fromMs: TapeMs,
  toMs: TapeMs,
): CoinChange | null {
  const of = world.byCoin.get(coin)
  if (!of) return null
  const hours = tradeHoursOf(world)
  const pxAt = (atMs: TapeMs) => {
    const last = hours.lastBefore(of.id, later(atMs, 1))
    return last === null ? null : pxText(of, last.px)
  }
  const tally = hours.tally(of.id, later(fromMs, 1), later(toMs, 1))
  const sums = liquidated(world).all(of.id, fromMs, toMs)
  const lost = (side: 'long' | 'short') =>
    usdText(sums.find(({ direction }) => direction === side)?.notional ?? usd(0))
  return {
    coin,
    pxBefore: pxAt(fromMs),
    pxAfter: pxAt(toMs),
    tradedUsd: tally.amountText,
    boughtUsd: tally.buyAmountText,
    liquidatedUsd: { long: lost('long'), short: lost('short') },
  }
}

const SUMS = columns({
  direction: liquidation.direction,
  notional: sql<Usd>`sum(${liquidation.notional})`,
})

const liquidated = perMarket(({ db }) =>
  SUMS.prepare<[instrument: number, afterMs: TapeMs, toMs: TapeMs]>(
    db,
    'from liquidation where instrument = ? and timeMs > ? and timeMs <= ? group by direction',
  ),
)

function sideUsd(levels: readonly PriceLevel[], of: InstrumentRow): number {
  return levels.reduce((sum, { px, sz }) => sum + dollars(notionalOf(px, sz, of)), 0)
}

const dollars = (money: Usd | bigint) =>
  (typeof money === 'bigint' ? Number(money) : raw(money)) / 10 ** MONEY_DECIMALS
