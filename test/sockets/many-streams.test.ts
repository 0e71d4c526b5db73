/** A seek of a sandbox with very many streams does not block others. */
import { expect, test } from 'bun:test'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'
import { sendJson } from '../fixtures/memory-socket.ts'
import { signedQuery } from '../fixtures/signed-query.ts'

const STREAMS = 200
/** Streams that restart without a turn of others in between. */
const AT_ONCE = 64
const addresses = Array.from({ length: STREAMS }, (_, at) => `0x${String(at).padStart(40, '0')}`)

async function followed() {
  const registry = await fakeRegistry({ clock: 'held', end: 'loop' })
  const { connect } = memoryTransport(registry)
  const path = `/api/upgrade/v2/hl/ws/clearinghouse-state?${signedQuery({ accessKey: 'demo' })}`
  const socket = connect(path) as MemorySocket
  sendJson(socket, { type: 'subscribe', address: addresses })
  const heard = () =>
    socket.frames.splice(0).flatMap((text) => JSON.parse(text).data?.address ?? [])
  expect(heard()).toEqual(addresses)
  return { sandbox: registry.get('default') as Sandbox, heard }
}

test('after a seek each stream restarts, with turns of others in between', async () => {
  const { sandbox, heard } = await followed()
  const { playhead, player, clock } = sandbox
  playhead.set(clock.nowMs(), { atMs: playhead.span.startMs + 5_000 })
  const settling = player.seek()
  const atOnce = heard()
  expect(atOnce.length).toBeLessThanOrEqual(AT_ONCE)
  const later: string[] = []
  for (const _ of settling ?? []) {
    const some = heard()
    expect(some.length).toBeLessThanOrEqual(AT_ONCE)
    later.push(...some)
  }
  expect([...atOnce, ...later]).toEqual(addresses)
})

test('a stream restarts before its first event, and sends its snapshot once', async () => {
  const { sandbox, heard } = await followed()
  const { playhead, player, clock } = sandbox
  playhead.set(clock.nowMs(), { atMs: playhead.span.startMs + 5_000 })
  player.seek()
  await clock.advance(playhead.lapMs)
  const scheduled = Map.groupBy(heard(), (address) => address)
  expect([...scheduled.keys()].sort()).toEqual(addresses)
  expect(new Set([...scheduled.values()].map(({ length }) => length)).size).toBe(1)
})
