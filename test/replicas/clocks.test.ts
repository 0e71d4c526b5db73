/** Clocks of replicas: moves are followed, and running ones keep the time of the store. */
import { describe, expect, test } from 'bun:test'
import { ReferenceClock } from '../../src/clock/reference-clock.ts'
import { bringUpToDate } from '../../src/sandbox/pipeline/shared-request.ts'
import type { RedisStore } from '../../src/sandbox/shared-state/redis-store.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { signed } from '../fixtures/fake-market.ts'
import { HAS_REDIS, redisServer } from '../fixtures/redis-server.ts'
import { openRedisStore, type Replica, replicaOf, replicasOf } from '../fixtures/replicas.ts'

const SUBSCRIBE = { method: 'subscribe', subscription: { type: 'l2Book', coin: 'BTC' } }

/** A subscriber of books on a replica. */
function subscriber({ registry }: Replica): MemorySocket {
  const socket = memoryTransport(registry).connect(`/api/upgrade/v2/hl/ws?${signed()}`)
  if (!('frames' in socket)) throw new Error(socket.body)
  socket.send(JSON.stringify(SUBSCRIBE))
  return socket
}

const STEPS: readonly [id: string, body: object][] = [
  ['clock.advance', { ms: 3_500 }],
  ['playhead.set', { speed: 3 }],
  ['clock.advance', { ms: 2_000 }],
  ['clock.advance', { ms: 4_000, market: 'stays' }],
  ['playhead.set', { at: 30_000, speed: 1 }],
  ['clock.advance', { ms: 1_000 }],
]

async function played(replicas: readonly Replica[]): Promise<string[][]> {
  const sockets = replicas.map(subscriber)
  for (const [at, [id, body]] of STEPS.entries()) {
    const answer = await (replicas[at % replicas.length] as Replica).control(id, body)
    expect([id, answer.status]).toEqual([id, 200])
    for (const { registry } of replicas) await bringUpToDate(registry, 'default', undefined)
  }
  return sockets.map(({ frames }) => [...frames])
}

describe.skipIf(!HAS_REDIS)('with redis-server', async () => {
  const redis = HAS_REDIS ? await redisServer() : null

  test('subscribers on every replica get the frames of one process', async () => {
    const [alone] = await played([await replicaOf(null)])
    const three = await played(await replicasOf(redis?.url('frames') ?? '', 3))
    expect(alone?.length).toBeGreaterThan(8)
    for (const frames of three) expect(frames).toEqual(alone as string[])
  })

  test('running clocks show the same time, also after a move', async () => {
    const replicas: Replica[] = []
    const stores: RedisStore[] = []
    for (let at = 0; at < 3; at++) {
      const store = await openRedisStore(redis?.url('running') ?? '')
      stores.push(store)
      const systemClock = store.connection.clock
      replicas.push(await replicaOf(store, { options: { clock: 'running' }, systemClock }))
    }
    const errorMs = 2 * Math.max(...stores.map(({ connection }) => connection.clock.errorMs))
    const times = () => replicas.map(({ registry }) => registry.get('default')?.clock.nowMs() ?? 0)
    const spread = () => Math.max(...times()) - Math.min(...times())
    expect(spread()).toBeLessThan(errorMs + 1)
    const before = times()[2] as number
    const moved = await replicas[1]?.control('clock.advance', { ms: 40_000, market: 'stays' })
    expect(moved?.status).toBe(200)
    for (const { registry } of replicas) await bringUpToDate(registry, 'default', undefined)
    expect(times()[2]).toBeGreaterThanOrEqual(before + 40_000)
    expect(spread()).toBeLessThan(errorMs + 1)
  })
})

test('a reference clock follows small differences, and a set clock only in its wall time', () => {
  let hostMs = 1_000
  const host = { nowMs: () => 5_000_000, monotonicMs: () => hostMs } as never
  const clock = new ReferenceClock(host)
  clock.measure(9_000_000, 999, 1_001)
  expect([clock.nowMs(), clock.monotonicMs(), clock.errorMs]).toEqual([9_000_000, 1_000, 1])
  hostMs = 2_000
  clock.measure(9_001_004, 2_000, 2_000)
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([9_001_004, 2_004])
  clock.measure(12_601_004, 2_000, 2_000)
  expect([clock.nowMs(), clock.monotonicMs()]).toEqual([12_601_004, 2_004])
  // It stands still rather than going back.
  clock.measure(12_601_000, 2_000, 2_000)
  expect(clock.nowMs()).toBe(12_601_004)
  hostMs = 2_005
  expect(clock.nowMs()).toBe(12_601_005)
})
