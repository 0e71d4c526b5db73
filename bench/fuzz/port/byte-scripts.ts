/** Bytes written to a port. */
import type { ByteEdit } from '../mutations.ts'

export interface FrameBytes {
  /** First byte: the final flag and the opcode. */
  first: number
  /** Claimed length of the frame. */
  length: number
  masked: boolean
  text: string
}

/** A mutated request of REQUESTS, cut in pieces; or frames on a socket. */
export type ByteScript =
  | { request: number; edits: ByteEdit[]; pieces: number }
  | { frames: FrameBytes[] }

const lines = (first: string, ...more: string[]) =>
  `${[`${first} HTTP/1.1`, 'Host: localhost', ...more].join('\r\n')}\r\n\r\n`

/** Requests, most of them valid; `SIGNED` is a placeholder for signature parameters. */
export const REQUESTS: readonly string[] = [
  lines('GET /api/upgrade/v2/hl/tickers?SIGNED'),
  lines('HEAD /api/upgrade/v2/hl/tickers?SIGNED'),
  lines('OPTIONS /api/upgrade/v2/hl/tickers'),
  lines('BREW /api/upgrade/v2/hl/tickers?SIGNED'),
  lines('GET /api/upgrade/v2/hl/tickers?SIGNED', 'Host: elsewhere.example'),
  lines('GET /_control/sandboxes', 'Connection: close'),
  lines('GET /%ff%00/../..//s//s/default/', 'Accept: */*'),
  lines('GET /openapi.json', 'Range: bytes=0-1', 'If-None-Match: *'),
  lines(`GET /${'x'.repeat(20_000)}`),
  lines('GET /', `Cookie: ${'x'.repeat(20_000)}`),
  `${lines('POST /_control/sandboxes', 'Content-Length: 12')}{"name":"x"}`,
  `${lines('POST /_control/explain', 'Content-Length: 999')}{"url":"/"}`,
  `${lines('POST /_control/explain', 'Content-Length: -1')}{"url":"/"}`,
  `${lines('PUT /_control/sandboxes/x/clock', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`,
  `${lines('PUT /_control/sandboxes/x/clock', 'Transfer-Encoding: chunked')}zz\r\n{}\r\n`,
  `${lines('POST /api/upgrade/v2/hl/traders/discover?SIGNED', 'Content-Length: 2')}{}`,
  `${lines('POST /api/upgrade/v2/hl/info?SIGNED', 'Content-Length: 4', 'Content-Length: 5')}null`,
  `${lines('GET /api/upgrade/v2/hl/ws?SIGNED', 'Upgrade: websocket', 'Connection: Upgrade')}`,
]

/** A client frame; one with a larger claimed length leaves the server waiting. */
export function frameBytes({ first, length, masked, text }: FrameBytes): Buffer {
  const mask = masked ? 128 : 0
  const body = Buffer.from(text)
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = first
  head[1] = mask | (length < 126 ? length : length < 65_536 ? 126 : 127)
  if (head.length === 4) head.writeUInt16BE(length, 2)
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, Buffer.alloc(masked ? 4 : 0), body])
}

/** Silence that ends a response. */
const SILENCE_MS = 30

/** Writes pieces in sequence; returns all bytes until the server is silent. */
export async function exchange(port: number, pieces: readonly Buffer[]): Promise<string> {
  let received = ''
  let [isClosed, heardMs] = [false, performance.now()]
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_, chunk) {
        heardMs = performance.now()
        if (received.length < 100_000) received += chunk.toString('latin1')
      },
      close: () => {
        isClosed = true
      },
      error: () => {
        isClosed = true
      },
    },
  })
  for (const piece of pieces) {
    if (isClosed) break
    socket.write(piece)
    socket.flush()
    await Bun.sleep(1)
  }
  while (!isClosed && performance.now() - heardMs < SILENCE_MS) await Bun.sleep(5)
  socket.terminate()
  return received
}
