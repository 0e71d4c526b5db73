/** What whales opened and closed, newest first. */

import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { WhaleEvent } from '../../../contract/records/whale.ts'
import { columns } from '../../rows/columns.ts'
import { fill, type InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { type Candidate, candidatesOf } from './candidates.ts'
import { closingOf, type Opening, openingOf } from './event-text.ts'

/** Those with time <= atMs, at most `limit`; of one coin, or of all for null. */
export function eventsOf(
  world: World,
  atMs: TapeMs,
  instrument: InstrumentRow | null,
  limit: number,
): WhaleEvent[] {
  const openingAt = openings(world)
  const marks: Mark[] = []
  let closings = 0
  for (const candidate of candidatesOf(world)) {
    if (candidate.openMs > atMs || (instrument && candidate.instrument !== instrument)) continue
    const opening = openingAt(candidate)
    if (opening === null || opening.timeMs > atMs) continue
    marks.push({ candidate, timeMs: opening.timeMs, opening })
    if (candidate.closeMs > atMs) continue
    marks.push({ candidate, timeMs: candidate.closeMs, opening: null })
    // They come by the time of their closing: the others have nothing newer.
    if (++closings === limit) break
  }
  const { write } = events(world)
  return marks.sort(byAge).slice(0, limit).map(write)
}

/** An event to be: an opening names the fill that did it. */
interface Mark {
  candidate: Candidate
  timeMs: TapeMs
  opening: Opening | null
}

const byAge = (a: Mark, b: Mark) => b.timeMs - a.timeMs || b.candidate.id - a.candidate.id

/** An event never changes, so each is written once. */
const events = perWorld((world) => {
  const known = new Map<string, WhaleEvent>()
  return {
    write({ candidate, opening }: Mark): WhaleEvent {
      const key = `${candidate.id} ${opening ? 'opened' : 'closed'}`
      const before = known.get(key)
      if (before) return before
      const event = opening ? openingOf(world, candidate, opening) : closingOf(world, candidate)
      if (known.size >= KEPT) known.clear()
      known.set(key, event)
      return event
    },
  }
})

const KEPT = 5_000

const OPENINGS = columns({
  timeMs: fill.timeMs,
  px: fill.px,
  sz: fill.positionAfter,
  cost: fill.costAfter,
})
type OfPosition = [trader: number, instrument: number, fromMs: TapeMs, toMs: TapeMs, id: number]

/** The fill that first made a position worth a whale's; null when none did. */
const openings = perWorld((world) => {
  const first = OPENINGS.prepare<[...OfPosition, least: number]>(
    world.db,
    `from fill where trader = ? and instrument = ? and timeMs between ? and ? and position = ?
     and abs(positionAfter) * px > ? order by timeMs, id limit 1`,
  )
  const known = new Map<number, Opening | null>()
  return (candidate: Candidate): Opening | null => {
    const before = known.get(candidate.id)
    if (before !== undefined) return before
    const { id, trader, instrument, openMs, closeMs } = candidate
    const toMs = tapeMs(Math.min(closeMs, Number.MAX_SAFE_INTEGER))
    const least = 10 ** (WHALE_DIGITS + instrument.pxDecimals + instrument.szDecimals)
    const opening = first.get(trader, instrument.id, openMs, toMs, id, least)
    known.set(id, opening)
    return opening
  }
})

/** A whale's value is 10^6 dollars. */
const WHALE_DIGITS = 6
