/** Memory of this process alone: the system may reclaim mapped files at any time. */
import { readFileSync } from 'node:fs'

/** Bytes; all resident ones where the system does not count files apart. */
export function ownMemoryBytes(): number {
  const { rss } = process.memoryUsage
  if (process.platform !== 'linux') return rss()
  try {
    // Sizes in pages: all, resident, of files.
    const [, resident = 0, shared = 0] = readFileSync('/proc/self/statm', 'utf8')
      .split(' ')
      .map(Number)
    return (resident - shared) * PAGE_BYTES
  } catch {
    return rss()
  }
}

const PAGE_BYTES = 4096
