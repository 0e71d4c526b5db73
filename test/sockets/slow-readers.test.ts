/** Clients that do not read, and many clients at once. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { parseQuery } from '../../src/sandbox/pipeline/http-message.ts'
import type { Delivery } from '../../src/sandbox/playhead.ts'
import type { Registry } from '../../src/sandbox/registry.ts'
import type { Session } from '../../src/sandbox/session/session.ts'
import { openSession, socketOf } from '../../src/sandbox/session/socket-upgrade.ts'
import { hubOf } from '../../src/sandbox/session/subscription-hub.ts'
import { fakeRegistry, signed } from '../fixtures/fake-market.ts'
import { PREFIX, subscribeFrame } from '../fixtures/memory-socket.ts'
import { steppedClock } from '../fixtures/stepped-clock.ts'

/** A client that takes its frames, or does not. */
function client(registry: Registry) {
  const endpoint = socketOf(`${PREFIX}/ws`)
  if (!endpoint) throw new Error('no such socket')
  const opened = openSession(registry, endpoint.socket, parseQuery(signed()), {
    path: `${PREFIX}/ws`,
  })
  if ('response' in opened) throw new Error('not let in')
  const state = { frames: 0, isReading: true, untakenBytes: 0, closeCode: 0 }
  const session: Session = opened.open({
    send(frames) {
      state.frames += frames.length
      if (!state.isReading) state.untakenBytes += 2 << 20
    },
    pendingBytes: () => state.untakenBytes,
    close(code) {
      state.closeCode = code
    },
    terminate() {},
  })
  const frame = JSON.stringify(subscribeFrame({ type: 'bbo', coin: 'BTC' }))
  runToEnd(session.receive(frame))
  return { state, session }
}

async function market(speed: number | 'max', lookMs = 0, delivery: Delivery = 'paced') {
  const machine = steppedClock(lookMs)
  const registry = await fakeRegistry(
    { clock: 'running', speed, end: 'loop', delivery },
    60,
    machine.systemClock,
  )
  const sandbox = registry.list()[0]
  if (!sandbox) throw new Error('no default sandbox')
  return { machine, registry, sandbox, hub: hubOf(sandbox) }
}

test('at more than the recorded speed the tape waits for a slow client', async () => {
  const { machine, registry, sandbox } = await market(10)
  const [slow, quick] = [client(registry), client(registry)]
  slow.state.isReading = false
  await machine.pass(100)
  expect(quick.state.frames).toBe(3)
  await machine.pass(900)
  expect([quick.state.frames, sandbox.playhead.isWaiting]).toEqual([3, true])
  slow.state.isReading = true
  slow.state.untakenBytes = 0
  await machine.pass(10, 40)
  expect([quick.state.frames, sandbox.playhead.isWaiting]).toEqual([12, false])
  expect(slow.state.frames).toBe(12)
})

test('the tape stops waiting for a stalled client, which loses frames', async () => {
  const { machine, registry, hub } = await market('max', 0.01)
  const [stuck, quick] = [client(registry), client(registry)]
  stuck.state.isReading = false
  for (let step = 0; step < 2_000 && stuck.session.sendQueue.length < 20_000; step++)
    await machine.pass(20, 20)
  expect(stuck.session.sendQueue.length).toBe(20_000)
  const sent = quick.state.frames
  await machine.pass(20, 100)
  expect(quick.state.frames).toBeGreaterThan(sent)
  expect([stuck.session.sendQueue.length, hub.queuedCount]).toEqual([20_000, 20_000])
  stuck.session.onClosed()
  expect(hub.queuedCount).toBe(0)
})

test('at the recorded speed the tape does not wait', async () => {
  const { machine, registry } = await market(1)
  const [stuck, quick] = [client(registry), client(registry)]
  stuck.state.isReading = false
  for (let second = 0; second < 30; second++) await machine.pass(1_000)
  expect([quick.state.frames, stuck.state.frames, stuck.session.sendQueue.length]).toEqual([
    32, 3, 29,
  ])
})

test('a lossless tape waits for the slowest at any speed, and nothing is lost', async () => {
  for (const speed of [1, 10] as const) {
    const { machine, registry, sandbox, hub } = await market(speed, 0, 'lossless')
    const [stuck, quick] = [client(registry), client(registry)]
    stuck.state.isReading = false
    for (let step = 0; step < 20; step++) await machine.pass(500, 4)
    const { atMs } = sandbox.position()
    // Longer than the tape waits otherwise.
    for (let step = 0; step < 20; step++) await machine.pass(1_000, 4)
    expect([sandbox.position().atMs, sandbox.playhead.isWaiting]).toEqual([atMs, true])
    stuck.state.isReading = true
    stuck.state.untakenBytes = 0
    for (let step = 0; step < 20; step++) await machine.pass(100, 20)
    expect(sandbox.position().atMs).toBeGreaterThan(atMs)
    expect(stuck.state.frames).toBe(quick.state.frames)
    expect(hub.discardedCount).toBe(0)
    registry.close()
  }
})

test('a live tape does not wait: the frames that a slow client loses are counted', async () => {
  const { machine, registry, sandbox, hub } = await market(10, 0, 'live')
  const [stuck, quick] = [client(registry), client(registry)]
  stuck.state.isReading = false
  hub.queueBounds.frames = 5
  for (let step = 0; step < 40; step++) await machine.pass(100, 4)
  expect(quick.state.frames).toBeGreaterThan(30)
  expect(sandbox.playhead.isWaiting).toBe(false)
  expect([stuck.session.sendQueue.length, hub.queuedCount]).toEqual([5, 5])
  const lost = quick.state.frames - stuck.state.frames - 5
  expect([stuck.session.sendQueue.discardedCount, hub.discardedCount]).toEqual([lost, lost])
  stuck.session.onClosed()
  expect(hub.discardedCount).toBe(lost)
})

test('a thousand subscribers get every frame, those of an instant one snapshot', async () => {
  const { machine, registry, sandbox, hub } = await market(1)
  let snapshots = 0
  const { facts } = sandbox.world
  Object.assign(sandbox.world, {
    facts: (moment: Parameters<typeof facts>[0]) => {
      const all = facts(moment)
      const bbo = (coin: string) => {
        snapshots++
        return all.books.bbo(coin)
      }
      return { ...all, books: { ...all.books, bbo } }
    },
  })
  const clients = Array.from({ length: 1_000 }, () => client(registry))
  expect([snapshots, hub.subscriptionCount, hub.sessions.size]).toEqual([1, 1_000, 1_000])
  await machine.pass(2_000, 500)
  expect(clients.map(({ state }) => state.frames)).toEqual(clients.map(() => 4))
  for (const { session } of clients) hub.departures.add(session)
  await machine.pass(1, 500)
  expect([hub.subscriptionCount, hub.sessions.size, hub.countsOfKey('demo').connections]).toEqual([
    0, 0, 0,
  ])
})

test('a thousand connections of a sandbox that is reset end at once, closed in turns', async () => {
  const { machine, registry, sandbox, hub } = await market(1)
  const clients = Array.from({ length: 1_000 }, () => client(registry))
  sandbox.reset()
  const closed = () => clients.filter(({ state }) => state.closeCode === 1000).length
  expect(closed()).toBeGreaterThan(0)
  expect([hub.subscriptionCount, hub.sessions.size]).toEqual([0, 0])
  const scheduled = clients.map(({ state }) => state.frames)
  await machine.pass(2_000, 500)
  expect(closed()).toBe(1_000)
  expect(clients.map(({ state }) => state.frames)).toEqual(scheduled)
})
