import type { RequestCounts, ServerMetrics } from '../../../sandbox/metrics/server-metrics.ts'
import { counter, durations, labelledCounter, type MetricFamily } from './metric-family.ts'

/** What was counted as it happened: requests, calls of the control plane, frames. */
export function countedMetrics(metrics: ServerMetrics): MetricFamily[] {
  const { requests, controlRequests, frames } = metrics
  return [
    ...requestMetrics('tapewright_request', 'Requests for operations of the contract', requests),
    ...requestMetrics(
      'tapewright_control_request',
      'Calls of the control plane that were let in',
      controlRequests,
    ),
    counter('tapewright_frames_received', 'Frames that clients sent', frames.received),
    counter('tapewright_frames_sent', 'Frames handed over to connections', frames.sent),
    counter(
      'tapewright_frames_discarded',
      'Frames that were dropped because too many waited for a slow client',
      frames.discarded,
    ),
  ]
}

function requestMetrics(name: string, what: string, { byOperation }: RequestCounts) {
  const operations = [...byOperation].sort(([a], [b]) => (a < b ? -1 : 1))
  const counts = operations.flatMap(([operation, { byStatus }]) =>
    [...byStatus].map(([status, value]) => ({
      labels: { operation, status: String(status) },
      value,
    })),
  )
  const latencies = operations.map(([operation, { latencyMs }]) => ({
    labels: { operation },
    histogramMs: latencyMs,
  }))
  return [
    labelledCounter(`${name}s`, `${what}, by operation and HTTP status`, counts),
    durations(`${name}_duration_seconds`, `${what}: from arrival to the answer`, latencies),
  ]
}
