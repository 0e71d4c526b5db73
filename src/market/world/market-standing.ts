/** Liquidity of each market at an instant, and changes between two. */

import { sql } from 'drizzle-orm'
import { DAY_MS, later, type TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { raw, type Sz, type Usd, usd, ZERO } from '../../decimal/quantity.ts'
import { notionalOf } from '../accounting/position.ts'
import type { PriceLevel } from '../books/book.ts'
import { bookCacheOf } from '../books/book-cache.ts'
import type { LiquiditySnapshot } from '../events/event-kind.ts'
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
import { perMarket, perWorld, viewOf } from './cache.ts'
import type { World } from './world.ts'

// Hides coins of scheduled listings until then.

/** The world with the coins listed by an instant: itself when all are. */
export function worldAsOf(world: World, atMs: TapeMs): World {
  const { lastMs, views } = listingsOf(world)
  if (atMs >= lastMs) return world
  const listed = world.instruments.filter(({ coin }) => (listedMs(world, coin) ?? 0) <= atMs)
  const known = views.get(listed.length)
  if (known) return known
  const view = viewOf(world, {
    listed,
    byCoin: new Map(listed.map((row) => [row.coin, row])),
  })
  views.set(listed.length, view)
  return view
}

/** Listing time of a coin; undefined for one of the tape. */
export const listedMs = (world: Pick<World, 'meta'>, coin: string): number | undefined =>
  world.meta.marketEvents.find(({ event }) => event.kind === 'listing' && event.coin === coin)
    ?.fromMs

/** Coins of the tape, without later listings. */
export const instrumentsOfTape = perWorld((world): readonly InstrumentRow[] =>
  world.instruments.filter(({ coin }) => listedMs(world, coin) === undefined),
)

/** Later listings come later in the list, so their number identifies a view. */
const listingsOf = perWorld(({ meta: { marketEvents } }) => {
  const instants = marketEvents.flatMap(({ event, fromMs }) =>
    event.kind === 'listing' ? fromMs : [],
  )
  const lastMs = Math.max(Number.NEGATIVE_INFINITY, ...instants)
  return { lastMs, views: new Map<number, World>() }
})

/** The markets listed by then, in the order of the tape. */
export function* standingsAt(world: World, atMs: TapeMs): Slices<LiquiditySnapshot[]> {
  const standings: LiquiditySnapshot[] = []
  for (const of of worldAsOf(world, atMs).listed) {
    standings.push(standingOf(world, of, atMs))
    yield
  }
  return standings
}

/**
 * Names of a coin in requests and streams: itself, its key and its pairs, which end in `*`. An
 * unknown one gets its names as after a listing.
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

function standingOf(world: World, of: InstrumentRow, atMs: TapeMs): LiquiditySnapshot {
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
    isPriceOnly: of.firstPx !== null && px === ZERO && !book,
  }
}

/** Changes of a coin's market between two instants; prices and money as text. */
export interface CoinChange {
  coin: string
  /** Price of the last trade up to each of them; null before the first one. */
  pxBefore: string | null
  pxAfter: string | null
  /** In between: turnover, taker buys, and liquidations, dollars. */
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
