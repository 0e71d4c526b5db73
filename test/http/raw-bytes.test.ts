/** Bytes that are no request, or half of one: the sender is refused, and others are served. */
import { expect, test } from 'bun:test'
import { signed } from '../fixtures/fake-market.ts'
import { openConnection } from '../fixtures/raw-connection.ts'
import { requestText } from '../fixtures/raw-tcp.ts'
import { PREFIX, serve } from '../fixtures/test-server.ts'

const { origin } = await serve()
const SANDBOX = '/_control/sandboxes/default'
const HOST = 'Host: localhost\r\n'
const info = () => `POST ${PREFIX}/hl/info?${signed()} HTTP/1.1\r\n${HOST}`
const get = (target = '/nothing', version = 'HTTP/1.1') => `GET ${target} ${version}\r\n${HOST}`
const chunked = (chunks: string) => `${info()}Transfer-Encoding: chunked\r\n\r\n${chunks}`

/** Sends bytes and returns everything received until the other side closed. */
async function answerTo(bytes: string): Promise<string> {
  const connection = await openConnection(origin)
  connection.send(bytes)
  return connection.closed
}

async function othersAreServed(): Promise<void> {
  const answer = await fetch(`${origin}${PREFIX}/hl/tickers?${signed()}`)
  expect(answer.status).toBe(200)
  await answer.arrayBuffer()
}

/** Refusals of the runtime itself, with a status and without a body. */
const REFUSED_BY_THE_RUNTIME: Record<string, [status: string, bytes: () => string]> = {
  'no host': ['400 Bad Request', () => 'GET / HTTP/1.1\r\n\r\n'],
  'a target without a slash': ['400 Bad Request', () => `${get('nothing')}\r\n`],
  'an asterisk': ['400 Bad Request', () => `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
  'a method with a sign': ['400 Bad Request', () => `G@T / HTTP/1.1\r\n${HOST}\r\n`],
  'a line before the request': ['400 Bad Request', () => `\r\n${get()}\r\n`],
  'a space in the target': ['505 HTTP Version Not Supported', () => `${get('/a b')}\r\n`],
  'another version': ['505 HTTP Version Not Supported', () => `${get('/', 'HTTP/2.0')}\r\n`],
  'lines that end with a line feed': [
    '505 HTTP Version Not Supported',
    () => 'GET / HTTP/1.1\nHost: a\n\n',
  ],
  'the first line of HTTP/2': ['400 Bad Request', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  'the first bytes of TLS': [
    '400 Bad Request',
    () => '\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n',
  ],
  'a folded header': ['400 Bad Request', () => `${get()}X-A: b\r\n c\r\n\r\n`],
  'a header without a colon': ['400 Bad Request', () => `${get()}X-A\r\n\r\n`],
  'a space before the colon': ['400 Bad Request', () => `${get()}X-A : b\r\n\r\n`],
  'a header with a zero': ['400 Bad Request', () => `${get()}X-A: b\u0000c\r\n\r\n`],
  'two lengths': [
    '400 Bad Request',
    () => `${info()}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`,
  ],
  'a length with a sign': ['400 Bad Request', () => `${info()}Content-Length: +2\r\n\r\nxx`],
  'a length below nought': ['400 Bad Request', () => `${info()}Content-Length: -2\r\n\r\nxx`],
  'a length of thirty digits': [
    '400 Bad Request',
    () => `${info()}Content-Length: ${'9'.repeat(30)}\r\n\r\n`,
  ],
  'a length and chunks': [
    '400 Bad Request',
    () => `${info()}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  'an encoding before the chunks': [
    '400 Bad Request',
    () => `${info()}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  ],
  'an encoding that is none': [
    '400 Bad Request',
    () => `${info()}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
  ],
  'a chunk of no number': ['400 Bad Request', () => chunked('zz\r\nhello\r\n0\r\n\r\n')],
  'a chunk of eighteen digits': ['400 Bad Request', () => chunked(`${'f'.repeat(18)}\r\nhello`)],
  'a chunk longer than it says': ['400 Bad Request', () => chunked('3\r\nhello\r\n0\r\n\r\n')],
  'the extension of a chunk, very long': [
    '413 Payload Too Large',
    () => chunked(`5;${'a'.repeat(100_000)}\r\nhello\r\n0\r\n\r\n`),
  ],
  'a header of 100 kB': [
    '431 Request Header Fields Too Large',
    () => `${get()}X-A: ${'a'.repeat(100_000)}\r\n\r\n`,
  ],
  '100,000 headers': [
    '431 Request Header Fields Too Large',
    () => `${get()}${'X-A: b\r\n'.repeat(100_000)}\r\n`,
  ],
}

test('refusals of the runtime have a status and no body', async () => {
  for (const [what, [status, bytes]] of Object.entries(REFUSED_BY_THE_RUNTIME))
    expect([what, await answerTo(bytes())]).toEqual([
      what,
      `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`,
    ])
  await othersAreServed()
})

test('an unknown method, or one in lower case, ends the connection', async () => {
  for (const method of ['get', 'NONSENSE', 'X'.repeat(1000)])
    expect([method, await answerTo(`${method} / HTTP/1.1\r\n${HOST}\r\n`)]).toEqual([method, ''])
  await othersAreServed()
})

test('half-received requests delay no other ones', async () => {
  const halves = await Promise.all(
    Array.from({ length: 200 }, async (_, turn) => {
      const connection = await openConnection(origin)
      const whole = requestText(`POST ${PREFIX}/hl/info?${signed()}`, {}, '{"type":"meta"}')
      connection.send(whole.slice(0, 1 + ((turn * 7) % (whole.length - 1))))
      return connection
    }),
  )
  await othersAreServed()
  for (const [turn, connection] of halves.entries())
    if (turn % 2 === 0) connection.end()
    else connection.reset()
  await othersAreServed()
})

test('a pipelined request ends its connection', async () => {
  const connection = await openConnection(origin)
  connection.send(call('/await', '{"connections":1,"timeoutMs":60000}') + call('', ''))
  expect(await connection.closed).toBe('')
  await othersAreServed()
})

test('Expect: 100-continue is confirmed, and then answered', async () => {
  const connection = await openConnection(origin)
  const asking = call('/clock/advance', '{"ms":0}', 'Expect: 100-continue\r\nConnection: close\r\n')
  connection.send(asking.slice(0, -'{"ms":0}'.length))
  await connection.received('HTTP/1.1 100 Continue\r\n\r\n')
  connection.send('{"ms":0}')
  expect(await connection.closed).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /)
})

test('a body in chunks of a byte is a body like any other', async () => {
  const chunks = [...'{"ms":0}'].map((letter) => `1;a=b\r\n${letter}\r\n`).join('')
  const head = `POST ${SANDBOX}/clock/advance HTTP/1.1\r\n${HOST}Connection: close\r\n`
  const answer = await answerTo(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1.1 200 .*"fired":\[\]/s)
})

/** A call on the default sandbox. */
const call = (at: string, body: string, headers = '') =>
  `POST ${SANDBOX}${at} HTTP/1.1\r\n${HOST}${headers}Content-Length: ${body.length}\r\n\r\n${body}`
