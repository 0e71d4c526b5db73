/** A running clock, with a market that grows slower or faster than the playhead. */
import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import type { TimelineEvent } from '../../src/contract/timeline.ts'
import type { GrowthListener, LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { fakeWorld, START_MS, signed } from '../fixtures/fake-market.ts'
import { PREFIX, receivedFrames, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'
import { steppedClock } from '../fixtures/stepped-clock.ts'

const TAPE_S = 60
const CHUNK_MS = 10_000

/** The fake market, which continues as far as a test lets it. */
function growingWorld() {
  const whole = fakeWorld(100_000)
  const market = { endMs: START_MS + TAPE_S * 1000, wantedMs: 0 }
  const listeners = new Set<GrowthListener>()
  const waiting: { untilMs: number; resolve: () => void }[] = []
  const known = (events: readonly TimelineEvent[]) =>
    events.filter(({ timeMs }) => timeMs <= market.endMs)
  const world: LoadedWorld = {
    ...whole,
    timeline: {
      ...whole.timeline,
      startMs: tapeMs(START_MS),
      tapeEndMs: tapeMs(START_MS + TAPE_S * 1000),
      get endMs() {
        return tapeMs(market.endMs)
      },
      chunkMs: CHUNK_MS,
      chunk: (index) => known(whole.timeline.chunk(index)),
    },
    growth: {
      ensure(untilMs) {
        market.wantedMs = Math.max(market.wantedMs, untilMs)
        if (untilMs <= market.endMs) return Promise.resolve()
        return new Promise((resolve) => waiting.push({ untilMs, resolve }))
      },
      onGrown(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      hold: () => () => {},
      branch: () => Promise.reject(new Error('no event is scheduled here')),
    },
  }
  const growTo = (seconds: number) => {
    market.endMs = START_MS + seconds * 1000
    for (const listener of listeners) listener.grew()
    for (const { untilMs, resolve } of waiting) if (untilMs <= market.endMs) resolve()
  }
  return { world, market, growTo }
}

async function follower(options: SandboxOptions = {}) {
  const machine = steppedClock()
  const { world, market, growTo } = growingWorld()
  const settings = { clock: 'running', epoch: 'tape', ...options } as const
  const registry = new Registry(async () => world, [], settings, machine.systemClock)
  const sandbox = await registry.open()
  const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  sendJson(socket, subscribeFrame({ type: 'bbo', coin: 'BTC' }))
  receivedFrames(socket)
  const times = () =>
    receivedFrames(socket).flatMap(({ channel, data }) =>
      channel === 'bbo' ? [(data.time - START_MS) / 1000] : [],
    )
  const at = () => (sandbox.position().atMs - START_MS) / 1000
  return { machine, sandbox, market, growTo, times, at }
}

const seconds = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => from + place)

test('it is grown some minutes ahead, and not before the playhead comes near', async () => {
  const { machine, market, growTo, at } = await follower({ at: 1_000 })
  expect(market.wantedMs).toBe(START_MS + 601_000)
  growTo(2_000)
  await machine.pass(1_000_000, 20)
  expect([at(), market.wantedMs]).toEqual([1_001, START_MS + 601_000])
  await machine.pass(700_000, 20)
  expect(market.wantedMs).toBeGreaterThan(START_MS + 2_000_000)
  expect(at()).toBe(1_701)
})

test('without a grown market the playhead waits, and new events are played once', async () => {
  const { machine, sandbox, growTo, times, at } = await follower({ at: 55_000 })
  await machine.pass(30_000, 20)
  expect([at(), times()]).toEqual([60, seconds(56, 60)])
  expect(sandbox.playhead.isAheadAt(sandbox.clock.nowMs())).toBe(true)
  expect(sandbox.playhead.lagMs(sandbox.clock.nowMs())).toBe(25_000)
  growTo(63.5)
  await machine.pass(10, 20)
  expect(times()).toEqual(seconds(61, 63))
  growTo(400)
  await machine.pass(10, 20)
  // A lag above two seconds is given up: the market continues from its position.
  expect(at()).toBeLessThan(90)
  await machine.pass(5_000, 20)
  const played = times()
  expect(played).toEqual(seconds(64, played.at(-1) as number))
  expect(sandbox.playhead.isAheadAt(sandbox.clock.nowMs())).toBe(false)
})

test('at max the whole grown market is played, and more is requested', async () => {
  const { machine, market, growTo, times } = await follower({ speed: 'max' })
  await machine.pass(10, 50)
  expect(times()).toEqual(seconds(1, 60))
  expect(market.wantedMs).toBeGreaterThan(START_MS + 300_000)
  growTo(500)
  await machine.pass(10, 50)
  expect(times()).toEqual(seconds(61, 500))
})

test('a playhead set to hold grows nothing', async () => {
  const { machine, market, at } = await follower({ end: 'hold' })
  await machine.pass(100_000, 20)
  expect([at(), market.wantedMs]).toEqual([60, 0])
})
