/** Metrics as data, before they are formatted. */

import type { Metric, Registry } from '@prometheus-io/client'
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
  /** Where it differs from the family's. */
  metricName?: string
}

/** Values from lists of our own, which bounds the number of series. */
type Labels = Record<string, string>

/** A gauge: a present value. */
export const gauge = (name: string, help: string, value: number): MetricFamily => ({
  name,
  help,
  type: 'gauge',
  values: [{ value, labels: {} }],
})

/** A counter since the process began. */
export const counter = (name: string, help: string, value: number): MetricFamily =>
  labelledCounter(name, help, [{ value, labels: {} }])

/** A counter by label. */
export const labelledCounter = (
  name: string,
  help: string,
  values: { value: number; labels: Labels }[],
): MetricFamily => ({ name, help, type: 'counter', values })

/** Histograms of durations in seconds, as the format requires, from histograms in milliseconds. */
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

/** A bound as a label in the format's notation: 1 is `1.0`. */
const boundText = (bound: number) => (Number.isInteger(bound) ? `${bound}.0` : String(bound))

// Metrics as OpenMetrics text, written by the library of the Prometheus project.

export const OPEN_METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** The families as text, in their order. */
export function openMetricsText(families: readonly MetricFamily[]): Promise<string> {
  const registry = new (loadRegistry())(OPEN_METRICS_TYPE)
  // The library formats any object with samples; its own counters take a microsecond a count, which
  // is too much for every request.
  for (const family of families)
    registry.registerMetric({ ...family, get: async () => family } as unknown as Metric<string>)
  return registry.metrics()
}

// Loaded at the first scrape, and only this part of the package: the rest is for clusters, worker
// threads and gateways, and loading it would block the thread for fifty milliseconds.
const loadRegistry = (): typeof Registry => require('@prometheus-io/client/lib/registry.js')
