/**
 * Benchmark of ten thousand sockets with a subscription each, against a bare server that upgrades
 * as many and sends one word to each: duration, latency of reads meanwhile, and memory.
 */
import path from 'node:path'
import {
  residentMb,
  run,
  type Served,
  serve,
  signature,
  socketPath,
  subscribe,
} from './measure/processes.ts'
import { row } from './measure/result-row.ts'
import type { CrowdOrder } from './measure/socket-crowd.ts'

const SOCKETS = 10_000
const MEASURE = path.join(import.meta.dir, 'measure')
const message = subscribe({ type: 'l2Book', coin: 'BTC' })

interface Crowd {
  openMs: number
  kbEach: number
  /** Slowest reads while they open, are open, and close, ms. */
  worst: { opening: number; open: number; closing: number }
}

async function crowd(server: Served, paths: string[], readPath: () => string): Promise<Crowd> {
  const before = await residentMb(server.pid)
  const child = Bun.spawn(['bun', path.join(MEASURE, 'socket-crowd.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const reads = watchReads(server.port, readPath)
  const order: CrowdOrder = { port: server.port, paths, message }
  child.stdin.write(`${JSON.stringify(order)}\n`)
  child.stdin.flush()
  let output = ''
  for await (const chunk of child.stdout) {
    output += new TextDecoder().decode(chunk)
    if (output.includes('\n')) break
  }
  const { tookMs } = JSON.parse(output) as { tookMs: number }
  const opening = reads.takeWorst()
  await Bun.sleep(2_000)
  const open = reads.takeWorst()
  const kbEach = (((await residentMb(server.pid)) - before) * 1024) / paths.length
  child.stdin.end()
  await child.exited
  await Bun.sleep(1_000)
  const closing = reads.takeWorst()
  await reads.stop()
  return { openMs: tookMs, kbEach, worst: { opening, open, closing } }
}

/** Reads in sequence, slightly apart. */
function watchReads(port: number, readPath: () => string) {
  let isOn = true
  let worstMs = 0
  const done = (async () => {
    while (isOn) {
      const startMs = performance.now()
      await (await fetch(`http://127.0.0.1:${port}${readPath()}`)).text()
      worstMs = Math.max(worstMs, performance.now() - startMs)
      await Bun.sleep(2)
    }
  })()
  const takeWorst = () => {
    const taken = worstMs
    worstMs = 0
    return taken
  }
  const stop = () => {
    isOn = false
    return done
  }
  return { takeWorst, stop }
}

const ours = await serve([])
const value = await crowd(
  ours,
  Array.from({ length: SOCKETS }, () => socketPath()),
  () => `/api/upgrade/v2/hl/tickers?${new URLSearchParams({ ...signature() })}`,
)
await ours.stop()
const bare = await run(['bun', path.join(MEASURE, 'greeter.ts')])
const baseline = await crowd(
  bare,
  Array.from({ length: SOCKETS }, () => '/'),
  () => '/',
)
await bare.stop()
row({
  name: 'to open 10,000 sockets with a subscription each',
  value: value.openMs,
  baseline: baseline.openMs,
  unit: 'ms',
})
for (const phase of ['opening', 'open', 'closing'] as const)
  row({
    name: `slowest read while they are ${phase}`,
    value: value.worst[phase],
    baseline: baseline.worst[phase],
    unit: 'ms',
  })
row({ name: 'memory of a socket', value: value.kbEach, baseline: baseline.kbEach, unit: 'kB' })
