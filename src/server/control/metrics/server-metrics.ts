import type { Registry } from '../../../sandbox/registry.ts'
import { notReadyReasons } from '../readiness.ts'
import { counter, durations, gauge, type MetricFamily } from './metric-family.ts'

/** How the server as a whole is doing. */
export function serverMetrics(registry: Registry): MetricFamily[] {
  const { metrics, turns, memory } = registry
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
    gauge('tapewright_held_bytes', 'Bytes that are kept for tenants', memory.heldBytes),
    ...(Number.isFinite(memory.boundBytes)
      ? [gauge('tapewright_memory_bound_bytes', 'What the process may use', memory.boundBytes)]
      : []),
    counter(
      'tapewright_memory_refusals',
      'New work that was refused for want of memory, HTTP 503',
      memory.refusedCount,
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
