/** What whales opened and closed, newest first. */

import { type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { WhaleEvent } from '../../../../contract/records/whale.ts'
import { columns } from '../../../rows/columns.ts'
import { chargeDelayMs, type Place } from '../../../rows/funding-charges.ts'
import { fill, type InstrumentRow } from '../../../schema/schema.ts'
import { Cache } from '../../../world/cache.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'
import { type WhaleCandidate, whaleCandidatesOf } from './whale-candidates.ts'
import { closingEvent, openingEvent, type WhaleOpening } from './whale-event-records.ts'

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
    // They come by the time of their closing: the others have nothing newer.
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

/** An event before it is written: an opening names the fill that did it. */
interface PendingEvent {
  candidate: WhaleCandidate
  timeMs: TapeMs
  opening: WhaleOpening | null
}

const newestFirst = (a: PendingEvent, b: PendingEvent) =>
  b.timeMs - a.timeMs || b.candidate.id - a.candidate.id

/** An event never changes while funding is charged as it is, so each is written once. */
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

/** The fill that first made a position worth a whale's; null when none did. */
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
    // One that is still open may become a whale's.
    if (opening !== null || closeMs <= world.endMs) known.set(id, opening)
    return opening
  }
})

/** A whale's value is 10^6 dollars. */
const WHALE_DIGITS = 6
