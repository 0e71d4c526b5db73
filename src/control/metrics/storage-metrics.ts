import type { Registry } from '../../sandbox/registry.ts'
import { castingProgress } from '../readiness.ts'
import { gauge, type MetricFamily } from './metric-family.ts'

/** Worlds that are made, and what is stored beyond the process where something is. */
export function storageMetrics(registry: Registry): MetricFamily[] {
  const castings = registry.worlds.castings?.() ?? []
  const progress = castingProgress(castings)
  return [
    gauge('tapewright_castings', 'Worlds that are being cast, or wait for it', castings.length),
    ...(progress === null
      ? []
      : [gauge('tapewright_casting_progress_ratio', 'How much of their tapes is done', progress)]),
  ]
}
