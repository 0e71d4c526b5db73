import { CoinNumbers } from './coin-numbers.ts'
import { DATA_CHECKS } from './event-data-checks.ts'
import { COINLESS_KINDS, EVENT_KINDS, type EventDraft, type EventKind } from './tape-event.ts'
import { excerptOf, isWholeNumber, type UnknownRecord } from './unknown-record.ts'

/** What is known of the events before this one. */
export interface PrecedingEvent {
  time: number
  seq: number
}

const KNOWN: ReadonlySet<unknown> = new Set<EventKind>(EVENT_KINDS)

/**
 * What is wrong with a parsed line that should be an event, in words; null when nothing is.
 *
 * Once null has been answered the value is a `TapeEvent`. Written by hand because it runs several
 * hundred thousand times a second, which a schema library does not.
 */
export function eventFlaw(
  value: unknown,
  preceding: PrecedingEvent,
  coins: ReadonlyMap<string, CoinNumbers>,
): string | null {
  if (typeof value !== 'object' || value === null) return 'is not an event object'
  const { time, seq, kind, coin, data } = value as UnknownRecord
  if (!isWholeNumber(time)) return 'needs "time" in whole milliseconds'
  if (!isWholeNumber(seq)) return 'needs "seq" as a whole number'
  if (seq <= preceding.seq) return `has seq ${seq} after ${preceding.seq}, it must rise`
  if (time < preceding.time) return `goes back in time, from ${preceding.time} to ${time}`
  if (!KNOWN.has(kind)) return `has kind ${excerptOf(kind)}, known are ${EVENT_KINDS.join(', ')}`
  if (typeof data !== 'object' || data === null) return 'needs a "data" object'
  if (COINLESS_KINDS.has(kind) || (kind === 'gap' && coin === '')) {
    if (coin !== '') return `needs an empty coin, as every ${kind}`
    return DATA_CHECKS[kind as EventKind](data as UnknownRecord, NO_COIN, time)
  }
  const numbers = coins.get(coin as string)
  if (!numbers) return `names coin ${excerptOf(coin)}, which is not among the header's instruments`
  return DATA_CHECKS[kind as EventKind](data as UnknownRecord, numbers, time)
}

/** The same for an event of a coin that is still without a number of its own. */
export function draftFlaw(
  draft: EventDraft,
  beforeMs: number,
  numbers: CoinNumbers,
): string | null {
  const { time, kind, coin, data } = draft
  if (!isWholeNumber(time)) return 'needs "time" in whole milliseconds'
  if (time < beforeMs) return `goes back in time, from ${beforeMs} to ${time}`
  if (!KNOWN.has(kind)) return `has kind ${excerptOf(kind)}, known are ${EVENT_KINDS.join(', ')}`
  if (kind !== 'gap' && COINLESS_KINDS.has(kind) !== (coin === ''))
    return `has coin ${excerptOf(coin)}`
  return DATA_CHECKS[kind](data as unknown as UnknownRecord, numbers, time)
}

const NO_COIN = new CoinNumbers(null)
