import type { LineStatus } from '../../../sandbox/loaded-world.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import { castingProgress } from '../readiness.ts'
import { counter, gauge, type MetricFamily } from './metric-family.ts'

/** Worlds that are made, and what is stored beyond the process where something is. */
export function storageMetrics(registry: Registry): MetricFamily[] {
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

function stateMetrics({ storage }: Registry): MetricFamily[] {
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
  ]
}
