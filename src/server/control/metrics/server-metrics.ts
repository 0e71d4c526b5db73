import type { Registry } from '../../../sandbox/registry.ts'
import { notReadyReasons } from '../readiness.ts'
import { counter, durations, gauge, type MetricFamily } from './metric-family.ts'

/** How the server as a whole is doing. */
export function serverMetrics(registry: Registry): MetricFamily[] {
  const { metrics, turns } = registry
  const { eventLoop, faults } = metrics
  const isReady = notReadyReasons(registry).length === 0
  return [
    gauge('tapewright_ready', 'Whether /_control/health says ready', isReady ? 1 : 0),
    counter('tapewright_faults', 'Requests that ended in a fault of ours, HTTP 500', faults),
    gauge(
      'tapewright_waiting_work',
      'Work that waits for its turn on the thread',
      turns.waitingCount,
    ),
    ...(eventLoop.isObserving
      ? [
          durations(
            'tapewright_event_loop_delay_seconds',
            'How late the event loop gets to a timer',
            [{ labels: {}, histogramMs: eventLoop.delaysMs }],
          ),
        ]
      : []),
  ]
}
