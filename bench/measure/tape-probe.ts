/**
 * A process that opens the cast world of a tape, plays all of it to one subscriber, and seeks in
 * it; prints the costs as the JSON of `TapeCosts`: `bun tape-probe.ts TAPE WORLDS`.
 */
import { readFileSync } from 'node:fs'
import { hostClock } from '../../src/clock/system-clock.ts'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { signedQuery } from '../../test/fixtures/signed-query.ts'
import { median } from './in-turn.ts'

export interface TapeCosts {
  /** From start to an open sandbox. */
  openMs: number
  frames: number
  playedMs: number
  /** Memory of the process after garbage collection: at first, early on, and at the end. */
  firstMb: number
  earlyMb: number
  lastMb: number
  /** Maximum with garbage, and maximum of mapped file pages. */
  mostMb: number
  fileMb: number
  seekMs: number
  seekMostMs: number
  /** Longest slice of a seek. */
  seekHeldMs: number
}

const [tape = '', cacheDir = ''] = process.argv.slice(2)
const STEP_MS = 10_000
/** Events are not counted during playback: this much of a synthesised tape has 10,000. */
const EARLY_MS = 260_000
const SEEKS = 200

const statusMb = (field: string) => {
  const status = readFileSync('/proc/self/status', 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
}

async function settledMb(): Promise<number> {
  for (let round = 0; round < 2; round++) {
    Bun.gc(true)
    await Bun.sleep(1_500)
  }
  return statusMb('RssAnon')
}

const startMs = performance.now()
const provider = worldProvider({ tape, seed: 1, recordings: '.', cacheDir, log: () => {} })
const settings = { metering: 'off', clock: 'held', end: 'hold', epoch: 'tape' } as const
const registry = new Registry(provider, ACTIVE_ACTIONS, settings)
const { clock, playhead, player } = await registry.open()
const openMs = performance.now() - startMs
const firstMb = await settledMb()

const { startMs: fromMs, tapeEndMs: toMs } = playhead.span
const { connect } = memoryTransport(registry)
const path = `/api/upgrade/v2/hl/ws?${signedQuery({ accessKey: 'demo' }, hostClock)}`
const socket = connect(path) as MemorySocket
for (const type of ['trades', 'bbo', 'l2Book'])
  for (const coin of ['BTC', 'ETH', 'SOL'])
    socket.send(JSON.stringify({ method: 'subscribe', subscription: { type, coin } }))

let [frames, playedMs, mostMb] = [0, 0, 0]
let earlyMb = Number.NaN
for (let atMs = fromMs; atMs < toMs; atMs += STEP_MS) {
  const beganMs = performance.now()
  await clock.advance(STEP_MS)
  socket.send('{"method":"ping"}')
  frames += socket.frames.splice(0).length
  playedMs += performance.now() - beganMs
  mostMb = Math.max(mostMb, statusMb('RssAnon'))
  if (Number.isNaN(earlyMb) && atMs - fromMs >= EARLY_MS) earlyMb = await settledMb()
}
const lastMb = await settledMb()

const seeksMs: number[] = []
let heldMs = 0
let place = 12_345
for (let seek = 0; seek < SEEKS; seek++) {
  place = (place * 1_103_515_245 + 12_345) % 2 ** 31
  const atMs = fromMs + Math.floor((place / 2 ** 31) * (toMs - fromMs))
  const beganMs = performance.now()
  let pieceMs = beganMs
  const endPiece = () => {
    heldMs = Math.max(heldMs, performance.now() - pieceMs)
    pieceMs = performance.now()
  }
  for (const _ of player.prepare(atMs)) endPiece()
  playhead.set(clock.nowMs(), { atMs })
  player.seek()
  endPiece()
  seeksMs.push(performance.now() - beganMs)
  socket.frames.splice(0)
}

const costs: TapeCosts = {
  openMs,
  frames,
  playedMs,
  firstMb,
  earlyMb: Number.isNaN(earlyMb) ? lastMb : earlyMb,
  lastMb,
  mostMb,
  fileMb: statusMb('RssFile'),
  seekMs: median(seeksMs),
  seekMostMs: Math.max(...seeksMs),
  seekHeldMs: heldMs,
}
console.log(JSON.stringify(costs))
process.exit(0)
