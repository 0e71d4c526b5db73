/** Time in the test's control: alarms, the Date header, steps, conditions, bookmarks, waiting. */
import { expect, test } from 'bun:test'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { START_MS } from '../fixtures/fake-market.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

const AT = '/sandboxes/default'
const DEMO = { accessKey: 'demo' }

interface ControlBody {
  clock: { now: number }
  playhead: { at: number }
  fired: { at: number; what: string }[]
  more: number
  event: Record<string, unknown>
  sandbox: ControlBody
  error: string
  connections: number
}

async function testServer(options = {}) {
  const { origin, control, registry } = await serve(options)
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await control(method, AT + path, body)
    return { status: answer.status, body: answer.body as unknown as ControlBody }
  }
  const subscribe = async (type: string) => {
    const client = connectSocket(origin, `${PREFIX}/hl/ws?${signedQuery(DEMO)}`)
    await client.opened
    client.socket.send(JSON.stringify({ method: 'subscribe', subscription: { type, coin: 'BTC' } }))
    await client.frames(2)
    return client
  }
  return { origin, ask, subscribe, registry }
}

test('a step lists the alarms that fired, in order', async () => {
  const { ask, subscribe } = await testServer({ speed: 0 })
  await subscribe('l2Book')
  const { body } = await ask('POST', '/clock/advance', { ms: 60_000 })
  const silences = body.fired.filter(({ what }) => what === 'silence of l2Book BTC')
  expect(silences.map(({ at }) => at - START_MS)).toEqual(
    Array.from({ length: 11 }, (_, n) => (n + 1) * 5_000),
  )
  expect(body.fired.at(-1)).toEqual({ at: START_MS + 60_000, what: 'idle rule of /hl/ws' })
  expect(body.fired.map(({ at }) => at)).toEqual(
    body.fired.map(({ at }) => at).sort((a, b) => a - b),
  )
  expect(body.more).toBe(0)
})

test('the clock goes to the next minute and the next month', async () => {
  const { ask } = await testServer({ now: Date.UTC(2026, 0, 31, 23, 59, 30) })
  const now = async (to: string) => (await ask('POST', '/clock/advance', { to })).body.clock.now
  expect(await now('next-month')).toBe(Date.UTC(2026, 1, 1))
  expect(await now('next-minute')).toBe(Date.UTC(2026, 1, 1, 0, 1))
  for (const body of [{}, { ms: 1, to: 'next-month' }])
    expect((await ask('POST', '/clock/advance', body)).body.error).toBe('give one of ms and to')
})

test('the Date header is the session clock’s', async () => {
  const nowMs = Date.UTC(2030, 4, 6, 7, 8, 9)
  const { origin, ask } = await testServer({ now: nowMs })
  const date = async (path: string) => (await fetch(origin + path)).headers.get('date')
  expect(await date(`${PREFIX}/hl/tickers`)).toBe('Mon, 06 May 2030 07:08:09 GMT')
  expect(await date('/no/such/path')).toBe('Mon, 06 May 2030 07:08:09 GMT')
  await ask('POST', '/clock/advance', { ms: 61_000 })
  expect(await date(`${PREFIX}/hl/tickers?${signedQuery(DEMO)}`)).toBe(
    'Mon, 06 May 2030 07:09:10 GMT',
  )
})

test('the playhead steps to the next event, of a kind, of a coin', async () => {
  const { ask, subscribe } = await testServer()
  const client = await subscribe('trades')
  const at = async (body: object) => {
    const { event, sandbox } = (await ask('POST', '/playhead/step', body)).body
    return [event.kind, sandbox.playhead.at - START_MS]
  }
  expect(await at({})).toEqual(['book', 1_000])
  expect(await at({ kind: 'trade' })).toEqual(['trade', 2_000])
  expect(await at({ coin: 'BTC', kind: 'bbo' })).toEqual(['bbo', 3_000])
  expect((await client.frames(1))[0].data[0].time).toBe(START_MS + 2_000)
  const none = await ask('POST', '/playhead/step', { coin: 'DOGE' })
  expect([none.status, none.body.error]).toEqual([400, expect.stringContaining('no such event')])
})

test('it runs until a condition is true, and subscribers receive what is between', async () => {
  const { ask, subscribe } = await testServer()
  const client = await subscribe('trades')
  const until = 'coin == BTC and (px >= 111 or bid > 500)'
  const { body } = await ask('POST', '/playhead/run', { until })
  expect(body.event).toMatchObject({ kind: 'trade', px: '111.0' })
  expect(body.sandbox.playhead.at).toBe(START_MS + 10_000)
  expect((await client.frames(5)).map((frame) => frame.data[0].px)).toEqual([
    '103.0',
    '105.0',
    '107.0',
    '109.0',
    '111.0',
  ])
  const wrong = await ask('POST', '/playhead/run', { until: 'px >' })
  expect([wrong.status, wrong.body.error]).toEqual([
    400,
    'condition "px >": a value is missing, at letter 5',
  ])
  const never = await ask('POST', '/playhead/run', { until: 'px > 1e9', withinMs: 5_000 })
  expect(never.body.error).toBe('no such event within 5000 ms of the tape')
  await ask('PUT', '/playhead', { speed: 0 })
  expect((await ask('POST', '/playhead/step', {})).body.error).toContain('its speed is 0')
})

