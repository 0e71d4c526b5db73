import type { Sample } from './soaking.ts'
import { type Trend, type TrendRule, trendOf } from './trend.ts'

/** Measurements of each sample, and their allowed growth over a soak. */
export interface Measure {
  name: string
  unit: string
  of: Exclude<keyof Sample, 'minute'>
  rule: TrendRule
}

export const MEASURES: readonly Measure[] = [
  { name: 'resident memory', unit: 'MB', of: 'residentMb', rule: { share: 0.1, amount: 10 } },
  { name: 'heap in use', unit: 'MB', of: 'heapMb', rule: { share: 0.05, amount: 2 } },
  { name: 'live objects', unit: '', of: 'objects', rule: { share: 0.05, amount: 5_000 } },
  { name: 'open handles', unit: '', of: 'handles', rule: { share: 0, amount: 2 } },
  { name: 'latency, p90', unit: 'ms', of: 'latencyMs', rule: { share: 0.5, amount: 2 } },
  { name: 'sandboxes', unit: '', of: 'sandboxes', rule: { share: 0, amount: 0 } },
  { name: 'sockets', unit: '', of: 'connections', rule: { share: 0, amount: 0 } },
]

export interface MeasuredTrend {
  measure: Measure
  trend: Trend
}

export const trendsOf = (samples: readonly Sample[]): MeasuredTrend[] =>
  MEASURES.map((measure) => ({
    measure,
    trend: trendOf(
      samples.map((sample) => ({ minute: sample.minute, value: sample[measure.of] })),
      measure.rule,
    ),
  }))
