import { expect } from 'bun:test'
import type { Answers } from '../../../src/contract/questions.ts'
import { hubOf } from '../../../src/sandbox/session/subscription-hub.ts'
import { ADDRESS, START_MS } from '../../fixtures/fake-market.ts'
import {
  openSocket,
  receivedFrames,
  sendJson,
  subscribeFrame,
} from '../../fixtures/memory-socket.ts'
import type { QuestionTrials } from '../../fixtures/question-trial.ts'

export const sockets: QuestionTrials = {
  'republish-after': {
    async see(answer) {
      const { socket, advance } = await paused({ 'republish-after': answer })
      let seconds = 0
      for (receivedFrames(socket); socket.frames.length === 0; seconds++) await advance(1_000)
      return seconds
    },
    expected: { '1s': 1, '5s': 5, '15s': 15 },
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
      const frame = receivedFrames(socket).at(-1)
      return [frame.data.stale ?? false, frame.stale ?? false]
    },
    expected: { data: [true, false], frame: [false, true], both: [true, true] },
  },
  'trades-snapshot': {
    async see(answer) {
      const { socket } = await openSocket('/ws', { questions: { 'trades-snapshot': answer } })
      sendJson(socket, subscribeFrame({ type: 'trades', coin: 'BTC' }))
      return receivedFrames(socket).length
    },
    expected: { recent: 2, none: 1 },
  },
  'address-channel-second-user': {
    async see(answer) {
      const questions = { 'address-channel-second-user': answer }
      const { socket, sandbox } = await openSocket('/ws', { questions })
      for (const user of [ADDRESS, ADDRESS.replace('aa', 'bb')])
        sendJson(socket, subscribeFrame({ type: 'userFills', user }))
      expect(receivedFrames(socket)).toHaveLength(4)
      const [session] = hubOf(sandbox).sessions
      return session?.streams.size
    },
    expected: { replace: 1, both: 2 },
  },
  'account-state-first': {
    async see(answer) {
      const questions = { 'account-state-first': answer }
      const { socket } = await openSocket('/ws/clearinghouse-state', { questions })
      sendJson(socket, { type: 'subscribe', address: [ADDRESS] })
      return receivedFrames(socket).length
    },
    expected: { push: 2, wait: 1 },
  },
  'idle-close': {
    async see(answer) {
      const { socket, advance } = await openSocket('/ws', { questions: { 'idle-close': answer } })
      await advance(60_000)
      return socket.closeCode
    },
    expected: { drop: 1006, '1000': 1000 },
  },
  'user-pong': {
    async see(answer) {
      const { socket } = await openSocket('/ws/fills', { questions: { 'user-pong': answer } })
      sendJson(socket, { type: 'ping' })
      return receivedFrames(socket)[0]
    },
    expected: { type: { type: 'pong' }, channel: { channel: 'pong' } },
  },
  'revoked-sockets': {
    async see(answer) {
      const { socket, sandbox } = await openSocket('/ws', {
        questions: { 'revoked-sockets': answer },
      })
      sandbox.tenancy.addKey({ ...sandbox.keys.full, grants: new Set() })
      sendJson(socket, subscribeFrame({ type: 'bbo', coin: 'BTC' }))
      return [socket.closeCode, receivedFrames(socket).at(-1)?.data]
    },
    expected: {
      closed: [1000, undefined],
      kept: [null, 'Permission denied: HL_WS_NODE'],
    },
  },
  'socket-limits': {
    async see(answer) {
      const { sandbox } = await openSocket('/ws', { questions: { 'socket-limits': answer } })
      const { maxConnections, maxSubscriptions } = sandbox.limitsOf(sandbox.keys.full)
      return [maxConnections, maxSubscriptions]
    },
    expected: { none: [null, null], venue: [10, 1_000] },
  },
}

/** The repeated channels while the market stands still, and those of them with `stale`. */
async function silent(questions: Record<string, string>) {
  const { socket, sandbox, advance } = await openSocket('/ws', { questions, speed: 0 })
  const { facts } = sandbox.world
  sandbox.world.facts = (moment) =>
    Object.assign(facts(moment), { orders: { frontendOpen: () => [] } })
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
  await advance(20_000)
  const frames = receivedFrames(socket)
  const channels = (of: typeof frames) => [...new Set(of.map(({ channel }) => channel))].sort()
  return {
    again: channels(frames),
    stale: channels(frames.filter(({ data, stale }) => data.stale ?? stale)),
  }
}

/** A subscriber to a book that stands still. */
async function paused(questions: Partial<Answers>) {
  const { socket, sandbox, advance } = await openSocket('/ws', { questions, speed: 0 })
  sendJson(socket, subscribeFrame({ type: 'l2Book', coin: 'BTC' }))
  expect<number>(sandbox.position().atMs).toBe(START_MS)
  return { socket, advance }
}
