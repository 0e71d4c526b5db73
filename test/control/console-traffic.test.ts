/** The console's own requests and sockets are marked in the journal, and left out by default. */
import { expect, test } from 'bun:test'
import { control as controlClient } from '../../src/clients/control/control.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

const FULL = { accessKey: 'demo' }
const CONSOLE = '/console/s/default'

async function market() {
  const { origin, registry } = await serve()
  const own = controlClient(origin).sandbox('default')
  const transport = memoryTransport(registry)
  const get = (base: string) =>
    transport.request('GET', `${base}${PREFIX}/hl/tickers?${signedQuery(FULL)}`)
  const subscribe = (base: string) => {
    const socket = transport.connect(`${base}${PREFIX}/hl/ws?${signedQuery(FULL)}`) as MemorySocket
    socket.send('{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC"}}')
    return socket
  }
  return { origin, own, get, subscribe }
}

test('a client counts its own requests, whatever the console asks with the same key', async () => {
  const { own, get } = await market()
  for (const base of ['', CONSOLE, CONSOLE]) expect(get(base).status).toBe(200)
  expect(await own.journal.count({ key: 'demo' })).toMatchObject({ count: 1 })
  expect(await own.journal.count({ key: 'demo', console: true })).toMatchObject({ count: 3 })
  const { entries } = await own.journal.read({ kind: 'request', console: true })
  expect(entries.map(({ via }) => via)).toEqual([null, 'console', 'console'])
  expect((await own.journal.read()).entries.map(({ via }) => via)).toEqual([null])
})

test("the console's requests have the journal's marks over a port, refused ones too", async () => {
  const { origin, own } = await market()
  const wrong = signedQuery({ accessKey: 'demo', secretKey: 'wrong' })
  for (const path of ['/hl/tickers', '/no/such/path', '/hl/ws'])
    await fetch(`${origin}${CONSOLE}${PREFIX}${path}?${wrong}`)
  const { opened } = connectSocket(origin, `${CONSOLE}${PREFIX}/hl/ws?${signedQuery(FULL)}`)
  expect(await opened).toBe(true)
  const { entries } = await own.journal.read({ console: true })
  expect(entries.map(({ kind, via }) => [kind, via])).toEqual([
    ['request', 'console'],
    ['request', 'console'],
    ['socket', 'console'],
    ['socket', 'console'],
  ])
  expect((await own.journal.read()).entries).toEqual([])
  const [connection] = await own.connections.list()
  expect(connection).toMatchObject({ via: 'console' })
})

test('frames to the console take no room in the journal until they are followed', async () => {
  const { own, subscribe } = await market()
  const console = subscribe(CONSOLE)
  const client = subscribe('')
  expect([console.frames.length, client.frames.length]).toEqual([2, 2])
  const kinds = async () => {
    const { entries } = await own.journal.read({ console: true })
    return entries.map(({ kind, via }) => `${kind} ${via}`)
  }
  const opened = ['socket console', 'socket null']
  const frames = ['frame null', 'frame null', 'frame null']
  expect(await kinds()).toEqual([...opened, ...frames])
  const following = await own.journal.follow({ console: true })
  console.send('{"method":"ping"}')
  expect((await following.next()).value).toMatchObject({ kind: 'frame', via: 'console' })
  expect((await kinds()).slice(5)).toEqual(['frame console', 'frame console'])
  await following.return()
})
