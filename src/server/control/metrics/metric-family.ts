/** Metrics as data: what is shown at a scrape, before it is text. */
import type { Histogram } from '../../../sandbox/metrics/server-metrics.ts'

export interface MetricFamily {
  /** With its unit; the text form adds `_total` to a counter's. */
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  values: MetricSample[]
}

interface MetricSample {
  value: number
  labels: Labels
  /** Where it is not the family's. */
  metricName?: string
}

/** Values out of lists of ours, so that there are only so many series. */
type Labels = Record<string, string>

/** What is as large as it is at the moment. */
export const gauge = (name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  values: [{ value, labels: {} }],
})

/** What has been counted since the process began. */
export const counter = (name: string, help: string, value: number): MetricFamily =>
  labelledCounter(name, help, [{ value, labels: {} }])

/** The same, by label. */
export const labelledCounter = (
  name: string,
  help: string,
  values: { value: number; labels: Labels }[],
): MetricFamily => ({ name, help, type: 'counter', values })

/** Durations in seconds, as the format wants them, out of histograms in milliseconds. */
export const durations = (
  name: string,
  help: string,
  histograms: { histogramMs: Histogram; labels: Labels }[],
): MetricFamily => ({
  name,
  help,
  type: 'histogram',
  values: histograms.flatMap(({ histogramMs, labels }) =>
    histogramSamples(name, labels, histogramMs),
  ),
})

function histogramSamples(name: string, labels: Labels, histogramMs: Histogram): MetricSample[] {
  const counts = histogramMs.cumulativeCounts
  const upTo = [...histogramMs.bounds.map((boundMs) => boundText(boundMs / 1000)), '+Inf']
  const count = counts.at(-1) ?? 0
  return [
    ...upTo.map((le, at) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le },
      value: counts[at] ?? 0,
    })),
    { metricName: `${name}_sum`, labels, value: histogramMs.sum / 1000 },
    { metricName: `${name}_count`, labels, value: count },
  ]
}

/** As the format writes a number that is a label: 1 is `1.0`. */
const boundText = (bound: number) => (Number.isInteger(bound) ? `${bound}.0` : String(bound))
