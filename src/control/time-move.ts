import type { BackPressure, SessionClock } from '../clock/session-clock.ts'
import type { Slices } from '../clock/turns.ts'
import { backPressureOf } from './back-pressure.ts'
import type { ControlCall } from './control-call.ts'

/**
 * Moves the clock of a call's sandbox. It is done when every push has been queued, and when what is
 * signed from then on is told from what was signed before.
 */
export function* moveTime<T>(
  { sandbox, checkWanted }: ControlCall,
  move: (clock: SessionClock, backPressure: BackPressure) => Slices<T>,
): Slices<T> {
  const { clock, player } = sandbox()
  const result = yield* move(clock, backPressureOf(sandbox(), checkWanted))
  checkWanted()
  player.catchUp()
  yield clock.waitUntilSignaturesDiffer()
  checkWanted()
  return result
}
