/** The client's sockets against a real port: received frames, and reconnection. */
import { afterEach, expect, test } from 'bun:test'
import { type Client, client } from '../../src/clients/service/client.ts'
import { ConnectionError } from '../../src/clients/service/errors.ts'
import type { ClientSettings } from '../../src/clients/service/settings.ts'
import { backoffMs } from '../../src/clients/service/settings.ts'
import type { SystemClock } from '../../src/clock/system-clock.ts'
import { hubOf } from '../../src/sandbox/session/subscription-hub.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { serve, serveRegistry } from '../fixtures/test-server.ts'

const open: Client[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

/** Timers that the test fires, by their length. */
function manualTimers() {
  const due = new Set<{ delayMs: number; fire: () => void }>()
  const systemClock: SystemClock = {
    ...fixedClock,
    startTimer(delayMs, fire) {
      const one = { delayMs, fire }
      due.add(one)
      return () => due.delete(one)
    },
  }
  const fire = (minMs: number, maxMs: number) => {
    const found = [...due].filter(({ delayMs }) => delayMs >= minMs && delayMs <= maxMs)
    for (const one of found) {
      due.delete(one)
      one.fire()
    }
    return found.length
  }
  return { systemClock, fire }
}

/** A queue whose next element can be awaited. */
function queue<T>() {
  const elements: T[] = []
  const waiting: (() => void)[] = []
  const put = (one: T) => {
    elements.push(one)
    for (const wake of waiting.splice(0)) wake()
  }
  const next = async (): Promise<T> => {
    while (elements.length === 0) await new Promise<void>((wake) => waiting.push(wake))
    return elements.shift() as T
  }
  return { put, next }
}

function dial(origin: string, settings: Partial<ClientSettings> = {}) {
  const keys = { accessKey: 'demo', secretKey: 'demo-secret' }
  const created = client({ ...keys, systemClock: fixedClock, baseUrl: origin, ...settings })
  open.push(created)
  return created
}

test('a lost connection is reopened, with a new signature and all subscriptions', async () => {
  const { origin, registry, control } = await serve()
  const sandbox = registry.get('default') as NonNullable<ReturnType<typeof registry.get>>
  const { systemClock, fire } = manualTimers()
  const [books, errors] = [queue<string>(), queue<ConnectionError>()]
  const service = dial(origin, { systemClock, onConnectionError: errors.put })
  const subscription = service.subscribe('l2Book', { coin: 'BTC' }, ({ coin }) => books.put(coin))
  await subscription.ready
  expect(await books.next()).toBe('BTC')

  // Ages every earlier signature, and drops silent clients.
  await control('POST', '/sandboxes/default/clock/advance', { ms: 61_000 })
  const lost = await errors.next()
  expect(lost.message).toMatch(/^\/hl\/ws: closed with 1006, tried again in \d+ ms$/)
  expect(hubOf(sandbox).sessions.size).toBe(0)
  expect(fire(0, 250)).toBe(1)
  await service.subscribe('bbo', { coin: 'BTC' }, () => {}).ready
  const [session] = hubOf(sandbox).sessions
  expect([...(session?.streams.values() ?? [])].map(({ channel }) => channel.id)).toEqual([
    'l2Book',
    'bbo',
  ])
})

/** A service that accepts every frame, and replies each time or never. */
function fakeService(says: string | null) {
  const received = queue<string>()
  const app = Bun.serve({
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response('')),
    websocket: {
      message(socket, text) {
        if (says !== null) socket.send(says)
        received.put(String(text))
      },
    },
  })
  return { origin: `http://localhost:${app.port}`, received, stop: () => app.stop(true) }
}

test('heartbeats are sent though the market pushes all the time', async () => {
  const { origin, received, stop } = fakeService(
    '{"channel":"bbo","data":{"coin":"BTC","time":1,"bbo":[null,null]}}',
  )
  const { systemClock, fire } = manualTimers()
  const [quotes, errors] = [queue<number>(), queue<ConnectionError>()]
  const service = dial(origin, { systemClock, onConnectionError: errors.put })
  service.subscribe('bbo', { coin: 'BTC' }, ({ time }) => quotes.put(time))
  expect(await received.next()).toContain('"subscribe"')
  for (let beat = 0; beat < 4; beat++) {
    await quotes.next()
    expect(fire(25_000, 25_000)).toBe(1)
    expect(await received.next()).toBe('{"method":"ping"}')
  }
  await stop()
})

