/**
 * Benchmark of scaling: connections to one sandbox, and sandboxes with a connection each, all at
 * ten times the recorded speed with trades and best prices of nine coins. Measures processor time
 * per frame, and the memory of the process.
 */
import { TRADES_AND_BBO as messages } from './measure/market-subscriptions.ts'
import {
  type Key,
  processorMs,
  readFrames,
  residentMb,
  serve,
  socketPath,
} from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const CONNECTIONS = [1, 10, 100, 1_000]
const SANDBOXES = [1, 10, 50, 200]
const timing = { warmMs: 1_000, countMs: 3_000 }
const ARGS = ['--speed', '10', '--end', 'loop']
interface Load {
  port: number
  pid: number
  paths: string[]
}

async function measured(name: string, { port, pid, paths }: Load): Promise<void> {
  const beforeMs = processorMs(pid)
  const { frames, tookMs } = await readFrames({ port, paths, messages, ...timing })
  // Includes opening and closing: processor time is read from outside.
  const usedMs = processorMs(pid) - beforeMs
  row({ name: `${name}: frames`, value: (frames / tookMs) * 1_000, unit: 'frames/s' })
  row({
    name: `${name}: of a processor`,
    value: (usedMs / (tookMs + timing.warmMs)) * 100,
    unit: '%',
  })
  row({ name: `${name}: memory`, value: await residentMb(pid), unit: 'MB' })
}

for (const count of CONNECTIONS) {
  const { port, pid, stop } = await serve(ARGS)
  const paths = Array.from({ length: count }, () => socketPath())
  await measured(`${count.toLocaleString('en-US')} connections`, { port, pid, paths })
  await stop()
}

for (const count of SANDBOXES) {
  const { port, pid, stop } = await serve(ARGS)
  const paths: string[] = []
  for (let made = 0; made < count; made++) {
    const made = await fetch(`http://127.0.0.1:${port}/_control/sandboxes`, {
      method: 'POST',
      body: JSON.stringify({ speed: 10, end: 'loop' }),
    })
    const { keys } = (await made.json()) as { keys: { full: Key } }
    paths.push(socketPath(keys.full))
  }
  await measured(`${count} sandboxes`, { port, pid, paths })
  await stop()
}
