/** Group sends to subscribers of the same streams are invisible to clients. */
import { expect, test } from 'bun:test'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

const CLIENTS = 20
const path = () => `${PREFIX}/hl/ws?${signedQuery({ accessKey: 'demo' })}`
const [bbo, trades] = ['bbo', 'trades'].map((type) => subscribeFrame({ type, coin: 'BTC' }))
const leave = { method: 'unsubscribe', subscription: { type: 'trades', coin: 'BTC' } }
const PING = { method: 'ping' }

/** Clients on a port, and one in memory, which is served by itself. */
async function crowd(count = CLIENTS) {
  const { origin, registry, control } = await serve()
  const alone = memoryTransport(registry).connect(path()) as MemorySocket
  const clients = Array.from({ length: count }, () => connectSocket(origin, path()))
  await Promise.all(clients.map(({ opened }) => opened))
  /** All clients send it, and receive what the one in memory receives. */
  const say = async (message: object, who = clients) => {
    sendJson(alone, message)
    for (const { socket } of who) socket.send(JSON.stringify(message))
    await hear(who)
  }
  const hear = async (who = clients) => {
    const frames = alone.frames.splice(0).map((text) => JSON.parse(text))
    const heard = await Promise.all(who.map((client) => client.frames(frames.length)))
    expect(heard).toEqual(who.map(() => frames))
    return frames
  }
  const advance = (ms: number) => control('POST', '/sandboxes/default/clock/advance', { ms })
  return { alone, clients, say, hear, advance, sandbox: registry.list()[0] }
}

test('all clients receive the same frames, in the same order as a single one', async () => {
  const { say, hear, advance, sandbox, clients } = await crowd()
  await say(bbo as object)
  await say(trades as object)
  await advance(10_000)
  expect((await hear()).length).toBe(15)
  await say(PING)
  await advance(1_000)
  await say(PING)
  expect(clients.length).toBe(CLIENTS)
  const sent = [...(sandbox?.journal.after(0) ?? [])].flatMap((entry) =>
    entry.kind === 'frame' && entry.direction === 'out' ? [entry] : [],
  )
  const texts = Map.groupBy(sent, ({ connection }) => connection)
  expect(texts.size).toBe(CLIENTS + 1)
  const [first = []] = [...texts.values()].map((entries) => entries.map(({ text }) => text))
  for (const entries of texts.values()) expect(entries.map(({ text }) => text)).toEqual(first)
})

test('a client that unsubscribes receives no more frames, and the others do', async () => {
  const { alone, clients, say, hear, advance } = await crowd()
  await say(bbo as object)
  await say(trades as object)
  await advance(2_000)
  await hear()
  const [gone, ...others] = clients
  if (!gone) throw new Error('no subscriber is there')
  gone.socket.send(JSON.stringify(leave))
  expect((await gone.frames(1))[0].data.status).toBe('unsubscribed')
  await advance(4_000)
  const all = alone.frames.map((text) => JSON.parse(text))
  await hear(others)
  const quotes = all.filter(({ channel }) => channel === 'bbo')
  expect(quotes.length).toBeLessThan(all.length)
  expect(await gone.frames(quotes.length)).toEqual(quotes)
  gone.socket.send(JSON.stringify(PING))
  expect(await gone.frames(1)).toEqual([{ channel: 'pong' }])
})

test('more clients than a group allows receive the same, while others join and leave', async () => {
  const { clients, say, hear, advance } = await crowd(300)
  await say(bbo as object)
  await advance(3_000)
  await hear()
  await say(trades as object)
  for (let gone = 0; gone < 40; gone++) clients.splice(gone * 5, 1)[0]?.socket.close()
  await advance(3_000)
  await hear()
  await say(leave)
  await advance(3_000)
  expect((await hear()).length).toBeGreaterThan(0)
})
