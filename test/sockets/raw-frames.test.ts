/** Invalid frames: each closes its own socket, with the code of the reason. */
import { expect, test } from 'bun:test'
import { signed } from '../fixtures/fake-market.ts'
import { openConnection } from '../fixtures/raw-connection.ts'
import { frameBytes, upgradeText } from '../fixtures/raw-socket.ts'
import { PREFIX, serve } from '../fixtures/test-server.ts'

const { origin } = await serve()

/** A frame as its bytes. */
const bytes = (...numbers: number[]) => new Uint8Array(numbers)
const MASK = [0, 0, 0, 0]

async function openSocket() {
  const connection = await openConnection(origin)
  connection.send(upgradeText(`${PREFIX}/hl/ws?${signed()}`))
  await connection.received('\r\n\r\n')
  return connection
}

/** The code of the closing frame, which was all that was received. */
async function closeCodeAfter(frame: Uint8Array): Promise<number> {
  const connection = await openSocket()
  connection.send(frame)
  const received = await connection.closed
  const close = Buffer.from(received.slice(received.indexOf('\r\n\r\n') + 4), 'latin1')
  expect(close[0]).toBe(0x88)
  return close.readUInt16BE(2)
}

const BROKEN_FRAMES: Record<string, [code: number, frame: Uint8Array]> = {
  'without a mask': [1002, bytes(0x81, 2, 0x68, 0x69)],
  'with a bit of an extension': [1002, bytes(0xc1, 0x81, ...MASK, 0x68)],
  'of a kind that is none': [1002, bytes(0x83, 0x80, ...MASK)],
  'that goes on with nothing': [1002, bytes(0x80, 0x80, ...MASK)],
  'that pings in parts': [1002, bytes(0x09, 0x80, ...MASK)],
  'that closes with half a code': [1002, bytes(0x88, 0x81, ...MASK, 1)],
  'that closes with 1005': [1002, bytes(0x88, 0x82, ...MASK, 0x03, 0xed)],
  'of bytes that are no UTF-8': [1007, bytes(0x81, 0x82, ...MASK, 0xff, 0xff)],
  'of 5 MB': [1009, bytes(0x81, 0xff, 0, 0, 0, 0, 0, 0x50, 0, 0, ...MASK)],
  'as long as a number can say': [1009, bytes(0x81, 0xff, ...Array(8).fill(0xff), ...MASK)],
  'that is an HTTP request': [1002, Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')],
}

test('a frame that breaks the protocol closes its socket, and others are served', async () => {
  const other = await openSocket()
  for (const [what, [code, frame]] of Object.entries(BROKEN_FRAMES))
    expect([what, await closeCodeAfter(frame)]).toEqual([what, code])
  other.send(frameBytes('{"method":"ping"}'))
  await other.received('"pong"')
  other.end()
})

test('a frame in one-byte fragments is valid, and so is an empty one', async () => {
  const connection = await openSocket()
  const letters = Buffer.from('{"method":"ping"}')
  for (const [at, letter] of letters.entries()) {
    const isLast = at === letters.length - 1
    connection.send(bytes((isLast ? 0x80 : 0) | (at === 0 ? 1 : 0), 0x81, ...MASK, letter))
  }
  await connection.received('"pong"')
  connection.send(frameBytes(''))
  await connection.received('Error parsing JSON')
  connection.end()
})
