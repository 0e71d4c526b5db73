/** The program, which also tells its parent how much memory it holds. */
import { heapStats } from 'bun:jsc'
import { launch } from '../src/main.ts'
import type { HeapReport } from './server-process.ts'

process.on('message', (message) => {
  if (message !== 'heap') return
  Bun.gc(true)
  const { heapSize, objectCount } = heapStats()
  process.send?.({ heapBytes: heapSize, objects: objectCount } satisfies HeapReport)
})

await launch(process.argv.slice(2))