test('a seek sends snapshots to subscribers, and is in the journal', async () => {
  const { ask, subscribe, registry } = await testServer({ epoch: 'tape', speed: 0 })
  const [books, trades] = [await subscribe('l2Book'), await subscribe('trades')]
  for (const at of [40_000, 10_000]) {
    expect((await ask('PUT', '/playhead', { at })).status).toBe(200)
    const [[book], [of]] = [await books.frames(1), await trades.frames(1)]
    expect([book.channel, book.data.time]).toEqual(['l2Book', START_MS + at])
    expect([of.channel, Math.max(...of.data.map((one: { time: number }) => one.time))]).toEqual([
      'trades',
      START_MS + at,
    ])
  }
  await ask('PUT', '/playhead', { speed: 1 })
  const entries = [...(registry.list()[0]?.journal.after(0) ?? [])]
  expect(entries.filter(({ kind }) => kind === 'playhead')).toMatchObject([
    { event: 'seek', tapeMs: START_MS + 40_000 },
    { event: 'seek', tapeMs: START_MS + 10_000 },
  ])
})

test('positions are bookmarked by name', async () => {
  const { ask } = await testServer()
  expect((await ask('PUT', '/playhead/bookmarks/dip', { at: 30_000 })).body as unknown).toEqual({
    bookmark: 'dip',
    at: START_MS + 30_000,
  })
  await ask('POST', '/clock/advance', { ms: 5_000 })
  await ask('PUT', '/playhead/bookmarks/here', {})
  const bookmarks = (await ask('GET', '/playhead/bookmarks')).body as unknown as { at: number }[]
  expect(bookmarks.map(({ at }) => at - START_MS)).toEqual([30_000, 5_000])
  const there = await ask('PUT', '/playhead', { at: 'dip' })
  expect(there.body.playhead.at).toBe(START_MS + 30_000)
  expect((await ask('DELETE', '/playhead/bookmarks/dip')).status).toBe(200)
  expect((await ask('DELETE', '/playhead/bookmarks/dip')).status).toBe(404)
  const gone = await ask('PUT', '/playhead', { at: 'dip' })
  expect([gone.status, gone.body.error]).toEqual([400, 'no bookmark "dip"; there are here'])
  expect((await ask('PUT', '/playhead/bookmarks/1x', {})).status).toBe(400)
})

test('gaps of the tape, faults and bookmarks are marks to go to', async () => {
  const { ask, origin, registry } = await testServer({ epoch: 'tape', speed: 0 })
  const sandbox = registry.list()[0] as Sandbox
  const gap = { fromMs: START_MS + 5_000, toMs: START_MS + 20_000, why: 'nothing was recorded' }
  Object.assign(sandbox.world, { gaps: [gap] })
  await ask('PUT', '/scenario', {
    title: 'Away',
    rules: [{ name: 'away', do: { refuse: { status: 503 } } }],
  })
  await ask('PUT', '/playhead', { at: 30_000 })
  const { status } = await fetch(`${origin}${PREFIX}/hl/tickers?${signedQuery(DEMO)}`)
  expect(status).toBe(503)
  await ask('PUT', '/playhead/bookmarks/start', { at: 0 })
  const mark = (at: number, kind: string, what: string, until = at) => {
    return { at: START_MS + at, until: START_MS + until, kind, what }
  }
  const marks = [
    mark(0, 'bookmark', 'start'),
    mark(5_000, 'gap', 'nothing was recorded', 20_000),
    mark(30_000, 'fault', 'away'),
  ]
  expect((await ask('GET', '/playhead/marks')).body as unknown).toEqual(marks)
  expect((await ask('GET', '/playhead/marks?kind=gap')).body as unknown).toEqual([marks[1]])
})

test('waiting ends when there are enough, or with what is missing', async () => {
  const { ask, subscribe } = await testServer()
  const none = await ask('POST', '/await', { connections: 1, timeoutMs: 0 })
  expect([none.status, none.body.error]).toEqual([408, 'not within 0 ms: connections are 0'])
  const waiting = ask('POST', '/await', { connections: 1, subscriptions: 1, timeoutMs: 60_000 })
  await subscribe('bbo')
  expect((await waiting).body as unknown).toEqual({ connections: 1, subscriptions: 1, queued: 0 })
  expect((await ask('POST', '/await', { queued: 0, timeoutMs: 60_000 })).status).toBe(200)
  expect((await ask('POST', '/await', { timeoutMs: 5 })).status).toBe(400)
  expect((await ask('POST', '/await', { connections: 1 })).status).toBe(200)
  const never = { connections: 1, timeoutMs: 60_001 }
  expect((await ask('POST', '/await', never)).body.error).toContain('timeoutMs')
})
