/** Openings and closings of whales, newest first. */

import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { WhaleEvent } from '../../../../contract/records/whale.ts'
import { isoText } from '../../../../contract/shown-value.ts'
import {
  format,
  negate,
  type Px,
  portion,
  raw,
  type Sz,
  type Usd,
  usd,
} from '../../../../decimal/quantity.ts'
import { entryPx, type NetPosition, positionValue } from '../../../accounting/position.ts'
import {
  AccountStateReader,
  accountSummaryOf,
  type ValuedPosition,
} from '../../../rows/account-state.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { chargeDelayMs, type Place } from '../../../rows/funding-charges.ts'
import { markPrices } from '../../../rows/mark-prices.ts'
import { tradersOf } from '../../../rows/traders.ts'
import {
  fill,
  type InstrumentRow,
  MONEY_DECIMALS,
  position,
  pxText,
  szText,
  usdText,
} from '../../../schema/schema.ts'
import { Cache, perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

// Positions that may reach whale size at any time: few, so queries can skip the others. Later
// values only exclude positions that never come near.

/** A whale's position has a larger value. */
export const WHALE_VALUE = usd(1_000_000 * 1_000_000)

/** Sizes and notionals are sums of the whole life. */
const STORED = columns({
  id: position.id,
  trader: position.trader,
  instrument: position.instrument,
  direction: position.direction,
  isolated: position.isolated,
  openMs: position.openMs,
  closeMs: position.closeMs,
  maxSz: position.maxSz,
  openSz: position.openSz,
  openNotional: position.openNotional,
  closeSz: position.closeSz,
  closeNotional: position.closeNotional,
})
type Stored = RowOf<typeof STORED>

/** A row of the table of positions. */
export interface WhaleCandidate extends Omit<Stored, 'instrument' | 'closeMs'> {
  instrument: InstrumentRow
  /** Infinity for a position that never closes. */
  closeMs: TapeMs
}

/** By time of closing, latest first. */
export const whaleCandidatesOf = (world: World): readonly WhaleCandidate[] =>
  candidatesOf(world).list

/** Positions closed before the world grew are unchanged. */
const candidatesOf = perWorld(
  (world) => ({ list: candidatesAfter(world, tapeMs(-1)), endMs: world.endMs }),
  ({ list, endMs: beforeMs }, world) => {
    const closed = list.filter(({ closeMs }) => closeMs <= beforeMs)
    return { list: [...candidatesAfter(world, beforeMs), ...closed], endMs: world.endMs }
  },
)

/** Those that close after an instant, or never. */
function candidatesAfter(world: World, afterMs: TapeMs): WhaleCandidate[] {
  const limits = sizeLimits(world).map(({ id, sz }) => `when ${id} then ${sz}`)
  if (limits.length === 0) return []
  const large = `from position where openMs <= ? and (closeMs is null or closeMs > ?)
    and maxSz > case instrument ${limits.join(' ')} end`
  return STORED.prepare<[toMs: TapeMs, afterMs: TapeMs]>(world.db, large)
    .all(world.endMs, afterMs)
    .map((row) => whaleCandidate(world, row))
    .sort((a, b) => (a.closeMs === b.closeMs ? b.id - a.id : b.closeMs - a.closeMs))
}

/** Those open at an instant. */
export function openWhaleCandidates(world: World, atMs: TapeMs): WhaleCandidate[] {
  return whaleCandidatesOf(world).filter(({ openMs, closeMs }) => openMs <= atMs && closeMs > atMs)
}

function whaleCandidate({ instruments }: World, row: Stored): WhaleCandidate {
  return {
    ...row,
    instrument: instruments[row.instrument] as InstrumentRow,
    closeMs: row.closeMs ?? tapeMs(Number.POSITIVE_INFINITY),
  }
}

/** No trade is further above the highest mark price. */
const PRICE_MARGIN = 1.25

/** For each instrument, the smallest whale size at its highest price, in size units. */
function sizeLimits(world: World): { id: number; sz: number }[] {
  return world.instruments.flatMap(({ id, kind, pxDecimals, szDecimals }) => {
    const highest = kind === 'perp' ? markPrices(world)(id).highest() : null
    if (highest === null) return []
    const scale = 10 ** (pxDecimals + szDecimals - MONEY_DECIMALS)
    return { id, sz: Math.floor((raw(WHALE_VALUE) * scale) / (highest * PRICE_MARGIN)) }
  })
}

// Whale events in the service's form.

/** A fill and the position after it: signed size and cost. */
interface WhaleOpening {
  timeMs: TapeMs
  px: Px
  sz: Sz
  cost: Usd
}

/** A position at the moment it reached whale size. */
function openingEvent(
  world: World,
  candidate: WhaleCandidate,
  opening: WhaleOpening,
  shiftMs: number,
): WhaleEvent {
  const { instrument: of } = candidate
  const state = positionAt(world, candidate, { atMs: opening.timeMs, shiftMs })
  // More fills may follow in the same instant.
  const { sz, cost } = state ?? opening
  return {
    ...traderFields(world, candidate),
    positionSize: szText(of, sz),
    entryPrice: entryText(of, { sz, cost }),
    liqPrice: liqText(of, state),
    positionValueUsd: usdText(positionValue(sz, opening.px, of)),
    positionAction: 1,
    createTime: isoText(opening.timeMs),
  }
}

/** A closed whale position: its largest size, at the average closing price. */
function closingEvent(world: World, candidate: WhaleCandidate, shiftMs: number): WhaleEvent {
  const { instrument: of, direction, closeMs, maxSz } = candidate
  const { openSz, openNotional, closeSz, closeNotional } = candidate
  return {
    ...traderFields(world, candidate),
    positionSize: szText(of, direction === 'long' ? maxSz : negate(maxSz)),
    entryPrice: entryText(of, { sz: openSz, cost: openNotional }),
    liqPrice: liqText(of, positionAt(world, candidate, { atMs: later(closeMs, -1), shiftMs })),
    positionValueUsd: usdText(portion(closeNotional, maxSz, closeSz)),
    positionAction: 2,
    createTime: isoText(closeMs),
  }
}

/** Average entry price; it lies between ticks, so it has one more decimal than prices have. */
export function entryText(of: InstrumentRow, holding: NetPosition): string {
  const decimals = of.pxDecimals + 1
  return format(entryPx(holding, of.szDecimals, MONEY_DECIMALS, decimals), decimals)
}

/** Liquidation price; null without one. */
export function liqText(of: InstrumentRow, position: ValuedPosition | null): string | null {
  return position?.liquidationPx ? pxText(of, position.liquidationPx) : null
}

/** Margin mode. */
export const modeOf = ({ isolated }: WhaleCandidate) => (isolated ? 'isolated' : 'cross')

function traderFields(world: World, candidate: WhaleCandidate) {
  return {
    user: tradersOf(world).address(candidate.trader),
    symbol: candidate.instrument.coin,
    marginMode: modeOf(candidate),
  } as const
}

/** The position in the account state; null when it was not open at that instant. */
function positionAt(world: World, candidate: WhaleCandidate, place: Place): ValuedPosition | null {
  const { trader, instrument, openMs, closeMs } = candidate
  if (place.atMs < openMs || place.atMs >= closeMs) return null
  const accountState = new AccountStateReader(world, place).read(
    tradersOf(world).address(trader),
    instrument.dex,
  )
  const positions = accountState ? accountSummaryOf(accountState).positions : []
  return positions.find((one) => one.instrument === instrument) ?? null
}

/** Those with time <= atMs, at most `limit`; of one coin, or of all for null. */
export function* whaleEventsOf(
  world: World,
  { atMs, shiftMs }: Place,
  instrument: InstrumentRow | null,
  limit: number,
): Slices<WhaleEvent[]> {
  const openingAt = openingFills(world)
  const marks: PendingEvent[] = []
  let closings = 0
  for (const candidate of whaleCandidatesOf(world)) {
    if (candidate.openMs > atMs || (instrument && candidate.instrument !== instrument)) continue
    yield
    const opening = openingAt(candidate)
    if (opening === null || opening.timeMs > atMs) continue
    marks.push({ candidate, timeMs: opening.timeMs, opening })
    if (candidate.closeMs > atMs) continue
    marks.push({ candidate, timeMs: candidate.closeMs, opening: null })
    // Candidates are sorted by closing time: the rest have nothing newer.
    if (++closings === limit) break
  }
  const { write } = eventCache(world)
  const events: WhaleEvent[] = []
  for (const mark of marks.sort(newestFirst).slice(0, limit)) {
    events.push(write(mark, shiftMs))
    yield
  }
  return events
}

/** An event before it is written: an opening refers to its fill. */
interface PendingEvent {
  candidate: WhaleCandidate
  timeMs: TapeMs
  opening: WhaleOpening | null
}

const newestFirst = (a: PendingEvent, b: PendingEvent) =>
  b.timeMs - a.timeMs || b.candidate.id - a.candidate.id

/** An event is fixed for one delay of funding charges, so each is written once. */
const eventCache = perWorld((world) => {
  const cached = new Cache<string, WhaleEvent>(CACHE_LIMIT)
  return {
    write({ candidate, opening }: PendingEvent, shiftMs: number): WhaleEvent {
      const act = opening ? 'opened' : 'closed'
      return cached.get(`${candidate.id} ${act} ${chargeDelayMs({ shiftMs })}`, () =>
        opening
          ? openingEvent(world, candidate, opening, shiftMs)
          : closingEvent(world, candidate, shiftMs),
      )
    },
  }
})

const CACHE_LIMIT = 5_000

const OPENINGS = columns({
  timeMs: fill.timeMs,
  px: fill.px,
  sz: fill.positionAfter,
  cost: fill.costAfter,
})
type OfPosition = [trader: number, instrument: number, fromMs: TapeMs, toMs: TapeMs, id: number]

/** The fill that first gave a position whale size; null for none. */
const openingFills = perWorld((world) => {
  const first = OPENINGS.prepare<[...OfPosition, least: number]>(
    world.db,
    `from fill where trader = ? and instrument = ? and timeMs between ? and ? and position = ?
     and abs(positionAfter) * px > ? order by timeMs, id limit 1`,
  )
  const known = new Map<number, WhaleOpening | null>()
  return (candidate: WhaleCandidate): WhaleOpening | null => {
    const before = known.get(candidate.id)
    if (before !== undefined) return before
    const { id, trader, instrument, openMs, closeMs } = candidate
    const toMs = tapeMs(Math.min(closeMs, Number.MAX_SAFE_INTEGER))
    const least = 10 ** (WHALE_DIGITS + instrument.pxDecimals + instrument.szDecimals)
    const opening = first.get(trader, instrument.id, openMs, toMs, id, least)
    // An open position may still reach whale size.
    if (opening !== null || closeMs <= world.endMs) known.set(id, opening)
    return opening
  }
})

/** A whale's value is 10^6 dollars. */
const WHALE_DIGITS = 6
