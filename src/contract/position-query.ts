/** The parameters of position endpoints, where the contract leaves them open. */

import { castFrom, meant } from './meaning.ts'
import type { Answers } from './questions.ts'
import type { Refusal } from './refusal.ts'
import { Address, Coin, Span, TimeMs, Type } from './schema.ts'

/** Selects an open position. */
export const OpenPosition = Type.Object({
  address: castFrom('openPositions.address', Address('whose')),
  coin: castFrom('openPositions.coin', Coin()),
})

/** Selects a closed position. */
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

/** The key of a completed position by its begin. */
export const OpenTime = meant(
  'instant',
  Type.Optional(
    castFrom(
      'completedPositions.openTime',
      TimeMs('`openTime` of the completed trade, exactly: a key, no time range'),
    ),
  ),
)

/** The key of a completed position by its end. */
export const CloseTime = meant(
  'instant',
  Type.Optional(
    castFrom(
      'completedPositions.closeTime',
      TimeMs('`closeTime` of the completed trade, exactly: a key, no time range'),
    ),
  ),
)

/** The interval in force, or a refusal, where it may be absent. */
export function positionInterval(
  interval: string | undefined,
  answers: Answers,
): string | Refusal<'missing'> {
  const usual = answers['position-interval']
  if (interval !== undefined) return interval
  return usual === 'refuse' ? { refused: 'missing', parameter: 'interval' } : usual
}

/** The instants that identify a completed position; at least one of them is required. */
export function completedPositionTimes(query: {
  startTime?: number
  endTime?: number
}): { startMs?: number | undefined; endMs?: number | undefined } | Refusal<'missing'> {
  const { startTime, endTime } = query
  if (startTime === undefined && endTime === undefined)
    return { refused: 'missing', parameter: 'startTime or endTime' }
  return { startMs: startTime, endMs: endTime }
}
