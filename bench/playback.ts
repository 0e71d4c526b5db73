/**
 * Benchmark of a tape to one subscriber at speed `max`, and of a recording with the same frames
 * served unchanged, each against a bare server that sends the same bytes. They are played in laps:
 * what follows a tape is bounded by the speed of growth (`growing-playback`).
 */
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeRecording } from './measure/frame-recording.ts'
import { inTurn } from './measure/in-turn.ts'
import { TRADES_AND_BBO as messages } from './measure/market-subscriptions.ts'
import { readFrames, run, serve, socketPath } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const timing = { warmMs: 1_500, countMs: 3_000 }
/** More frames than a lap: those counted are played from memory. */
const CAPTURED = 30_000
const TAPE = path.join(import.meta.dir, '..', 'recordings', 'default.tape.ndjson.zst')
const RECORDING = path.join(tmpdir(), `tapewright-playback-${process.pid}.tape.ndjson`)
const FRAMES = path.join(tmpdir(), `tapewright-playback-${process.pid}.json`)

async function capture(port: number): Promise<string[]> {
  const socket = new WebSocket(`ws://localhost:${port}${socketPath()}`)
  const frames: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.onopen = () => {
    for (const message of messages) socket.send(message)
  }
  socket.onmessage = ({ data }) => {
    if (frames.push(data) > CAPTURED) resolve()
  }
  await promise
  socket.close()
  return frames.slice(100)
}

type Rate = { frames: number; tookMs: number }
const perSecond = ({ frames, tookMs }: Rate) => (frames / tookMs) * 1000

async function ours(): Promise<number> {
  const server = await serve(['--speed', 'max', '--end', 'loop'])
  const frames = await capture(server.port)
  await Bun.write(FRAMES, JSON.stringify(frames))
  await writeRecording(RECORDING, TAPE, { url: socketPath(), messages, frames })
  const rate = await readFrames({ port: server.port, paths: [socketPath()], messages, ...timing })
  await server.stop()
  return perSecond(rate)
}

async function recorded(): Promise<number> {
  const replay = ['--replay', RECORDING, '--miss', 'refuse']
  const server = await serve([...replay, '--speed', 'max', '--end', 'loop'])
  const rate = await readFrames({ port: server.port, paths: [socketPath()], messages, ...timing })
  await server.stop()
  return perSecond(rate)
}

async function bare(): Promise<number> {
  const server = await run(['bun', path.join(import.meta.dir, 'measure', 'publisher.ts'), FRAMES])
  const rate = await readFrames({ port: server.port, paths: ['/'], messages: [], ...timing })
  await server.stop()
  return perSecond(rate)
}

const measured = await inTurn(3, ours, bare)
row({ name: 'trades and bbo of a tape at max to one subscriber', ...measured, unit: 'frames/s' })
const replayed = await inTurn(3, recorded, bare)
row({ name: 'a recording of these frames, served back at max', ...replayed, unit: 'frames/s' })
await Promise.all([FRAMES, RECORDING].map((file) => rm(file)))
