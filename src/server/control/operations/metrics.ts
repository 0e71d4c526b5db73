/** The metrics of the server, by subject. */

import type { Slices } from '../../../clock/turns.ts'
import { Type } from '../../../contract/schema.ts'
import type { LineStatus } from '../../../sandbox/loaded-world.ts'
import type { RequestCounts, ServerMetrics } from '../../../sandbox/metrics/server-metrics.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { knownHubOf } from '../../../sandbox/session/subscription-hub.ts'
import { controlOperation } from '../control-operation.ts'
import {
  counter,
  durations,
  gauge,
  labelledCounter,
  type MetricFamily,
  OPEN_METRICS_TYPE,
  openMetricsText,
} from '../metrics/metric-family.ts'
import { processMetrics } from '../metrics/process-metrics.ts'
import { castingProgress, notReadyReasons } from './server.ts'

export const metrics = controlOperation({
  id: 'metrics',
  method: 'GET',
  path: '/metrics',
  title: 'Metrics of the server, as OpenMetrics',
  about:
    'For Prometheus and other readers of OpenMetrics. Labels are ids of operations and HTTP ' +
    'statuses; they contain no key, address or sandbox name. No token is needed.',
  isOpen: true,
  contentType: OPEN_METRICS_TYPE,
  data: Type.String(),
  *answer(_, { registry }) {
    const held = yield* sandboxMetrics(registry.list())
    let text = ''
    yield processMetrics(registry.systemClock)
      .then((ofProcess) =>
        openMetricsText([
          ...serverMetrics(registry),
          ...countedMetrics(registry.metrics),
          ...held,
          ...storageMetrics(registry),
          ...ofProcess,
        ]),
      )
      .then((written) => {
        text = written
      })
    return text
  },
})

