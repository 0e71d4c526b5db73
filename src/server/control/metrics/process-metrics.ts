import type { SystemClock } from '../../../clock/system-clock.ts'
import { counter, gauge, type MetricFamily } from './metric-family.ts'

/** Metrics of the process, under the standard names of Prometheus clients. */
export async function processMetrics(systemClock: SystemClock): Promise<MetricFamily[]> {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return [
    counter('process_cpu_seconds', 'Processor time used', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Memory that the process occupies', rss),
    gauge('process_heap_bytes', 'Memory of objects', heapUsed),
    gauge(
      'process_start_time_seconds',
      'When the process began, since 1970',
      systemClock.nowMs() / 1000 - process.uptime(),
    ),
    ...(await fileMetrics()),
  ]
}

/** Open files and their maximum, on systems that show them as Linux does. */
async function fileMetrics(): Promise<MetricFamily[]> {
  try {
    // Loaded on demand: no start needs it.
    const { readdir, readFile } = await import('node:fs/promises')
    const [open, limits] = await Promise.all([
      readdir('/proc/self/fd'),
      readFile('/proc/self/limits', 'utf8'),
    ])
    const max = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
    return [
      gauge('process_open_fds', 'Open file handles, sockets among them', open.length),
      ...(max === undefined
        ? []
        : [gauge('process_max_fds', 'File handles that may be open', Number(max))]),
    ]
  } catch {
    return []
  }
}
