/** Every open question, answered each way. */
import { expect, test } from 'bun:test'
import { QUESTIONS } from '../src/contract/questions.ts'
import { hubOf } from '../src/session/hub.ts'
import { memory } from '../src/transport/memory/memory.ts'
import { ADDRESS, START_MS, signed, toyRegistry } from './toy-market.ts'
import { heard, open, say, subscribe } from './toy-socket.ts'

const P = '/api/upgrade/v2'

/** What was seen under each answer to a question. */
const seen: Record<string, (answer: string) => Promise<unknown>> = {
  async 'nonce-reuse'(answer) {
    const get = await getter({ 'nonce-reuse': answer })
    const query = signed()
    return [1, 2].map(() => get(`/hl/tickers?${query}`).status)
  },
  async 'refusal-status'(answer) {
    const get = await getter({ 'refusal-status': answer })
    return ['/coin', `/coin/ticker?${signed()}`].map((path) => get(path).status)
  },
  async 'unknown-pair'(answer) {
    const get = await getter({ 'unknown-pair': answer })
    const full = get(`/futures/full-depth?dbKey=x:y&${signed()}`)
    const grouped = get(`/futures/full-depth/grouped?dbKey=x:y&groupSize=1&${signed()}`)
    return [full, grouped].map(({ status, data }) => [status, data?.bids])
  },
  async 'republish-after'(answer) {
    const { socket, advance } = await paused({ 'republish-after': answer })
    let seconds = 0
    for (heard(socket); socket.frames.length === 0; seconds++) await advance(1_000)
    return seconds
  },
  async 'stale-after'(answer) {
    const { socket, advance } = await paused({ 'stale-after': answer, 'republish-after': '1s' })
    let seconds = 0
    for (; !socket.frames.at(-1)?.includes('"stale":true'); seconds++) await advance(1_000)
    return seconds
  },
  async 'stale-place'(answer) {
    const { socket, advance } = await paused({ 'stale-place': answer })
    await advance(10_000)
    const frame = heard(socket).at(-1)
    return [frame.data.stale ?? false, frame.stale ?? false]
  },
  async 'trades-snapshot'(answer) {
    const { socket } = await open('/ws', { questions: { 'trades-snapshot': answer } })
    say(socket, subscribe({ type: 'trades', coin: 'BTC' }))
    return heard(socket).length
  },
  async 'address-channel-second-user'(answer) {
    const questions = { 'address-channel-second-user': answer }
    const { socket, sandbox } = await open('/ws', { questions })
    for (const user of [ADDRESS, ADDRESS.replace('aa', 'bb')])
      say(socket, subscribe({ type: 'userFills', user }))
    expect(heard(socket)).toHaveLength(4)
    const [session] = hubOf(sandbox).sessions
    return session?.streams.size
  },
  async 'account-state-first'(answer) {
    const questions = { 'account-state-first': answer }
    const { socket } = await open('/ws/clearinghouse-state', { questions })
    say(socket, { type: 'subscribe', address: [ADDRESS] })
    return heard(socket).length
  },
}

const expected: Record<string, Record<string, unknown>> = {
  'nonce-reuse': { accept: [200, 200], reject: [200, 401] },
  'refusal-status': { http: [401, 400], ok: [200, 200] },
  'unknown-pair': {
    refuse: [
      [400, undefined],
      [400, undefined],
    ],
    empty: [
      [200, []],
      [200, []],
    ],
  },
  'republish-after': { '1s': 1, '5s': 5, '15s': 15 },
  'stale-after': { '5s': 5, '10s': 10, '30s': 30 },
  'stale-place': { data: [true, false], frame: [false, true], both: [true, true] },
  'trades-snapshot': { recent: 2, none: 1 },
  'address-channel-second-user': { replace: 1, both: 2 },
  'account-state-first': { push: 2, wait: 1 },
}

for (const [id, { answers }] of Object.entries(QUESTIONS))
  for (const answer of Object.keys(answers))
    test(`question ${id}: ${answer}`, async () => {
      expect(await seen[id]?.(answer)).toEqual(expected[id]?.[answer] as never)
      expect(expected[id]).toHaveProperty([answer])
    })

async function getter(questions: Record<string, string>) {
  const { request } = memory(await toyRegistry({ questions }))
  return (path: string) => {
    const { status, body } = request('GET', `${P}${path}`)
    return { status, data: JSON.parse(body).data }
  }
}

/** A subscriber to a book that stands still. */
async function paused(questions: Record<string, string>) {
  const { socket, sandbox, advance } = await open('/ws', { questions, speed: 0 })
  say(socket, subscribe({ type: 'l2Book', coin: 'BTC' }))
  expect(sandbox.here().atMs).toBe(START_MS)
  return { socket, advance }
}
