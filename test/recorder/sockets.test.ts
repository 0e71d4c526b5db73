import { afterAll, expect, test } from 'bun:test'
import { openConnection } from '../fixtures/raw-connection.ts'
import { CLOSE, rawService } from '../fixtures/raw-service.ts'
import { startedRecorder } from '../fixtures/started-recorder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const TEXT = JSON.stringify({ channel: 'echo', text: 'to be compressed '.repeat(40) })

/** Echoes messages; `close` closes with a reason, `binary` sends bytes. */
const service = Bun.serve({
  port: 0,
  fetch(request, server) {
    if (new URL(request.url).pathname !== '/ws') return new Response('no', { status: 401 })
    return server.upgrade(request) ? undefined : new Response('no socket', { status: 400 })
  },
  websocket: {
    perMessageDeflate: true,
    open: (socket) => void socket.send('welcome'),
    message(socket, message) {
      if (message === 'close') socket.close(4001, 'on request')
      else if (message === 'binary') socket.send(new Uint8Array([0, 255]))
      else if (message === 'ping') socket.ping('are you there')
      else socket.send(message, true)
    },
  },
})
afterAll(() => service.stop(true))

const upstream = `http://127.0.0.1:${service.port}`

/** A recorded socket that sends these messages, one after each reply, and its end. */
async function conversation(origin: string, said: readonly string[]) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws?AccessKeyId=abcdefghij`, {
    protocols: ['first', 'second'],
  } as never)
  const heard: unknown[] = []
  const left = [...said]
  socket.binaryType = 'arraybuffer'
  const { promise, resolve } = Promise.withResolvers<CloseEvent>()
  const next = () => {
    const text = left.shift()
    if (text !== undefined) socket.send(text)
    else socket.close(3000, 'done')
  }
  socket.onmessage = ({ data }) => {
    heard.push(data)
    next()
  }
  socket.addEventListener('ping' as never, next)
  socket.onclose = resolve
  const { code, reason } = await promise
  return { heard, code, reason, extensions: socket.extensions, protocol: socket.protocol }
}

test('messages pass and are kept as text, also when they are compressed', async () => {
  const recorder = await startedRecorder({ path: at('sockets'), upstream })
  const { heard, code, extensions } = await conversation(recorder.origin, [TEXT, TEXT, 'binary'])
  expect(heard.slice(0, 3)).toEqual(['welcome', TEXT, TEXT])
  expect(code).toBe(3000)
  expect(extensions).toContain('permessage-deflate')
  const events = await recorder.events()
  const frames = events.flatMap(({ kind, data }) => (kind === 'frame' ? [data] : []))
  expect(frames).toEqual([
    { connection: 1, direction: 'out', text: 'welcome' },
    { connection: 1, direction: 'in', text: TEXT },
    { connection: 1, direction: 'out', text: TEXT },
    { connection: 1, direction: 'in', text: TEXT },
    { connection: 1, direction: 'out', text: TEXT },
    { connection: 1, direction: 'in', text: 'binary' },
    { connection: 1, direction: 'out', base64: 'AP8=' },
  ])
  const life = events.flatMap(({ kind, data }) => (kind === 'connection' ? [data] : []))
  expect(life).toMatchObject([
    { event: 'open', url: '/ws?AccessKeyId=redacted-1', protocols: ['first', 'second'] },
    { event: 'close', code: 3000, reason: 'done', by: 'client' },
  ])
  expect([events[0]?.kind, events.at(-1)?.kind]).toEqual(['connection', 'connection'])
})

test('the code and the reason of the service reach the client, and pings do', async () => {
  const recorder = await startedRecorder({ path: at('closed'), upstream })
  const { code, reason } = await conversation(recorder.origin, ['ping', 'close'])
  expect([code, reason]).toEqual([4001, 'on request'])
  const events = await recorder.events()
  expect(events.flatMap(({ kind, data }) => (kind === 'frame' ? [data] : []))).toMatchObject([
    { text: 'welcome' },
    { text: 'ping' },
    { direction: 'out', control: 'ping', text: 'are you there' },
    { direction: 'in', control: 'pong', text: 'are you there' },
    { text: 'close' },
  ])
  expect(events.at(-1)?.data).toMatchObject({ code: 4001, reason: 'on request', by: 'service' })
})

test('a handshake that is refused is an exchange', async () => {
  const recorder = await startedRecorder({ path: at('refused'), upstream })
  const headers = { Connection: 'Upgrade', Upgrade: 'websocket' }
  expect((await fetch(`${recorder.origin}/other`, { headers })).status).toBe(401)
  expect(await recorder.of('exchange')).toMatchObject([{ url: '/other', status: 401 }])
})

test('a socket that is open when the recorder ends is closed by it', async () => {
  const recorder = await startedRecorder({ path: at('ended'), upstream })
  const socket = new WebSocket(`${recorder.origin.replace('http', 'ws')}/ws`)
  const closed = new Promise<CloseEvent>((resolve) => {
    socket.onclose = resolve
  })
  await new Promise((resolve) => {
    socket.onmessage = resolve
  })
  const life = await recorder.of('connection')
  expect(life.at(-1)).toEqual({
    connection: 1,
    event: 'close',
    code: 1006,
    reason: '',
    by: 'recorder',
  })
  expect((await closed).code).toBe(1006)
})

/** Recorded events of a socket whose service sends these bytes. */
async function scheduled(name: string, bytes: Buffer) {
  const service = await rawService((_, send) => {
    send('HTTP/1.1 101 On\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    send(bytes.toString('latin1'))
    send(CLOSE)
  })
  const recorder = await startedRecorder({ path: at(name), upstream: service.origin })
  const client = await openConnection(recorder.origin)
  client.send('GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n')
  const received = await client.closed
  expect(received.length).toBeGreaterThan(bytes.length)
  const events = await recorder.events()
  service.stop()
  return events.map(({ kind, data }) => ({ kind, ...data })).slice(1)
}

test('invalid frames pass unchanged, and are reported', async () => {
  expect(await scheduled('no-frame', Buffer.from([0x8f, 1, 0]))).toMatchObject([
    { kind: 'connection', event: 'error', message: expect.stringContaining('no WebSocket frame') },
    { kind: 'connection', event: 'close', code: 1006, by: 'service' },
  ])
  const compressed = Buffer.from([0xc1, 1, 0])
  expect((await scheduled('not-agreed', compressed))[0]).toMatchObject({
    message: expect.stringContaining('the service compresses, which was not agreed'),
  })
})

test('a message beyond the limit leaves a gap, and one in parts is whole', async () => {
  const long = Buffer.alloc(14 + (9 << 20))
  long[0] = 0x82
  long[1] = 127
  long.writeBigUInt64BE(BigInt(9 << 20), 2)
  const parts = Buffer.from([0x01, 1, 0x61, 0x89, 0, 0x80, 2, 0x62, 0x63])
  const found = await scheduled('long', Buffer.concat([long.subarray(0, 10 + (9 << 20)), parts]))
  expect(found).toMatchObject([
    { kind: 'gap', why: 'a message of 9437184 bytes was too long to keep', connection: 1 },
    { kind: 'frame', control: 'ping', text: '' },
    { kind: 'frame', text: 'abc' },
    { event: 'close' },
  ])
})
