/** What the endpoints of positions are asked with, where the contract leaves it open. */

import { meant } from './meaning.ts'
import type { Answers } from './questions.ts'
import type { Refusal } from './refusal.ts'
import { Span, TimeMs, Type } from './schema.ts'

/** Length of the intervals of a position's life. */
export const Interval = meant(
  'interval',
  Type.Optional(Span('15m', '1d', 'length of an interval')),
  { 'x-usual': 'position-interval' },
)

/** What names a completed position, by its beginning. */
export const OpenTime = meant(
  'instant',
  Type.Optional(TimeMs('`openTime` of the completed trade, exactly: a key, no time range')),
)

/** The same, by its end. */
export const CloseTime = meant(
  'instant',
  Type.Optional(TimeMs('`closeTime` of the completed trade, exactly: a key, no time range')),
)

/** The interval that counts, or a refusal, where it may have been left out. */
export function positionInterval(
  interval: string | undefined,
  answers: Answers,
): string | Refusal<'missing'> {
  const usual = answers['position-interval']
  if (interval !== undefined) return interval
  return usual === 'refuse' ? { refused: 'missing', parameter: 'interval' } : usual
}

/** The instants that name a completed position; at least one of them must be given. */
export function lifeAsked(query: {
  startTime?: number
  endTime?: number
}): { startMs?: number | undefined; endMs?: number | undefined } | Refusal<'missing'> {
  const { startTime, endTime } = query
  if (startTime === undefined && endTime === undefined)
    return { refused: 'missing', parameter: 'startTime or endTime' }
  return { startMs: startTime, endMs: endTime }
}
