import type { MetricFamily } from './metric-family.ts'

/** A page has no access to its process: there are no metrics. */
export const processMetrics = async (): Promise<MetricFamily[]> => []
