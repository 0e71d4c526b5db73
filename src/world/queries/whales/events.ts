/** What whales opened and closed, newest first. */
import type { WhaleEvent } from '../../../contract/records/whale.ts'
import { Cache } from '../../cache.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { chargeDelayMs, type Place } from '../charges.ts'
import { perWorld } from '../per-world.ts'
import { type Candidate, candidatesOf } from './candidates.ts'
import { closingOf, type Opening, openingOf } from './event-text.ts'

/** Those with time <= atMs, at most `limit`; of one coin, or of all for null. */
export function eventsOf(
  world: World,
  { atMs, shiftMs }: Place,
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
  return marks
    .sort(byAge)
    .slice(0, limit)
    .map((mark) => write(mark, shiftMs))
}

/** An event to be: an opening names the fill that did it. */
interface Mark {
  candidate: Candidate
  timeMs: number
  opening: Opening | null
}

const byAge = (a: Mark, b: Mark) => b.timeMs - a.timeMs || b.candidate.id - a.candidate.id

/** An event never changes while funding is charged as it is, so each is written once. */
const events = perWorld((world) => {
  const kept = new Cache<string, WhaleEvent>(KEPT)
  return {
    write({ candidate, opening }: Mark, shiftMs: number): WhaleEvent {
      const act = opening ? 'opened' : 'closed'
      return kept.get(`${candidate.id} ${act} ${chargeDelayMs({ shiftMs })}`, () =>
        opening
          ? openingOf(world, candidate, opening, shiftMs)
          : closingOf(world, candidate, shiftMs),
      )
    },
  }
})

const KEPT = 5_000

/** The fill that first made a position worth a whale's; null when none did. */
const openings = perWorld((world) => {
  const first = world.db.prepare(
    `select timeMs, px, positionAfter, costAfter from fill where trader = ? and instrument = ?
     and timeMs between ? and ? and position = ? and abs(positionAfter) * px > ?
     order by timeMs, id limit 1`,
  )
  const known = new Map<number, Opening | null>()
  return (candidate: Candidate): Opening | null => {
    const before = known.get(candidate.id)
    if (before !== undefined) return before
    const { id, trader, instrument, openMs, closeMs } = candidate
    const toMs = Math.min(closeMs, Number.MAX_SAFE_INTEGER)
    const least = 10 ** (WHALE_DIGITS + instrument.pxDecimals + instrument.szDecimals)
    const [row] = first.values(trader, instrument.id, openMs, toMs, id, least) as OpeningValues[]
    const opening = row ? { timeMs: row[0], px: row[1], sz: row[2], cost: row[3] } : null
    known.set(id, opening)
    return opening
  }
})

/** A whale's value is 10^6 dollars. */
const WHALE_DIGITS = 6

type OpeningValues = [timeMs: number, px: number, positionAfter: number, costAfter: number]
