/**
 * Benchmark of the 99th percentile of signed reads while a market plays as fast as possible or to
 * many subscribers, against the same reads of the same server without subscribers.
 */
import path from 'node:path'
import type { LoadOrder, LoadResult } from './measure/load-client.ts'
import { readFrames, serve, signature, socketPath, subscribe } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const LOAD_CLIENT = path.join(import.meta.dir, 'measure', 'load-client.ts')
const COUNT_MS = 4_000

async function readP99(port: number): Promise<number> {
  const read = () => `/api/upgrade/v2/hl/tickers?${new URLSearchParams({ ...signature() })}`
  const paths = Array.from({ length: 200 }, read)
  const order: LoadOrder = { port, paths, connections: 1, warmMs: 500, countMs: COUNT_MS }
  const input = new Blob([JSON.stringify(order)])
  const child = Bun.spawn(['bun', LOAD_CLIENT], { stdin: input, stdout: 'pipe' })
  return (JSON.parse(await new Response(child.stdout).text()) as LoadResult).p99Ms
}

async function measure(name: string, speed: string, subscribers: number, coins: string[]) {
  const server = await serve(['--speed', speed])
  const { port } = server
  const baseline = await readP99(port)
  const messages = coins.map((coin) => subscribe({ type: 'l2Book', coin }))
  const paths = Array.from({ length: subscribers }, () => socketPath())
  const following = readFrames({ port, paths, messages, warmMs: 1_000, countMs: COUNT_MS })
  await Bun.sleep(1_000)
  const value = await readP99(port)
  await following
  await server.stop()
  row({ name, value, baseline, unit: 'ms' })
}

await measure('p99 of reads, 1 book at 10,000 times', '10000', 1, ['BTC'])
await measure('p99 of reads, 3 books at max', 'max', 1, ['BTC', 'ETH', 'SOL'])
await measure('p99 of reads, 200 subscribers at 50 times', '50', 200, ['BTC'])
