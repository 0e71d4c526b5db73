import type { ServerPhase } from '../metrics/server-metrics.ts'
import type { Registry } from '../sandbox/registry.ts'

/** Why the server does not serve as it should at present; none when it does. */
export function notReadyReasons({ metrics }: Registry): string[] {
  const delayMs = Math.round(metrics.eventLoop.recentLongestMs)
  return [
    PHASE_REASONS[metrics.phase],
    delayMs > DELAY_MAX_MS ? `the event loop was held up for ${delayMs} ms just now` : null,
  ].filter((reason) => reason !== null)
}

const PHASE_REASONS: Record<ServerPhase, string | null> = {
  starting: 'the server is starting: its sandboxes are not there yet',
  running: null,
  ending: 'the server is ending: it takes no new connections',
}

/** Above this a request may have waited for longer than its client had patience. */
const DELAY_MAX_MS = 1_000
