import fc from 'fast-check'
import { hostClock } from '../../../src/clock/system-clock.ts'
import { signedQuery } from '../../../test/fixtures/signed-query.ts'
import { ServerProcess } from '../../soak/server-process.ts'
import { fuzzTarget, invariant } from '../fuzz-target.ts'
import { type ByteEdit, byteEdits, edited } from '../mutations.ts'
import { type ByteScript, exchange, frameBytes, REQUESTS } from '../port/byte-scripts.ts'

const READ = '/api/upgrade/v2/hl/tickers'

/** Number of a bystander's reads during a script. */
const BYSTANDER_READS = 3

/** A server's port: bytes that are no HTTP, and invalid frames. */
export const portTarget = fuzzTarget<ByteScript[]>({
  name: 'port',
  about: 'bytes on connections of a real server',
  perSecond: 8,
  async open() {
    const server = await ServerProcess.start(['--clock', 'held'])
    const read = async () => {
      const answer = await fetch(`${server.origin}${READ}?${signedQuery(DEMO, hostClock)}`)
      return `${answer.status} ${await answer.text()}`
    }
    const known = await read()
    return {
      scripts: fc.array(byteScripts, { minLength: 1, maxLength: 4 }),
      async check(scripts) {
        const done = Promise.all(scripts.map((script) => exchange(server.port, bytesOf(script))))
        for (let count = 0; count < BYSTANDER_READS; count++) {
          const answer = await read()
          invariant(answer === known, () => `the bystander was answered ${answer.slice(0, 200)}`)
        }
        for (const answer of await done) invariant(!FAILED.test(answer), () => answer.slice(0, 500))
        invariant(server.trouble === null, () => String(server.trouble))
      },
      close: () => server.kill(),
    }
  },
})

/** A response that reports a server failure; 505 is the runtime's for another protocol. */
const FAILED = /^HTTP\/1\.1 5(?!05)\d\d/m

const DEMO = { accessKey: 'demo' }

const byteScripts: fc.Arbitrary<ByteScript> = fc.oneof(
  fc.record({
    request: fc.nat({ max: REQUESTS.length - 1 }),
    edits: fc.oneof(byteEdits, fc.constant<ByteEdit[]>([])),
    pieces: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    frames: fc.array(
      fc.record({
        first: fc.integer({ min: 0, max: 255 }),
        length: fc.oneof(fc.nat({ max: 200 }), fc.constantFrom(126, 65_535, 65_536, 2 ** 31)),
        masked: fc.boolean(),
        text: fc.oneof(fc.json(), fc.string({ unit: 'binary' })),
      }),
      { maxLength: 6 },
    ),
  }),
)

/** The pieces of a script, in order. */
function bytesOf(script: ByteScript): Buffer[] {
  const query = signedQuery(DEMO, hostClock)
  if ('frames' in script) return [upgrade(query), ...script.frames.map(frameBytes)]
  const text = REQUESTS[script.request] ?? ''
  const bytes = edited(Buffer.from(text.replace('SIGNED', query)), script.edits)
  const size = Math.ceil(bytes.length / script.pieces) || 1
  return Array.from({ length: script.pieces }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
}

const upgrade = (query: string) =>
  Buffer.from(
    `GET /api/upgrade/v2/hl/ws?${query} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n` +
      'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
