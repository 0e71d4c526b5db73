/** Silence of a stream and silence of its source are two things: only the second makes it stale. */
import { expect, test } from 'bun:test'
import { Registry } from '../src/sandbox/registry.ts'
import type { Stage } from '../src/sandbox/stage.ts'
import { type MemorySocket, memory } from '../src/transport/memory/memory.ts'
import { still } from './still-machine.ts'
import { ADDRESS, signed, toyStage } from './toy-market.ts'
import { heard, P, say, subscribe } from './toy-socket.ts'

type Kind = ReturnType<Stage['story']['chunk']>[number]['kind']

/** The toy market, in which only some kinds of things still happen after the first seconds. */
async function market(kinds: readonly Kind[], questions: Record<string, string> = {}) {
  const whole = toyStage()
  const { startMs, chunk } = whole.story
  const kept = (index: number) =>
    chunk(index).filter(({ kind, timeMs }) => timeMs <= startMs + 2_000 || kinds.includes(kind))
  const quiet = {
    ...whole,
    story: { ...whole.story, chunk: kept },
    facts: (moment: Parameters<Stage['facts']>[0]) => {
      const facts = whole.facts(moment)
      const orders = { frontendOpen: () => [] }
      return Object.assign(facts, { orders })
    },
  } as Stage
  const wish = { clock: 'held', epoch: 'tape', questions } as const
  const registry = new Registry(async () => quiet, ['HL_TICKERS'], wish, still)
  const sandbox = await registry.open()
  const socket = memory(registry).connect(`${P}/ws?${signed()}`) as MemorySocket
  for (const subscription of [
    { type: 'l2Book', coin: 'BTC' },
    { type: 'bbo', coin: 'BTC' },
    { type: 'candle', coin: 'BTC', interval: '1m' },
    { type: 'openOrders', user: ADDRESS },
    { type: 'trades', coin: 'BTC' },
    { type: 'userFills', user: ADDRESS },
  ])
    say(socket, subscribe(subscription))
  heard(socket)
  return { socket, sandbox }
}

/** Channels that are heard in half a minute of that, and those of them that say `stale`. */
async function spoken(kinds: readonly Kind[], questions: Record<string, string> = {}) {
  const { socket, sandbox } = await market(kinds, questions)
  await sandbox.clock.advance(5_000)
  heard(socket)
  await sandbox.clock.advance(30_000)
  const frames = heard(socket)
  const channels = (of: typeof frames) => [...new Set(of.map(({ channel }) => channel))].sort()
  const isStale = (frame: (typeof frames)[number]) => frame.stale ?? frame.data.stale ?? false
  return { all: channels(frames), stale: channels(frames.filter(isStale)) }
}

const STATES = ['bbo', 'candle', 'l2Book', 'openOrders']

test('a quote that has not changed is sent again, not stale while its book lives', async () => {
  expect(await spoken(['book'])).toEqual({ all: STATES, stale: [] })
})

test('when books stand still and trades go on, books and quotes alone are stale', async () => {
  const { stale } = await spoken(['trade'])
  expect(stale).toEqual(['bbo', 'l2Book'])
})

test('when nothing happens at all, everything that is sent again is stale', async () => {
  expect(await spoken([])).toEqual({ all: STATES, stale: STATES })
})

test('who subscribes after a book has expired is told so at once', async () => {
  const { socket, sandbox } = await market([])
  await sandbox.clock.advance(20_000)
  heard(socket)
  say(socket, subscribe({ type: 'l2Book', coin: 'BTC', nSigFigs: 4 }))
  expect(heard(socket).at(-1)).toMatchObject({ channel: 'l2Book', data: { stale: true } })
})

test('a list that is sent again says it beside its data', async () => {
  const { socket, sandbox } = await market([], { 'republished-channels': 'all' })
  await sandbox.clock.advance(20_000)
  const trades = heard(socket).filter(({ channel }) => channel === 'trades')
  expect(trades.at(-1)).toMatchObject({ stale: true, data: [{ coin: 'BTC' }] })
})
