import { afterAll, expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { httpTransport } from '../../src/conformance/http-transport.ts'
import { isSocket } from '../../src/conformance/target-transport.ts'

/** A server that misbehaves by path. */
const server = Bun.serve({
  port: 0,
  fetch(request, self) {
    const { pathname } = new URL(request.url)
    if (pathname === '/socket' && self.upgrade(request)) return undefined
    if (pathname === '/html') return new Response('<html>', { status: 502 })
    if (pathname === '/flood') return new Response('x'.repeat(100_000))
    if (pathname === '/endless') return new Response(endless())
    if (pathname === '/away') return Response.redirect('/html')
    if (pathname === '/echo') return new Response(request.body)
    if (pathname === '/refusal') return new Response(endless(), { status: 403 })
    if (pathname === '/hang') return new Promise<Response>(() => {})
    return new Response('{"code":"401"}', { status: 401 })
  },
  websocket: {
    open: (socket) => void socket.send('hello'),
    message: (socket, message) => {
      if (message === 'bytes') socket.send(new Uint8Array([104, 105]))
      else if (message === 'flood') for (let count = 0; count < 100; count++) socket.send(LONG)
      else socket.close(4001)
    },
  },
})
afterAll(() => server.stop(true))

const HANGING_MS = 600_000
const LONG = 'x'.repeat(1_000)

/** A body that never ends. */
const endless = () =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000)) })
const base = `http://localhost:${server.port}`
const ask = (path: string, bounds = {}) =>
  httpTransport(base, bounds).request({ method: 'GET', path })

test('responses of any kind are carried unchanged', async () => {
  expect(await ask('/html')).toEqual({
    status: 502,
    contentType: expect.any(String),
    text: '<html>',
  })
  const echoed = await httpTransport(`${base}/`).request({
    method: 'POST',
    path: '/echo',
    body: '[1]',
  })
  expect(echoed.text).toBe('[1]')
})

test('an endless or missing response is a UserError without credentials', async () => {
  const hanging = ask('/hang?Signature=secret', { answerMs: 50 })
  await expect(hanging).rejects.toThrow(/^\/hang is not answered \(TimeoutError\)$/)
  await expect(ask('/flood', { maxBytes: 1000 })).rejects.toThrow('longer than 1000 bytes')
  await expect(ask('/endless', { maxBytes: 50_000 })).rejects.toThrow('longer than 50000 bytes')
  const unreachable = httpTransport('http://localhost:1').request({
    method: 'GET',
    path: '/x?Signature=y',
  })
  await expect(unreachable).rejects.toThrow(/^\/x is not answered \(\w+\)$/)
})

test('a socket carries text and bytes, and reports its close code', async () => {
  const socket = await httpTransport(base).connect('/socket')
  if (!isSocket(socket)) throw new Error('no socket')
  await socket.waitForActivity(HANGING_MS)
  expect(socket.frames.splice(0)).toEqual(['hello'])
  socket.send('bytes')
  await socket.waitForActivity(HANGING_MS)
  expect(socket.frames.splice(0)).toEqual(['hi'])
  socket.send('close')
  await socket.waitForActivity(HANGING_MS)
  expect(socket.closeCode).toBe(4001)
  await socket.waitForActivity(HANGING_MS)
})

test('a socket beyond its limit of unread bytes is closed, with a reason', async () => {
  const socket = await httpTransport(base, { unreadBytes: 20_000 }).connect('/socket')
  if (!isSocket(socket)) throw new Error('no socket')
  socket.send('flood')
  while (socket.closeCode === null) await hostClock.yieldTurn()
  expect(socket.frames).toEqual([])
  expect(socket.flaw).toBe('frames of more than 20000 bytes are sent at once')
})

test('sockets beyond their common limit of unread bytes are closed', async () => {
  const transport = httpTransport(base, { allUnreadBytes: 150_000 })
  const sockets = [await transport.connect('/socket'), await transport.connect('/socket')]
  for (const socket of sockets) {
    if (!isSocket(socket)) throw new Error('no socket')
    socket.send('flood')
    while (socket.closeCode === null && socket.frames.length < 101) await hostClock.yieldTurn()
  }
  expect(sockets.map((socket) => isSocket(socket) && socket.flaw)).toEqual([
    null,
    'frames of more than 150000 bytes are sent at once on all sockets',
  ])
  for (const socket of sockets) if (isSocket(socket)) socket.close()
})

test('read bytes of a socket no longer count', async () => {
  const socket = await httpTransport(base, { unreadBytes: 150_000 }).connect('/socket')
  if (!isSocket(socket)) throw new Error('no socket')
  for (let times = 0; times < 3; times++) {
    socket.send('flood')
    for (let read = 0; read < 100; ) {
      read += socket.frames.splice(0).length
      await hostClock.yieldTurn()
    }
  }
  expect([socket.flaw, socket.closeCode]).toEqual([null, null])
  socket.close()
})

test('an endless refusal of a socket is limited like any response', async () => {
  const refused = httpTransport(base, { maxBytes: 50_000 }).connect('/refusal')
  await expect(refused).rejects.toThrow('longer than 50000 bytes')
})

test('a signed request does not follow redirects', async () => {
  expect((await ask('/away')).status).toBe(302)
})

test('a refused socket is its response', async () => {
  const refused = await httpTransport(base).connect('/other')
  expect(refused).toMatchObject({ status: 401, text: '{"code":"401"}' })
})

test('the wait for a missing frame is bounded', async () => {
  const socket = await httpTransport(base).connect('/socket')
  if (!isSocket(socket)) throw new Error('no socket')
  await socket.waitForActivity(HANGING_MS)
  socket.frames.length = 0
  await socket.waitForActivity(10)
  expect(socket.frames).toEqual([])
  socket.close()
})
