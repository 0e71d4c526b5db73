import type { Slices } from '../../../clock/turns.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { knownHubOf } from '../../../sandbox/session/subscription-hub.ts'
import { gauge, type MetricFamily } from './metric-family.ts'

/**
 * What all sandboxes hold together, read as it is asked for. None is named: names are the clients'
 * own, and there may be any number of them.
 */
export function* sandboxMetrics(sandboxes: readonly Sandbox[]): Slices<MetricFamily[]> {
  const sums = { sockets: 0, subscriptions: 0, queued: 0, longestQueue: 0, bytes: 0, entries: 0 }
  const told = { events: 0, sandboxes: 0 }
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
    told.events += length
    if (length > 0) told.sandboxes++
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
    gauge('tapewright_market_events', 'Events that markets were told', told.events),
    gauge(
      'tapewright_told_sandboxes',
      'Sandboxes that are in a market that was told something',
      told.sandboxes,
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
