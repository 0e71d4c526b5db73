/** What the endpoints of positions are asked with, where the contract leaves it open. */

import { castFrom, meant } from './meaning.ts'
import type { Answers } from './questions.ts'
import type { Refusal } from './refusal.ts'
import { Address, Coin, Span, TimeMs, Type } from './schema.ts'

/** Whose position in what, now. */
export const OpenPosition = Type.Object({
  address: castFrom('openPositions.address', Address('whose')),
  coin: castFrom('openPositions.coin', Coin()),
})

/** Whose position in what, of those that are closed. */
export const CompletedPosition = Type.Object({
  address: castFrom('completedPositions.address', Address('whose')),
  coin: castFrom('completedPositions.coin', Coin()),
})

/** Length of the intervals of a position's life. */
export const PositionInterval = meant(
  'interval',
  Type.Optional(Span('15m', '1d', 'length of an interval')),
  { 'x-usual': 'position-interval' },
)

/** What names a completed position, by its beginning. */
export const OpenTime = meant(
  'instant',
  Type.Optional(
    castFrom(
      'completedPositions.openTime',
      TimeMs('`openTime` of the completed trade, exactly: a key, no time range'),
    ),
  ),
)

/** The same, by its end. */
export const CloseTime = meant(
  'instant',
  Type.Optional(
    castFrom(
      'completedPositions.closeTime',
      TimeMs('`closeTime` of the completed trade, exactly: a key, no time range'),
    ),
  ),
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
export function completedPositionTimes(query: {
  startTime?: number
  endTime?: number
}): { startMs?: number | undefined; endMs?: number | undefined } | Refusal<'missing'> {
  const { startTime, endTime } = query
  if (startTime === undefined && endTime === undefined)
    return { refused: 'missing', parameter: 'startTime or endTime' }
  return { startMs: startTime, endMs: endTime }
}
