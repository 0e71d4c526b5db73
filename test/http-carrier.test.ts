import { afterAll, expect, test } from 'bun:test'
import { type Machine, machine } from '../src/clock/machine.ts'
import { isSocket } from '../src/conformance/carrier.ts'
import { httpCarrier } from '../src/conformance/http-carrier.ts'

/** A server that misbehaves by path. */
const server = Bun.serve({
  port: 0,
  fetch(request, self) {
    const { pathname } = new URL(request.url)
    if (pathname === '/socket' && self.upgrade(request)) return undefined
    if (pathname === '/html') return new Response('<html>', { status: 502 })
    if (pathname === '/flood') return new Response('x'.repeat(17 << 20))
    if (pathname === '/echo') return new Response(request.body)
    if (pathname === '/hang') return new Promise<Response>(() => {})
    return new Response('{"code":"401"}', { status: 401 })
  },
  websocket: {
    open: (socket) => void socket.send('hello'),
    message: (socket, message) => {
      if (message === 'bytes') socket.send(new Uint8Array([104, 105]))
      else socket.close(4001)
    },
  },
})
afterAll(() => server.stop(true))

const base = `http://localhost:${server.port}`
/** A machine whose timers ring three hundred times too early. */
const hasty: Machine = { ...machine, timer: (ms, task) => machine.timer(ms / 300, task) }

const ask = (path: string, by = machine) => httpCarrier(base, by).request({ method: 'GET', path })

test('answers of any kind are carried as they are', async () => {
  const html = { status: 502, contentType: expect.any(String), text: '<html>' }
  expect(await ask('/html')).toEqual(html)
  const carrier = httpCarrier(`${base}/`, machine)
  const echoed = await carrier.request({ method: 'POST', path: '/echo', body: '[1]' })
  expect(echoed.text).toBe('[1]')
})

test('an answer that does not end or come is a finding without credentials', async () => {
  await expect(ask('/hang?Signature=secret', hasty)).rejects.toThrow(/^no answer in \d+ ms$/)
  await expect(ask('/flood')).rejects.toThrow(/^an answer has more than \d+ bytes$/)
  const nowhere = httpCarrier('http://localhost:1', machine)
  const nobody = nowhere.request({ method: 'GET', path: '/x?Signature=y' })
  await expect(nobody).rejects.toThrow(/^the target cannot be reached \(\w+\)$/)
})

test('a socket carries text and bytes, and tells its close code', async () => {
  const socket = await httpCarrier(base, machine).connect('/socket')
  if (!isSocket(socket)) throw new Error('no socket')
  await socket.stirred(5000)
  expect(socket.frames.splice(0)).toEqual(['hello'])
  socket.send('bytes')
  await socket.stirred(5000)
  expect(socket.frames.splice(0)).toEqual(['hi'])
  socket.send('close')
  await socket.stirred(5000)
  expect(socket.closeCode).toBe(4001)
  await socket.stirred(5000)
})

test('a refused socket is the answer that refused it', async () => {
  const refused = await httpCarrier(base, machine).connect('/other')
  expect(refused).toMatchObject({ status: 401, text: '{"code":"401"}' })
})

test('waiting for a frame that does not come is bounded', async () => {
  const socket = await httpCarrier(base, machine).connect('/socket')
  if (!isSocket(socket)) throw new Error('no socket')
  await socket.stirred(5000)
  socket.frames.length = 0
  await socket.stirred(10)
  expect(socket.frames).toEqual([])
  socket.close()
})
