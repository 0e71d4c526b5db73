/** Messages and bodies too long to keep: whole, compressed or truncated. */
import { expect, test } from 'bun:test'
import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import { Redaction } from '../../src/tape/recorder/redaction/redaction.ts'
import { RecordedSocket } from '../../src/tape/recorder/sockets/recorded-socket.ts'
import { begunRecording } from '../fixtures/begun-recording.ts'
import { openConnection } from '../fixtures/raw-connection.ts'
import { CLOSE, rawService } from '../fixtures/raw-service.ts'
import { readTape } from '../fixtures/sample-tape.ts'
import { startedRecorder } from '../fixtures/started-recorder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const MIB = 1 << 20

type LoggedMessage = { message?: string }

/** A message in one frame, from a service. */
function frame(first: number, payload: Buffer, stated = payload.length): Buffer {
  const head = Buffer.alloc(10)
  head[0] = first
  head[1] = 127
  head.writeBigUInt64BE(BigInt(stated), 2)
  return Buffer.concat([head, payload])
}

/** A permessage-deflate message, with the dictionary it may refer to. */
function compressed(text: Buffer, dictionary?: Buffer): Buffer {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, ...(dictionary ? { dictionary } : {}) }
  return frame(0xc1, deflateRawSync(text, options).subarray(0, -4))
}

/** Recorded events of a socket whose service sends these bytes. */
async function scheduled(name: string, extensions: string, bytes: Buffer) {
  const service = await rawService((_, send) => {
    send(`HTTP/1.1 101 On\r\nUpgrade: websocket\r\nSec-WebSocket-Extensions: ${extensions}\r\n\r\n`)
    send(bytes.toString('latin1'))
    send(CLOSE)
  })
  const recorder = await startedRecorder({ path: at(name), upstream: service.origin })
  const client = await openConnection(recorder.origin)
  client.send('GET /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n')
  await client.closed
  service.stop()
  const events = await recorder.events()
  return events.flatMap(({ kind, data }) =>
    'event' in data && data.event !== 'error' ? [] : [{ kind, ...data }],
  )
}

const LONG = Buffer.alloc(9 * MIB, 'long ')
const NEXT = Buffer.from('long long next')

test('a compressed message beyond the limit leaves a gap and is context for the next', async () => {
  const context = LONG.subarray(-32_768)
  const bytes = Buffer.concat([compressed(LONG), compressed(NEXT, context)])
  expect(await scheduled('context', 'permessage-deflate', bytes)).toMatchObject([
    { kind: 'gap', why: 'a compressed message was too long to keep', connection: 1 },
    { kind: 'frame', text: 'long long next' },
  ])
})

const HUGE = compressed(Buffer.alloc(65 * MIB))

test('nothing is inflated after an unreadable message', async () => {
  const bytes = Buffer.concat([HUGE, compressed(NEXT)])
  expect(await scheduled('huge', 'permessage-deflate', bytes)).toMatchObject([
    { event: 'error', message: expect.stringContaining('compresses on with a message that was') },
  ])
  const alone = 'permessage-deflate; server_no_context_takeover'
  expect(await scheduled('alone', alone, bytes)).toMatchObject([
    { kind: 'gap', why: 'a compressed message was too long to keep' },
    { kind: 'frame', text: 'long long next' },
  ])
})

test('a truncated message frees its memory for other sockets', async () => {
  const { recording } = await begunRecording(at('broken'))
  const budget = { oneMax: 1000, left: 5000 }
  const socket = new RecordedSocket(1, null, recording, new Redaction({}), budget)
  const begun = frame(0x01, Buffer.alloc(400))
  socket.take('in', begun)
  socket.take('out', begun)
  socket.take('out', frame(0x80, Buffer.alloc(300), 400))
  expect(budget.left).toBe(3900)
  socket.take('out', Buffer.concat([Buffer.alloc(100), begun, begun]))
  expect(budget.left).toBe(4600)
  socket.end('service')
  await recording.end()
  expect(budget.left).toBe(5000)
  const messages = (await readTape(at('broken'))).map(({ data }) => (data as LoggedMessage).message)
  expect(messages[1]).toContain('the service begins a message within another')
})

test('a body beyond the limit only when decoded is reported as one', async () => {
  const body = gzipSync(LONG)
  const answer = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}`
  const service = await rawService((_, send) => {
    send(`${answer}\r\n\r\n${body.toString('latin1')}`)
  })
  const recorder = await startedRecorder({ path: at('decoded'), upstream: service.origin })
  await (await fetch(`${recorder.origin}/a`)).arrayBuffer()
  service.stop()
  expect(await recorder.of('exchange')).toMatchObject([
    { responseBody: '', error: 'the body of the answer is longer than 8 MiB, which is not kept' },
  ])
})
