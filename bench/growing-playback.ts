/**
 * Benchmark of growth after a tape, with one subscriber at speed `max`: earlier growth, against a
 * bare server that sends the same bytes; concurrent growth, against growth without subscribers.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FrameCounter, frameOf, openSocket } from './measure/frame-reader.ts'
import { median } from './measure/in-turn.ts'
import { TRADES_AND_BBO } from './measure/market-subscriptions.ts'
import { type Key, readFrames, run, serve, socketPath } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

/** Each creates a market of its own, without growth so far. */
const MOODS = ['calm', 'chop', 'bull']
const MINUTE_MS = 60_000
/** Market time grown without subscribers, and then played. */
const GROWN_MS = 1_800_000
/** Fewer frames than that contains. */
const FRAMES = 30_000
const CAPTURED = 20_000
const SUBSCRIBING_MS = 500
const GROWING_MS = 4_000

interface Measured {
  /** Frames a second of earlier growth. */
  grownFrames: number
  /** The same for a bare server. */
  bareFrames: number
  /** Market time per real time, grown with and without a subscriber. */
  played: number
  alone: number
}

interface Called {
  /** Tape time. */
  playhead: { at: number; stop: number }
}

type Made = Called & { keys: { full: Key } }

const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-growing-'))
const server = await serve([], { TAPEWRIGHT_CACHE: folder })
const all: Measured[] = []
for (const mood of MOODS) all.push(await measure(mood))
await server.stop()
await rm(folder, { recursive: true })

const middle = (of: keyof Measured) => median(all.map((one) => one[of]))
row({
  name: 'trades and bbo of a grown market at max to one subscriber',
  value: middle('grownFrames'),
  baseline: middle('bareFrames'),
  unit: 'frames/s',
})
row({
  name: 'a market that grows, at max to one subscriber',
  value: middle('played'),
  baseline: middle('alone'),
  unit: 'x real time',
})

async function measure(mood: string): Promise<Measured> {
  const { keys } = (await control('POST', '/sandboxes', { name: mood, mood, speed: 0 })) as Made
  const { playhead } = await control('GET', `/sandboxes/${mood}`)
  const setPlayhead = (body: object) => control('PUT', `/sandboxes/${mood}/playhead`, body)
  // Excludes the creation of the market's file.
  await setPlayhead({ at: playhead.stop + MINUTE_MS })
  const startMs = performance.now()
  await setPlayhead({ at: playhead.stop + MINUTE_MS + GROWN_MS })
  const alone = GROWN_MS / (performance.now() - startMs)
  const play = () => setPlayhead({ at: playhead.stop, speed: 'max' })

  const url = socketPath(keys.full)
  await setPlayhead({ at: playhead.stop })
  const counter = new FrameCounter()
  const socket = await subscribed(url, counter)
  const grownFrames = await framesPerSecond(counter, play)
  const played = await growthWhilePlayed(mood)
  socket.end()
  await setPlayhead({ at: playhead.stop, speed: 0 })
  const bareFrames = await bare(await captured(url, play))
  return { grownFrames, bareFrames, played, alone }
}

/** Frames a second after an action. */
async function framesPerSecond(counter: FrameCounter, begin: () => Promise<unknown>) {
  const [before, startMs] = [counter.frames, performance.now()]
  await begin()
  while (counter.frames < before + FRAMES) await Bun.sleep(1)
  return ((counter.frames - before) / (performance.now() - startMs)) * 1000
}

/** Market time per real time, beyond earlier growth. */
async function growthWhilePlayed(mood: string): Promise<number> {
  const place = async () => (await control('GET', `/sandboxes/${mood}`)).playhead
  let from = await place()
  while (from.at < from.stop + MINUTE_MS + GROWN_MS) {
    await Bun.sleep(20)
    from = await place()
  }
  const startMs = performance.now()
  await Bun.sleep(GROWING_MS)
  const { at } = await place()
  return (at - from.at) / (performance.now() - startMs)
}

async function captured(url: string, begin: () => Promise<unknown>): Promise<string[]> {
  const frames: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = new WebSocket(`ws://localhost:${server.port}${url}`)
  socket.onmessage = ({ data }) => {
    if (frames.push(data) > CAPTURED) resolve()
  }
  await new Promise<unknown>((opened) => {
    socket.onopen = opened
  })
  for (const message of TRADES_AND_BBO) socket.send(message)
  await Bun.sleep(SUBSCRIBING_MS)
  await begin()
  await promise
  socket.close()
  return frames.slice(2 * TRADES_AND_BBO.length)
}

async function bare(frames: readonly string[]): Promise<number> {
  const file = path.join(folder, 'frames.json')
  await Bun.write(file, JSON.stringify(frames))
  const publisher = await run(['bun', path.join(import.meta.dir, 'measure', 'publisher.ts'), file])
  const timing = { warmMs: 500, countMs: 1_000 }
  const order = { port: publisher.port, paths: ['/'], messages: [], ...timing }
  const { frames: count, tookMs } = await readFrames(order)
  await publisher.stop()
  return (count / tookMs) * 1000
}

/** A socket with the counted subscriptions. */
async function subscribed(url: string, counter: FrameCounter): Promise<Bun.Socket> {
  const socket = await openSocket(server.port, url, counter)
  for (const message of TRADES_AND_BBO) socket.write(frameOf(message))
  await Bun.sleep(SUBSCRIBING_MS)
  return socket
}

async function control(method: string, call: string, body?: object): Promise<Called> {
  const url = `http://localhost:${server.port}/_control${call}`
  const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${call} was answered ${answer.status}: ${text}`)
  return JSON.parse(text)
}
