/** How much market time may be grown for one call. */

import { HOUR_MS } from '../clock/durations.ts'
import type { Timeline } from '../contract/timeline.ts'
import { UserError } from '../platform/user-error.ts'

/** Without being asked again: about a minute's work. */
const AT_ONCE_MS = 48 * HOUR_MS
/** Ever for one call: it would take half an hour and more. */
const FORCED_MS = 31 * 24 * HOUR_MS

/**
 * A UserError when it would take too long until the market is there: minutes, unless that is asked
 * for once more, or hours.
 *
 * @param untilMs tape time
 */
export function checkGrowth(
  { timeline, growth }: { timeline: Timeline; growth?: unknown },
  untilMs: number,
  isForced: boolean,
): void {
  const byMs = untilMs - timeline.endMs
  if (growth === undefined || byMs <= (isForced ? FORCED_MS : AT_ONCE_MS)) return
  const hours = Math.ceil(byMs / HOUR_MS)
  const most = isForced
    ? `at most ${FORCED_MS / HOUR_MS} hours are grown for one call: go there in steps`
    : `more than ${AT_ONCE_MS / HOUR_MS} hours take minutes: give "force": true to wait for it`
  throw new UserError(
    `the market would have to be grown by ${hours} hours, and ${most}, or move the clock alone ` +
      'with clock/advance and "market": "stays"',
  )
}
