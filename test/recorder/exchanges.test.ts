import { afterAll, expect, test } from 'bun:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { openConnection } from '../fixtures/raw-connection.ts'
import { CLOSE, rawService } from '../fixtures/raw-service.ts'
import { startedRecorder } from '../fixtures/started-recorder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const stops: (() => unknown)[] = []
afterAll(() => {
  for (const stop of stops) stop()
})

/** Sends bytes through a recorder to a service with this response; returns each side's bytes. */
async function passed(name: string, request: string, answer: string) {
  const service = await rawService((_, send) => send(answer))
  const recorder = await startedRecorder({ path: at(name), upstream: service.origin })
  stops.push(service.stop)
  const client = await openConnection(recorder.origin)
  client.send(Buffer.from(request, 'latin1'))
  await client.received(answer)
  client.end()
  const received = await client.closed
  const [data, ...more] = await recorder.of('exchange')
  expect(more).toEqual([])
  return { service, data, received }
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
const request = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${more}\r\n`

test('bytes pass unchanged but for the host, and the query is kept byte for byte', async () => {
  const target = `/a%20b/üà?x='%20"|^&y=%7B%7d&&z=a+b%`
  const answer = [
    'HTTP/1.1 200 Fine Today',
    'X-Odd:  two  spaces ',
    'set-cookie: a=1',
    'Set-Cookie: b=2222',
    'Content-Length: 2\r\n\r\n{}',
  ].join('\r\n')
  const { service, data, received } = await passed(
    'bytes',
    request(
      Buffer.from(target).toString('latin1'),
      'X-Mine: 1\r\nACCEPT: x/\xc3\xa0\r\nCookie: sid=abcdefgh1\r\n',
    ),
    answer,
  )
  const host = new URL(service.origin).host
  expect(service.received.join('')).toBe(
    `GET ${Buffer.from(target).toString('latin1')} HTTP/1.1\r\nHost: ${host}\r\n` +
      'X-Mine: 1\r\nACCEPT: x/\xc3\xa0\r\nCookie: sid=abcdefgh1\r\n\r\n',
  )
  expect(received).toBe(answer)
  expect(data).toMatchObject({
    method: 'GET',
    url: target,
    requestHeaders: { accept: 'x/à' },
    status: 200,
    headers: { 'x-odd': 'two  spaces', 'set-cookie': 'redacted-2, redacted-3' },
    responseBody: '{}',
  })
})

test('chunks and compression pass unchanged, and the tape has the text', async () => {
  const packed = gzipSync('{"a":"ü"}').toString('latin1')
  const chunks = [packed.slice(0, 7), packed.slice(7)]
    .map((one) => `${one.length.toString(16)};x=1\r\n${one}\r\n`)
    .join('')
  const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n'
  const answer = `${head}${chunks}0\r\nTrailer: 1\r\n\r\n`
  const { data, received } = await passed('chunks', request('/'), answer)
  expect(received).toBe(answer)
  expect(data).toMatchObject({ responseBody: '{"a":"ü"}', headers: {} })
})

test('binary contents are kept in Base64', async () => {
  const bytes = Buffer.from([0, 255, 1, 2])
  const answer = `HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n${bytes.toString('latin1')}`
  const { data } = await passed('binary', request('/'), answer)
  expect(data?.responseBase64).toBe(bytes.toString('base64'))
  expect(data?.responseBody).toBeUndefined()
})

const WITHOUT_BODY: [name: string, request: string, answer: string][] = [
  ['HEAD', request('/').replace('GET', 'HEAD'), 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n'],
  ['a 204', request('/'), 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['a 304', request('/'), 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n'],
  ['a redirect', request('/'), 'HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n'],
]

for (const [name, requested, answer] of WITHOUT_BODY)
  test(`${name} passes, and nothing follows it`, async () => {
    const { data, received, service } = await passed(name, requested, answer)
    expect(received).toBe(answer)
    expect(service.received).toHaveLength(1)
    expect(data?.responseBody).toBe('')
  })

test('bodies in both directions, an interim answer and requests sent ahead', async () => {
  const service = await rawService((text, send) => {
    if (text.includes('100-continue')) send('HTTP/1.1 100 Continue\r\n\r\n')
    else send(OK)
  })
  stops.push(service.stop)
  const recorder = await startedRecorder({ path: at('ahead'), upstream: service.origin })
  const client = await openConnection(recorder.origin)
  const body = zstdCompressSync('{"secret_key":"abcdefghijk"}').toString('latin1')
  const head =
    `Host: a\r\nContent-Encoding: zstd\r\nContent-Length: ${body.length}\r\n` +
    'Expect: 100-continue\r\n\r\n'
  client.send(Buffer.from(`POST /a HTTP/1.1\r\n${head}`, 'latin1'))
  await client.received('100 Continue')
  client.send(Buffer.from(`${body}${request('/b')}${request('/c')}`, 'latin1'))
  await client.received(`${OK}${OK}${OK}`)
  const exchanges = await recorder.of('exchange')
  expect(exchanges.map(({ url, status }) => [url, status])).toEqual([
    ['/a', 200],
    ['/b', 200],
    ['/c', 200],
  ])
  expect(exchanges[0]?.requestBody).toBe('{"secret_key":"redacted-1"}')
})

test('an answer without a length ends with its connection', async () => {
  const service = await rawService((_, send) => {
    send('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end')
    send(CLOSE)
  })
  stops.push(service.stop)
  const recorder = await startedRecorder({ path: at('close'), upstream: service.origin })
  expect(await (await fetch(`${recorder.origin}/`)).text()).toBe('to the end')
  expect(await recorder.of('exchange')).toMatchObject([{ responseBody: 'to the end' }])
})

test('requests are signed for clients that cannot, and the secret is not recorded', async () => {
  const service = await rawService((_, send) => send(OK))
  stops.push(service.stop)
  const signWith = { accessKey: 'an-access-key', secretKey: 'a-secret-key' }
  const recorder = await startedRecorder({
    path: at('signed'),
    upstream: `${service.origin}/s/one`,
    signWith,
  })
  await (await fetch(`${recorder.origin}/a?limit=5&Signature=mine&AccessKeyId=x`)).text()
  const [, query = ''] = /^GET \/s\/one\/a\?(\S+) /.exec(service.received.join('')) ?? []
  const sent = new URLSearchParams(query)
  expect([...sent.keys()]).toEqual([
    'limit',
    'AccessKeyId',
    'SignatureNonce',
    'Timestamp',
    'Signature',
  ])
  expect([sent.get('AccessKeyId'), sent.get('Signature')?.length]).toEqual(['an-access-key', 56])
  const [data] = await recorder.of('exchange')
  expect(data?.url).toContain('/s/one/a?limit=5&AccessKeyId=redacted-1&SignatureNonce=')
  expect(recorder.text()).not.toContain('an-access-key')
})
