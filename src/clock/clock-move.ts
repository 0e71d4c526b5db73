/** What the move of a clock waits for. */
import type { Slices } from './turns.ts'

/**
 * Awaited between two alarms of a long step; undefined when there is nothing to wait for. What it
 * throws ends the step there.
 */
export type BackPressure = () => Promise<void> | undefined

/**
 * Asked before the clock is moved to an instant: what must be there by then is awaited, and then it
 * is asked again; undefined when everything is.
 */
export type Readiness = (timeMs: number) => Promise<void> | undefined

/** Waits for all that must be there by an instant, and in between for whoever must keep up. */
export function* untilReady(
  readiness: Readiness,
  timeMs: number,
  backPressure?: BackPressure,
): Slices<void> {
  for (let awaited = readiness(timeMs); awaited; awaited = readiness(timeMs)) {
    yield awaited
    yield backPressure?.()
  }
}
