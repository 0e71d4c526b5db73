/** A machine or a reader that is slower than the playhead. */
import { expect, test } from 'bun:test'
import { Registry } from '../../src/sandbox/registry.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { fakeWorld, START_MS, signed } from '../fixtures/fake-market.ts'
import { PREFIX, receivedFrames, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'
import { steppedClock } from '../fixtures/stepped-clock.ts'

/** A clock that runs on a machine controlled by the test, and a subscriber of best prices. */
async function follower(options: SandboxOptions = {}) {
  const machine = steppedClock()
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const settings = { clock: 'running', epoch: 'tape', end: 'loop', ...options } as const
  const world = fakeWorld()
  const registry = new Registry(async () => world, [], settings, machine.systemClock, log)
  const sandbox = await registry.open()
  const join = () => {
    const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
    sendJson(socket, subscribeFrame({ type: 'bbo', coin: 'BTC' }))
    return socket
  }
  const lagMs = () => sandbox.playhead.lagMs(sandbox.clock.nowMs())
  const entries = () =>
    [...sandbox.journal.after(0)].flatMap((entry) =>
      entry.kind === 'playhead' && entry.event !== 'lap' ? [entry.event] : [],
    )
  return { machine, sandbox, socket: join(), join, lagMs, lines, entries }
}

const bboTimes = (socket: MemorySocket): number[] =>
  receivedFrames(socket).flatMap(({ channel, data }) => (channel === 'bbo' ? [data.time] : []))

const seconds = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => START_MS + (from + at) * 1000)

test('late events are given up, and all played ones are pushed', async () => {
  const { machine, sandbox, socket, lagMs, lines, entries } = await follower({ speed: 10_000 })
  machine.slow(0.5)
  const all: number[] = []
  for (let step = 0; step < 200; step++) {
    await machine.pass(20, 2)
    all.push(...bboTimes(socket))
    const { atMs, shiftMs } = sandbox.position()
    expect(Math.floor((atMs + shiftMs) / 1000) * 1000).toBe(
      (all.at(-1) as number) + (shiftMs % 1000),
    )
  }
  expect(all.slice(0, 60)).toEqual(seconds(0, 59))
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  expect(new Set(all).size).toBe(all.length)
  expect(lagMs()).toBeGreaterThan(2_000)
  expect(entries()).toEqual(['behind'])
  expect(lines).toEqual([
    'the playhead of sandbox default, at speed 10000, cannot be followed: ' +
      'the market goes as fast as can be done',
  ])
})

test('setting the playhead ends the lag', async () => {
  const { machine, sandbox, lagMs, lines, entries } = await follower({ speed: 10_000 })
  machine.slow(0.5)
  await machine.pass(5_000)
  const here = sandbox.position()
  expect(lagMs()).toBeGreaterThan(2_000)
  machine.slow(0)
  sandbox.playhead.set(sandbox.clock.nowMs(), { speed: 1 })
  sandbox.player.reposition()
  const shownMs = () => sandbox.position().atMs + sandbox.position().shiftMs
  expect([lagMs(), shownMs()]).toEqual([0, here.atMs + here.shiftMs])
  expect(entries()).toEqual(['behind', 'followed'])
  expect(lines.length).toBe(2)
  await machine.pass(5_000)
  expect([lagMs(), shownMs()]).toEqual([0, here.atMs + here.shiftMs + 5_000])
})

test('a lag of less than two seconds is caught up without a report', async () => {
  const { machine, sandbox, socket, lagMs, entries } = await follower({ speed: 20 })
  bboTimes(socket)
  machine.slow(0.2)
  await machine.pass(1_500, 0)
  machine.slow(0.01)
  await machine.pass(0, 30)
  expect(bboTimes(socket)).toEqual(seconds(1, 30))
  expect([lagMs(), entries()]).toEqual([0, []])
  expect(sandbox.playhead.isWaiting).toBe(false)
})

test('a moved clock gives up nothing, however slow the machine is', async () => {
  const run = async (lookMs: number) => {
    const { machine, sandbox, socket, lagMs } = await follower({ speed: 1_000, clock: 'held' })
    machine.slow(lookMs)
    await sandbox.clock.advance(50)
    expect(lagMs()).toBe(0)
    return socket.frames
  }
  expect(await run(5)).toEqual(await run(0))
})

test('the lag of a held clock stays, and is not played', async () => {
  const { machine, sandbox, socket } = await follower({ speed: 1_000 })
  machine.slow(0.5)
  await machine.pass(30, 1)
  machine.slow(0)
  sandbox.player.settle()
  const here = sandbox.position()
  await sandbox.clock.set({ state: 'held' })
  bboTimes(socket)
  await machine.pass(1_000, 30)
  expect([sandbox.position(), bboTimes(socket)]).toEqual([here, []])
  await sandbox.clock.advance(5)
  expect(sandbox.position().atMs - here.atMs).toBe(5_000)
  expect(bboTimes(socket).length).toBe(5)
})

test('a new subscriber gets the pushes after the snapshot, and nothing twice', async () => {
  const { machine, socket, join } = await follower()
  machine.slow(40)
  const sockets = [socket]
  for (let count = 0; count < 8; count++) {
    sockets.push(join())
    await machine.pass(90, 3)
  }
  machine.slow(0)
  await machine.pass(3_000)
  for (const one of sockets) {
    const times = bboTimes(one)
    expect(times.length).toBeGreaterThan(2)
    const first = ((times[0] as number) - START_MS) / 1000
    expect(times).toEqual(seconds(first, first + times.length - 1))
  }
})
