/**
 * One book to 200 subscribers at speed `max`, against a bare server that publishes the same bytes.
 */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { drain, run, serve, socketPath, subscribe } from './measure/processes.ts'
import { row } from './measure/row.ts'

const SUBSCRIBERS = 200
const paths = Array.from({ length: SUBSCRIBERS }, socketPath)
const messages = [subscribe({ type: 'l2Book', coin: 'BTC' })]
const timing = { warmMs: 1_000, countMs: 4_000 }

const FRAMES = path.join(tmpdir(), `tapewright-frames-${process.pid}.json`)

/** The frames that our server sends, to give the bare one the same work. */
async function capture(port: number): Promise<string[]> {
  const socket = new WebSocket(`ws://localhost:${port}${socketPath()}`)
  const frames: string[] = []
  socket.onopen = () => socket.send(messages[0] ?? '')
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.onmessage = ({ data }) => {
    if (frames.push(data) > 500) resolve()
  }
  await promise
  socket.close()
  return frames.slice(2)
}

const ours = await serve(['--speed', 'max'])
const frames = await capture(ours.port)
const value = await drain({ port: ours.port, paths, messages, ...timing })
await ours.stop()

await Bun.write(FRAMES, JSON.stringify(frames))
const bare = await run(['bun', path.join(import.meta.dir, 'measure', 'publisher.ts'), FRAMES])
const baseline = await drain({ port: bare.port, paths, messages, ...timing })
await bare.stop()
await rm(FRAMES)

const perSecond = ({ frames, tookMs }: { frames: number; tookMs: number }) =>
  (frames / tookMs) * 1000
row({
  name: `l2Book to ${SUBSCRIBERS} subscribers`,
  value: perSecond(value),
  baseline: perSecond(baseline),
  unit: 'frames/s',
})
