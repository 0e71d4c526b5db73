/** Silence of a stream and silence of its source differ: only the second makes it stale. */
import { expect, test } from 'bun:test'
import type { LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { ADDRESS, fakeWorld, signed } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { PREFIX, receivedFrames, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'

type Kind = ReturnType<LoadedWorld['timeline']['chunk']>[number]['kind']

/** The fake market, in which only some kinds of events continue after the first seconds. */
async function market(kinds: readonly Kind[], questions: Record<string, string> = {}) {
  const world = fakeWorld()
  const { startMs, chunk } = world.timeline
  const remaining = (index: number) =>
    chunk(index).filter(({ kind, timeMs }) => timeMs <= startMs + 2_000 || kinds.includes(kind))
  const quiet = {
    ...world,
    timeline: { ...world.timeline, chunk: remaining },
    facts: (moment: Parameters<LoadedWorld['facts']>[0]) => {
      const facts = world.facts(moment)
      const orders = { frontendOpen: () => [] }
      return Object.assign(facts, { orders })
    },
  } as LoadedWorld
  const options = { clock: 'held', epoch: 'tape', questions } as const
  const registry = new Registry(async () => quiet, ['HL_TICKERS'], options, fixedClock)
  const sandbox = await registry.open()
  const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  for (const subscription of [
    { type: 'l2Book', coin: 'BTC' },
    { type: 'bbo', coin: 'BTC' },
    { type: 'candle', coin: 'BTC', interval: '1m' },
    { type: 'openOrders', user: ADDRESS },
    { type: 'trades', coin: 'BTC' },
    { type: 'userFills', user: ADDRESS },
  ])
    sendJson(socket, subscribeFrame(subscription))
  receivedFrames(socket)
  return { socket, sandbox }
}

/** Channels that push in half a minute of that, and those of them with `stale`. */
async function spoken(kinds: readonly Kind[], questions: Record<string, string> = {}) {
  const { socket, sandbox } = await market(kinds, questions)
  await sandbox.clock.advance(5_000)
  receivedFrames(socket)
  await sandbox.clock.advance(30_000)
  const frames = receivedFrames(socket)
  const channels = (of: typeof frames) => [...new Set(of.map(({ channel }) => channel))].sort()
  const isStale = (frame: (typeof frames)[number]) => frame.stale ?? frame.data.stale ?? false
  return { all: channels(frames), stale: channels(frames.filter(isStale)) }
}

const STATES = ['bbo', 'candle', 'l2Book', 'openOrders']

test('an unchanged quote is repeated, not stale while its book changes', async () => {
  expect(await spoken(['book'])).toEqual({ all: STATES, stale: [] })
})

test('when books stand still and trades continue, only books and quotes are stale', async () => {
  const { stale } = await spoken(['trade'])
  expect(stale).toEqual(['bbo', 'l2Book'])
})

test('without any events, every repetition is stale', async () => {
  expect(await spoken([])).toEqual({ all: STATES, stale: STATES })
})

test('a subscriber after a book has expired gets it as stale at once', async () => {
  const { socket, sandbox } = await market([])
  await sandbox.clock.advance(20_000)
  receivedFrames(socket)
  sendJson(socket, subscribeFrame({ type: 'l2Book', coin: 'BTC', nSigFigs: 4 }))
  expect(receivedFrames(socket).at(-1)).toMatchObject({ channel: 'l2Book', data: { stale: true } })
})

test('a repeated list has the mark beside its data', async () => {
  const { socket, sandbox } = await market([], { 'republished-channels': 'all' })
  await sandbox.clock.advance(20_000)
  const trades = receivedFrames(socket).filter(({ channel }) => channel === 'trades')
  expect(trades.at(-1)).toMatchObject({ stale: true, data: [{ coin: 'BTC' }] })
})
