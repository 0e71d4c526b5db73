/** One subscriber at speed `max`, against a bare server that sends it the same bytes. */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readFrames, run, serve, socketPath, subscribe } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const COINS = ['BTC', 'ETH', 'SOL', 'HYPE', 'XRP', 'DOGE', 'LINK', 'kPEPE', 'xyz:TSLA']
const messages = COINS.flatMap((coin) => [
  subscribe({ type: 'bbo', coin }),
  subscribe({ type: 'trades', coin }),
])
const timing = { warmMs: 1_500, countMs: 4_000 }
const FRAMES = path.join(tmpdir(), `tapewright-playback-${process.pid}.json`)

async function capture(port: number): Promise<string[]> {
  const socket = new WebSocket(`ws://localhost:${port}${socketPath()}`)
  const frames: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.onopen = () => {
    for (const message of messages) socket.send(message)
  }
  socket.onmessage = ({ data }) => {
    if (frames.push(data) > 20_000) resolve()
  }
  await promise
  socket.close()
  return frames.slice(100)
}

const ours = await serve(['--speed', 'max'])
const frames = await capture(ours.port)
const value = await readFrames({ port: ours.port, paths: [socketPath()], messages, ...timing })
await ours.stop()

await Bun.write(FRAMES, JSON.stringify(frames))
const bare = await run(['bun', path.join(import.meta.dir, 'measure', 'publisher.ts'), FRAMES])
const baseline = await readFrames({ port: bare.port, paths: ['/'], messages: [], ...timing })
await bare.stop()
await rm(FRAMES)

const perSecond = ({ frames, tookMs }: { frames: number; tookMs: number }) =>
  (frames / tookMs) * 1000
row({
  name: 'trades and bbo at max to one subscriber',
  value: perSecond(value),
  baseline: perSecond(baseline),
  unit: 'frames/s',
})