test('a service that is silent after a heartbeat is replaced by a new connection', async () => {
  const { origin, received, stop } = fakeService(null)
  const { systemClock, fire } = manualTimers()
  const errors = queue<ConnectionError>()
  const service = dial(origin, { systemClock, onConnectionError: errors.put })
  service.subscribe('bbo', { coin: 'BTC' }, () => {})
  expect(await received.next()).toContain('"subscribe"')
  expect(fire(25_000, 25_000)).toBe(1)
  expect(await received.next()).toBe('{"method":"ping"}')
  expect(fire(25_000, 25_000)).toBe(1)
  expect((await errors.next()).message).toContain('closed with 1006')
  expect(fire(0, 250)).toBe(1)
  expect(await received.next()).toContain('"subscribe"')
  await stop()
})

test('subscriptions with indistinguishable pushes have separate connections', async () => {
  const { registry, cast, sandbox } = await recordedRegistry()
  const service = dial((await serveRegistry(registry)).origin)
  const [first, second] = cast().openPositions.map(({ address }) => address)
  const [fine, coarse] = [queue<string>(), queue<string>()]
  const px = ({ levels }: { levels: readonly { px: string }[][] }) => levels[0]?.[0]?.px ?? ''
  const all = [
    service.subscribe('l2Book', { coin: 'BTC' }, (book) => fine.put(px(book))),
    service.subscribe('l2Book', { coin: 'BTC', nSigFigs: 2 }, (book) => coarse.put(px(book))),
    service.subscribe('l2Book', { coin: 'ETH' }, () => {}),
    service.subscribe('clearinghouseState', { user: first ?? '' }, () => {}),
    service.subscribe('clearinghouseState', { user: second ?? '' }, () => {}),
    service.subscribe('addressFills', { address: first ?? '' }, () => {}),
    service.subscribe('addressFills', { address: second ?? '' }, () => {}),
    service.subscribe('addressClearinghouseState', { address: first ?? '', dex: 'xyz' }, () => {}),
  ]
  await Promise.all(all.map(({ ready }) => ready))
  expect(await coarse.next()).toMatch(/^\d\d0000?\.?0*$/)
  expect(await fine.next()).not.toMatch(/^\d\d0000?\.?0*$/)
  // Two of /hl/ws, one of fills, one of states.
  expect(hubOf(sandbox).sessions.size).toBe(4)
  for (const one of all) one.close()
})

test('a refused subscription rejects, and the others continue', async () => {
  const { origin } = await serve()
  const service = dial(origin)
  const nothing = service.subscribe('l2Book', { coin: 'NOTHING' }, () => {})
  const book = service.subscribe('l2Book', { coin: 'BTC' }, () => {})
  expect(String(await nothing.ready.catch((error) => error))).toContain(
    'l2Book: Invalid subscription',
  )
  await book.ready
})

test('a service that accepts no connection is given up after six attempts', async () => {
  const { origin } = await serve()
  const { systemClock, fire } = manualTimers()
  const errors = queue<ConnectionError>()
  const keys = { accessKey: 'demo', secretKey: 'wrong' }
  const service = dial(origin, { ...keys, systemClock, onConnectionError: errors.put })
  const { ready } = service.subscribe('bbo', { coin: 'BTC' }, () => {})
  for (let attempt = 1; attempt < 6; attempt++) {
    expect((await errors.next()).message).toContain('tried again')
    expect(fire(0, 30_000)).toBeGreaterThan(0)
  }
  expect((await errors.next()).message).toContain('given up')
  expect(await ready.catch((error) => error)).toBeInstanceOf(ConnectionError)
})

test('delays double up to half a minute, and are random', () => {
  expect([1, 2, 3].map((attempt) => backoffMs(attempt, 1))).toEqual([250, 500, 1000])
  expect([backoffMs(1, 0), backoffMs(60, 1)]).toEqual([125, 30_000])
})

test('an expired book is delivered as stale', async () => {
  const { origin, control, registry } = await serve()
  const received = queue<boolean>()
  const service = dial(origin)
  await service.subscribe('l2Book', { coin: 'BTC' }, (_, { stale }) => received.put(stale)).ready
  expect(await received.next()).toBe(false)
  await control('PUT', '/sandboxes/default/playhead', { speed: 0 })
  await registry.get('default')?.clock.advance(30_000)
  while (!(await received.next()));
})
