import type { Registry } from '../sandbox/registry.ts'

/** Why the server does not serve as it should at present; none when it does. */
export function notReadyReasons({ metrics }: Registry): string[] {
  const delayMs = Math.round(metrics.eventLoop.recentLongestMs)
  return delayMs > DELAY_MAX_MS ? [`the event loop was held up for ${delayMs} ms just now`] : []
}

/** Above this a request may have waited for longer than its client had patience. */
const DELAY_MAX_MS = 1_000
