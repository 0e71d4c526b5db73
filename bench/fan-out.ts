/**
 * Benchmark of one book to 200 subscribers at speed `max`, against a bare server that publishes the
 * same bytes. The tape is played in laps: what follows it is bounded by the speed of growth.
 */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inTurn } from './measure/in-turn.ts'
import { readFrames, run, serve, socketPath, subscribe } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const SUBSCRIBERS = 200
const messages = [subscribe({ type: 'l2Book', coin: 'BTC' })]
const timing = { warmMs: 1_000, countMs: 3_000 }

const CAPTURED = 500
/** More frames than two laps: those counted are played from memory. */
const PLAYED = 17_000

const signedPaths = () => Array.from({ length: SUBSCRIBERS }, () => socketPath())
const FRAMES = path.join(tmpdir(), `tapewright-frames-${process.pid}.json`)

/** Captures our server's frames, so that the bare one does the same work. */
async function capture(port: number): Promise<string[]> {
  const socket = new WebSocket(`ws://localhost:${port}${socketPath()}`)
  const frames: string[] = []
  let count = 0
  socket.onopen = () => socket.send(messages[0] ?? '')
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.onmessage = ({ data }) => {
    if (frames.push(data) > CAPTURED) frames.shift()
    if (++count > PLAYED) resolve()
  }
  await promise
  socket.close()
  return frames
}

type Rate = { frames: number; tookMs: number }
const perSecond = ({ frames, tookMs }: Rate) => (frames / tookMs) * 1000

async function ours(): Promise<number> {
  const server = await serve(['--speed', 'max', '--end', 'loop'])
  await Bun.write(FRAMES, JSON.stringify(await capture(server.port)))
  const rate = await readFrames({ port: server.port, paths: signedPaths(), messages, ...timing })
  await server.stop()
  return perSecond(rate)
}

async function bare(): Promise<number> {
  const server = await run(['bun', path.join(import.meta.dir, 'measure', 'publisher.ts'), FRAMES])
  const rate = await readFrames({ port: server.port, paths: signedPaths(), messages, ...timing })
  await server.stop()
  return perSecond(rate)
}

const measured = await inTurn(3, ours, bare)
await rm(FRAMES)
row({ name: `l2Book to ${SUBSCRIBERS} subscribers`, ...measured, unit: 'frames/s' })
