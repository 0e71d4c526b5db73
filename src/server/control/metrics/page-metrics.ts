import type { MetricFamily } from './metric-family.ts'

/** A page knows nothing of its process: there is nothing to tell. */
export const processMetrics = async (): Promise<MetricFamily[]> => []
