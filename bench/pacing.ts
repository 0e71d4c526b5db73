/**
 * Benchmark of frames' lateness at speed 1, and of its drift, against a bare timer of a fiftieth of
 * a second. `bun bench/pacing.ts 600` takes ten minutes.
 */
import { serve, socketPath, subscribe } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const seconds = Number(process.argv[2] ?? 60)
const COINS = ['BTC', 'ETH', 'SOL', 'HYPE', 'DOGE']

/** Arrival less the frame's time, ms, in order of arrival. */
async function frames(port: number): Promise<number[]> {
  const lags: number[] = []
  const socket = new WebSocket(`ws://localhost:${port}${socketPath()}`)
  socket.onmessage = ({ data }) => {
    const nowMs = performance.timeOrigin + performance.now()
    const time = /"time":(\d+)/.exec(data)?.[1]
    if (time && data.startsWith('{"channel":"bbo"')) lags.push(nowMs - Number(time))
  }
  socket.onopen = () => {
    for (const coin of COINS) socket.send(subscribe({ type: 'bbo', coin }))
  }
  const heartbeat = setInterval(() => socket.send('{"method":"ping"}'), 20_000)
  await Bun.sleep(seconds * 1000)
  clearInterval(heartbeat)
  socket.close()
  // The first of each coin is the snapshot, as old as the coin's last change.
  return lags.slice(2 * COINS.length)
}

async function timers(): Promise<number[]> {
  const lags: number[] = []
  const startMs = performance.now()
  for (let dueMs = 20; dueMs < seconds * 1000; dueMs += 20) {
    await Bun.sleep(dueMs - (performance.now() - startMs))
    lags.push(performance.now() - startMs - dueMs)
  }
  return lags
}

/** 99th percentile above the minimum. */
function p99(lags: number[]): number {
  const sorted = [...lags].sort((a, b) => a - b)
  return (sorted[Math.floor(sorted.length * 0.99)] ?? 0) - (sorted[0] ?? 0)
}

/** Median of the last tenth less median of the first. */
function drift(lags: number[]): number {
  const tenth = Math.ceil(lags.length / 10)
  const median = (part: number[]) => part.sort((a, b) => a - b)[part.length >> 1] ?? 0
  return Math.abs(median(lags.slice(-tenth)) - median(lags.slice(0, tenth)))
}

const server = await serve([])
const [ours, bare] = await Promise.all([frames(server.port), timers()])
await server.stop()
row({ name: `lateness p99 over ${seconds} s`, value: p99(ours), baseline: p99(bare), unit: 'ms' })
row({ name: `drift over ${seconds} s`, value: drift(ours), baseline: drift(bare), unit: 'ms' })
