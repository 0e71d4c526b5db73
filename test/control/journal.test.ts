/** The entries of a sandbox's journal, and its filters. */
import { expect, test } from 'bun:test'
import { control as controlClient } from '../../src/clients/control/control.ts'
import { credentials } from '../../src/contract/signature.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { ADDRESS, fakeRegistry, signed } from '../fixtures/fake-market.ts'
import { fixedClockS } from '../fixtures/fixed-clock.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

const JOURNAL = '/sandboxes/default/journal'
const FULL = { accessKey: 'demo' }

interface Entries {
  entries: Record<string, unknown>[]
  dropped: number
  newest: number
}

async function testServer() {
  const { origin, control, registry } = await serve()
  const get = (path: string, query = signedQuery(FULL)) => fetch(`${origin}${path}?${query}`)
  const read = async (filter = '') =>
    (await control('GET', `${JOURNAL}?${filter}`)).body as unknown as Entries
  const count = async (filter: string) =>
    (await control('GET', `${JOURNAL}/count?${filter}`)).body as unknown as { count: number }
  return { origin, control, registry, get, read, count }
}

test('a request is recorded with its caller, content, time and reason', async () => {
  const { get, read } = await testServer()
  await get(`${PREFIX}/hl/tickers`)
  await get(`${PREFIX}/hl/fills/${ADDRESS}`, `limit=0&${signedQuery(FULL)}`)
  await get(`${PREFIX}/hl/tickers`, signedQuery({ accessKey: 'demo', secretKey: 'wrong' }))
  await get(`${PREFIX}/no/such/path`)
  const { entries, dropped, newest } = await read('kind=request')
  expect([dropped, newest]).toEqual([0, 4])
  const requests = entries.map(({ seq, key, operation, status, refused, subject }) => [
    ...[seq, key, operation, status, refused, subject],
  ])
  expect(requests).toEqual([
    [1, 'demo', 'perpdex.tickers', 200, null, null],
    [2, 'demo', 'perpdex.fillsOfAddress', 400, 'invalid', 'limit'],
    [3, 'demo', 'perpdex.tickers', 401, 'signature', null],
    [4, 'demo', null, 404, 'path', null],
  ])
  expect(entries[0]).toMatchObject({ method: 'GET', path: `${PREFIX}/hl/tickers` })
  for (const name of ['sessionMs', 'tapeMs', 'durationMs'])
    expect(entries[0]).toHaveProperty(name, expect.any(Number))
})

test('neither secrets nor signatures are in it', async () => {
  const { origin, control, registry } = await serve()
  const parts = credentials({
    accessKey: 'demo',
    secretKey: 'demo-secret',
    nonce: 'n',
    timestampS: fixedClockS(),
  })
  await fetch(`${origin}${PREFIX}/coin?${new URLSearchParams({ ...parts })}`)
  await fetch(`${origin}${PREFIX}/hl/info`, {
    method: 'POST',
    body: JSON.stringify({ type: 'userFills', user: ADDRESS, ...parts }),
  })
  await fetch(`${origin}${PREFIX}/distributor/register`, {
    method: 'POST',
    body: '{"invite_token":"demo-invite"}',
  })
  const text = JSON.stringify((await control('GET', JOURNAL)).body)
  expect(text).toContain('AccessKeyId')
  expect(text).not.toContain(parts.Signature)
  const { tenancy } = registry.get('default') as NonNullable<ReturnType<typeof registry.get>>
  for (const { secretKey } of tenancy.keys.values()) expect(text).not.toContain(secretKey)
})

test('entries are counted by operation, path, key, status and refusal', async () => {
  const { get, count, read } = await testServer()
  for (let n = 0; n < 2; n++) await get(`${PREFIX}/hl/tickers`)
  await get(`${PREFIX}/hl/tickers`, signedQuery({ accessKey: 'demo-bare' }))
  const counts = async (filters: string[]) =>
    Promise.all(filters.map(async (filter) => (await count(filter)).count))
  expect(
    await counts([
      'path=/hl/tickers&key=demo',
      'operation=perpdex.tickers',
      'status=403',
      'rule=permission',
      'kind=frame',
      'since=2',
    ]),
  ).toEqual([2, 3, 1, 1, 0, 1])
  expect((await read('limit=1')).entries).toHaveLength(1)
})

