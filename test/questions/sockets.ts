import { expect } from 'bun:test'
import type { Answers } from '../../src/contract/questions.ts'
import { hubOf } from '../../src/session/hub.ts'
import { ADDRESS, START_MS } from '../toy-market.ts'
import { heard, open, say, subscribe } from '../toy-socket.ts'
import type { Trials } from './trial.ts'

export const sockets: Trials = {
  'republish-after': {
    async see(answer) {
      const { socket, advance } = await paused({ 'republish-after': answer })
      let seconds = 0
      for (heard(socket); socket.frames.length === 0; seconds++) await advance(1_000)
      return seconds
    },
    expected: { '1s': 1, '5s': 5, '15s': 15 },
  },
  'stale-after': {
    async see(answer) {
      const { socket, advance } = await paused({ 'stale-after': answer, 'republish-after': '1s' })
      let seconds = 0
      for (; !socket.frames.at(-1)?.includes('"stale":true'); seconds++) await advance(1_000)
      return seconds
    },
    expected: { '5s': 5, '10s': 10, '30s': 30 },
  },
  'stale-place': {
    async see(answer) {
      const { socket, advance } = await paused({ 'stale-place': answer })
      await advance(10_000)
      const frame = heard(socket).at(-1)
      return [frame.data.stale ?? false, frame.stale ?? false]
    },
    expected: { data: [true, false], frame: [false, true], both: [true, true] },
  },
  'republished-channels': {
    see: async (answer) => (await silent({ 'republished-channels': answer })).again,
    expected: {
      states: ['bbo', 'candle', 'l2Book', 'openOrders'],
      books: ['bbo', 'l2Book'],
      all: ['bbo', 'candle', 'l2Book', 'openOrders', 'trades', 'userFills'],
    },
  },
  'stale-channels': {
    see: async (answer) => (await silent({ 'stale-channels': answer })).stale,
    expected: {
      all: ['bbo', 'candle', 'l2Book', 'openOrders'],
      books: ['bbo', 'l2Book'],
      l2Book: ['l2Book'],
    },
  },
  'trades-snapshot': {
    async see(answer) {
      const { socket } = await open('/ws', { questions: { 'trades-snapshot': answer } })
      say(socket, subscribe({ type: 'trades', coin: 'BTC' }))
      return heard(socket).length
    },
    expected: { recent: 2, none: 1 },
  },
  'address-channel-second-user': {
    async see(answer) {
      const questions = { 'address-channel-second-user': answer }
      const { socket, sandbox } = await open('/ws', { questions })
      for (const user of [ADDRESS, ADDRESS.replace('aa', 'bb')])
        say(socket, subscribe({ type: 'userFills', user }))
      expect(heard(socket)).toHaveLength(4)
      const [session] = hubOf(sandbox).sessions
      return session?.streams.size
    },
    expected: { replace: 1, both: 2 },
  },
  'account-state-first': {
    async see(answer) {
      const questions = { 'account-state-first': answer }
      const { socket } = await open('/ws/clearinghouse-state', { questions })
      say(socket, { type: 'subscribe', address: [ADDRESS] })
      return heard(socket).length
    },
    expected: { push: 2, wait: 1 },
  },
  'idle-close': {
    async see(answer) {
      const { socket, advance } = await open('/ws', { questions: { 'idle-close': answer } })
      await advance(60_000)
      return socket.closeCode
    },
    expected: { drop: 1006, '1000': 1000 },
  },
  'user-pong': {
    async see(answer) {
      const { socket } = await open('/ws/fills', { questions: { 'user-pong': answer } })
      say(socket, { type: 'ping' })
      return heard(socket)[0]
    },
    expected: { type: { type: 'pong' }, channel: { channel: 'pong' } },
  },
  'socket-limits': {
    async see(answer) {
      const { sandbox } = await open('/ws', { questions: { 'socket-limits': answer } })
      const { maxConnections, maxSubscriptions } = sandbox.limitsOf(sandbox.keys.full)
      return [maxConnections, maxSubscriptions]
    },
    expected: { none: [null, null], venue: [10, 1_000] },
  },
}

/** What is sent again while the market stands still, and what of it says `stale`. */
async function silent(questions: Record<string, string>) {
  const { socket, sandbox, advance } = await open('/ws', { questions, speed: 0 })
  const { facts } = sandbox.stage
  sandbox.stage.facts = (moment) =>
    Object.assign(facts(moment), { orders: { frontendOpen: () => [] } })
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
  await advance(20_000)
  const frames = heard(socket)
  const channels = (of: typeof frames) => [...new Set(of.map(({ channel }) => channel))].sort()
  return {
    again: channels(frames),
    stale: channels(frames.filter(({ data, stale }) => data.stale ?? stale)),
  }
}

/** A subscriber to a book that stands still. */
async function paused(questions: Partial<Answers>) {
  const { socket, sandbox, advance } = await open('/ws', { questions, speed: 0 })
  say(socket, subscribe({ type: 'l2Book', coin: 'BTC' }))
  expect(sandbox.here().atMs).toBe(START_MS)
  return { socket, advance }
}