/** Metrics counted as they happen: requests, control calls, frames. */
function countedMetrics(metrics: ServerMetrics): MetricFamily[] {
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

/**
 * Metrics of all sandboxes together, read on request. None is named: names are chosen by clients,
 * in any number.
 */
function* sandboxMetrics(sandboxes: readonly Sandbox[]): Slices<MetricFamily[]> {
  const sums = { sockets: 0, subscriptions: 0, queued: 0, longestQueue: 0, bytes: 0, entries: 0 }
  const scheduled = { events: 0, sandboxes: 0 }
  let [lagMs, busiest, overBudget] = [0, 0, 0]
  for (const [at, sandbox] of sandboxes.entries()) {
    const hub = knownHubOf(sandbox)
    sums.sockets += hub?.sessions.size ?? 0
    sums.subscriptions += hub?.subscriptionCount ?? 0
    for (const { sendQueue } of hub?.sessions ?? []) {
      sums.queued += sendQueue.length
      sums.longestQueue = Math.max(sums.longestQueue, sendQueue.length)
    }
    lagMs = Math.max(lagMs, sandbox.playhead.lagMs(sandbox.clock.nowMs()))
    const { account, systemClock } = sandbox
    busiest = Math.max(busiest, account.recentShareAt(systemClock.monotonicMs()))
    if (account.isOverBudgetAt(systemClock.monotonicMs())) overBudget++
    sums.bytes += sandbox.journal.keptBytes
    sums.entries += sandbox.journal.keptCount
    const { length } = sandbox.marketEvents.list
    scheduled.events += length
    if (length > 0) scheduled.sandboxes++
    if (at % SANDBOXES_PER_SLICE === SANDBOXES_PER_SLICE - 1) yield
  }
  return [
    gauge('tapewright_sandboxes', 'Sandboxes', sandboxes.length),
    gauge('tapewright_sockets', 'Open sockets', sums.sockets),
    gauge('tapewright_subscriptions', 'Subscriptions over all sockets', sums.subscriptions),
    gauge('tapewright_queued_frames', 'Frames that wait for their clients', sums.queued),
    gauge('tapewright_longest_queue_frames', 'Frames in the longest queue', sums.longestQueue),
    gauge(
      'tapewright_playhead_lag_seconds',
      'How far the playhead that is furthest behind its speed is behind it',
      lagMs / 1000,
    ),
    gauge('tapewright_market_events', 'Events scheduled in markets', scheduled.events),
    gauge(
      'tapewright_sandboxes_with_market_events',
      'Sandboxes in a market with scheduled events',
      scheduled.sandboxes,
    ),
    gauge(
      'tapewright_told_sandboxes',
      'Deprecated name of tapewright_sandboxes_with_market_events',
      scheduled.sandboxes,
    ),
    gauge(
      'tapewright_busiest_sandbox_share',
      'Share of the thread that the busiest sandbox has used in the last seconds',
      busiest,
    ),
    gauge(
      'tapewright_sandboxes_over_budget',
      'Sandboxes whose work waits while others have some',
      overBudget,
    ),
    gauge('tapewright_journal_bytes', 'Bytes that journals hold', sums.bytes),
    gauge('tapewright_journal_entries', 'Entries that journals hold', sums.entries),
  ]
}

const SANDBOXES_PER_SLICE = 100

/** Metrics of the server as a whole. */
function serverMetrics(registry: Registry): MetricFamily[] {
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

/** Metrics of worlds, and of the state file if there is one. */
function storageMetrics(registry: Registry): MetricFamily[] {
  const castings = registry.worlds.castings?.() ?? []
  const progress = castingProgress(castings)
  return [
    gauge('tapewright_castings', 'Worlds that are being cast, or wait for it', castings.length),
    ...(progress === null
      ? []
      : [gauge('tapewright_casting_progress_ratio', 'How much of their tapes is done', progress)]),
    ...lineMetrics(registry.worlds.lines?.() ?? []),
    ...stateMetrics(registry),
  ]
}

function lineMetrics(lines: readonly LineStatus[]): MetricFamily[] {
  const sum = (value: (line: LineStatus) => number) =>
    lines.reduce((all, line) => all + value(line), 0)
  return [
    gauge('tapewright_lines', 'Markets that have gone on after their tapes', lines.length),
    gauge(
      'tapewright_lines_grown_seconds',
      'Market time after their tapes that is there',
      sum(({ grownMs }) => Math.max(0, grownMs)) / 1000,
    ),
    gauge(
      'tapewright_lines_wanted_seconds',
      'Market time that is wanted and not there yet',
      sum(({ grownMs, wantedMs }) => Math.max(0, wantedMs - grownMs)) / 1000,
    ),
    gauge(
      'tapewright_lines_failed',
      'Markets that cannot go on',
      sum(({ failure }) => (failure === null ? 0 : 1)),
    ),
  ]
}

/** Metrics of a replica that shares its sandboxes with others. */
function replicaMetrics({ shared }: Registry): MetricFamily[] {
  if (!shared) return []
  const { roundTrips, conflicts, lagMs, clockErrorMs } = shared.figures
  return [
    counter('tapewright_replica_round_trips', 'Calls of the store that it answered', roundTrips),
    counter(
      'tapewright_replica_conflicts',
      'Changes that another replica was faster with, and that were made again',
      conflicts,
    ),
    gauge(
      'tapewright_replica_lag_seconds',
      'Age of the latest change of another replica when it was applied',
      lagMs / 1000,
    ),
    gauge(
      'tapewright_replica_clock_error_seconds',
      'Bound of the difference between the clocks of this replica and the store',
      clockErrorMs / 1000,
    ),
  ]
}

function stateMetrics(registry: Registry): MetricFamily[] {
  const { storage } = registry
  if (!storage) return []
  const { behind, commits, failures } = storage
  return [
    gauge(
      'tapewright_state_behind',
      'Whether the state file cannot be written, so that counters in it are behind',
      behind ? 1 : 0,
    ),
    counter('tapewright_state_commits', 'Transactions written to the state file', commits),
    counter('tapewright_state_failures', 'Transactions that could not be written', failures),
    ...replicaMetrics(registry),
  ]
}