test('frames are recorded in both directions, and the life of their socket', async () => {
  const registry = await fakeRegistry()
  const sandbox = registry.get('default') as NonNullable<ReturnType<typeof registry.get>>
  const transport = memoryTransport(registry)
  const socket = transport.connect(`${PREFIX}/hl/ws?${signed()}`) as MemorySocket
  socket.send('{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC"}}')
  await sandbox.clock.advance(1_000)
  socket.close()
  transport.connect(`${PREFIX}/hl/ws`)
  const entries = [...sandbox.journal.after(0)]
  expect(
    entries.map((one) => (one.kind === 'frame' ? one.direction : 'event' in one && one.event)),
  ).toEqual(['opened', 'in', 'out', 'out', 'out', 'closed', 'refused'])
  const sent = entries.flatMap((one) =>
    one.kind === 'frame' && one.direction === 'out' ? [one.text] : [],
  )
  expect(sent).toEqual(socket.frames)
  expect(new Set(entries.map((one) => 'connection' in one && one.connection))).toEqual(
    new Set([1, null]),
  )
})

test('the oldest are dropped and counted; off keeps nothing; clearing removes all', async () => {
  const { control, get, read } = await testServer()
  expect((await control('PUT', JOURNAL, { bytes: 1_000 })).body).toEqual({
    on: true,
    bytes: 1_000,
  } as never)
  for (let n = 0; n < 20; n++) await get(`${PREFIX}/hl/tickers`)
  const { entries, dropped, newest } = await read()
  expect(newest).toBe(20)
  expect(entries.length + dropped).toBe(20)
  expect(entries.length).toBeGreaterThan(1)
  expect(dropped).toBeGreaterThan(10)
  await control('DELETE', JOURNAL)
  await control('PUT', JOURNAL, { on: false })
  await get(`${PREFIX}/hl/tickers`)
  expect(await read()).toEqual({ entries: [], dropped: 0, newest: 20 })
})

test('it is sent live as server-sent events', async () => {
  const { origin, get } = await testServer()
  await get(`${PREFIX}/hl/tickers`)
  const answer = await fetch(`${origin}/_control${JOURNAL}?since=0&kind=request`, {
    headers: { accept: 'text/event-stream' },
  })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  const until = async (count: number) => {
    while (text.split('data: ').length <= count)
      text += new TextDecoder().decode((await reader.read()).value)
  }
  await until(1)
  await get(`${PREFIX}/coin`, '')
  await until(2)
  const events = text.split('\n').filter((line) => line.startsWith('data: '))
  expect(events.map((line) => JSON.parse(line.slice(6)).status)).toEqual([200, 401])
  await reader.cancel()
})

test('responses are kept for refusals, and for all while they are followed', async () => {
  const { origin, get, read } = await testServer()
  const tickers = async (query?: string) => (await get(`${PREFIX}/hl/tickers`, query)).text()
  const answer = await tickers()
  const refusal = await tickers(signedQuery({ ...FULL, secretKey: 'wrong' }))
  const following = await controlClient(origin).journal.follow('default', { answers: true })
  await tickers()
  const { value } = await following.next()
  await following.return()
  expect(value).toMatchObject({ answer, answerLength: answer.length })
  const { entries } = await read('limit=3')
  expect(entries.map((one) => one.answer)).toEqual([null, refusal, answer])
})

test('a socket of one sandbox is not in the journal of another', async () => {
  const { origin, registry } = await serve()
  const other = await registry.create({ name: 'other' })
  const { accessKey, secretKey } = other.keys.full
  const query = signedQuery({ accessKey, secretKey })
  const { opened, socket } = connectSocket(origin, `${PREFIX}/hl/ws?${query}`)
  await opened
  expect(registry.get('default')?.journal.newest).toBe(0)
  expect(other.journal.newest).toBe(1)
  socket.close()
})

test('a reset clears the journal', async () => {
  const { registry, get } = await testServer()
  await get(`${PREFIX}/hl/tickers`)
  const sandbox = registry.get('default')
  sandbox?.reset()
  expect([...(sandbox?.journal.after(0) ?? [])]).toEqual([])
})
