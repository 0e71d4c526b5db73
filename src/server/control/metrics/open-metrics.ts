/** Metrics as OpenMetrics text, which the library of the Prometheus project writes. */
import type { Metric, Registry } from '@prometheus-io/client'
import type { MetricFamily } from './metric-family.ts'

export const OPEN_METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** The families as text, in their order. */
export function openMetricsText(families: readonly MetricFamily[]): Promise<string> {
  const registry = new (loadRegistry())(OPEN_METRICS_TYPE)
  // What it writes is any object that gives its samples; its own counters take a microsecond a
  // count, which is too much for every request.
  for (const family of families)
    registry.registerMetric({ ...family, get: async () => family } as unknown as Metric<string>)
  return registry.metrics()
}

// Loaded at the first scrape, and only this part of the package: the rest is for clusters, worker
// threads and gateways, and loading it would hold the thread for fifty milliseconds.
const loadRegistry = (): typeof Registry => require('@prometheus-io/client/lib/registry.js')
