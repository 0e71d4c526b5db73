/** A path has one meaning over every transport. */
import { expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { signed } from '../fixtures/fake-market.ts'
import { PREFIX, serve } from '../fixtures/test-server.ts'

const ADDRESS = '0x00000000000000000000000000000000000000aa'

const WAYS: readonly [method: string, path: string, status: number][] = [
  ['GET', `${PREFIX}/hl/tickers`, 200],
  ['GET', '/api/hl/tickers', 404],
  ['GET', `${PREFIX}/hl/tickers/`, 200],
  ['GET', `/${PREFIX}/hl/tickers`, 404],
  ['GET', `${PREFIX}/hl/tickers//`, 404],
  ['HEAD', `${PREFIX}/hl/tickers`, 200],
  ['POST', `${PREFIX}/hl/tickers`, 405],
  ['PATCH', `${PREFIX}/hl/tickers`, 405],
  ['DELETE', `${PREFIX}/hl/nothing`, 404],
  ['GET', `${PREFIX}/hl/fills/${ADDRESS}`, 200],
  ['GET', `${PREFIX}/hl/fills/${ADDRESS.replace('a', '%61')}`, 200],
  ['GET', `${PREFIX}/hl/fills/%zz`, 400],
  ['GET', `${PREFIX}/hl/fills/`, 404],
  ['GET', `/s/default${PREFIX}/hl/tickers`, 200],
  ['GET', `/s/default${PREFIX}/hl/tickers/`, 200],
  ['GET', `/s/de%66ault${PREFIX}/hl/tickers`, 200],
  ['GET', `/s/%zz${PREFIX}/hl/tickers`, 404],
  ['GET', `/s/unknown${PREFIX}/hl/tickers`, 404],
  ['GET', '/', 404],
  ['GET', '/s/default', 404],
]

test.each(WAYS)('%s %s answers %i over the network and without', async (method, path, status) => {
  const { origin, registry } = await serve()
  const target = `${path}?${signed()}`
  const { host, port } = new URL(origin)
  const carried = await sent(Number(port), `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\n`)
  expect(carried).toBe(status)
  expect(memoryTransport(registry).request(method, target).status).toBe(status)
})

test('a sandbox has no control plane under its base, however short the host is', async () => {
  const { origin } = await serve()
  const port = Number(new URL(origin).port)
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n`
  expect(await sent(port, head('/s/default/_control/health'))).toBe(404)
  expect(await sent(port, head('/_control/health'))).toBe(200)
  expect(await sent(port, head(`/s/default${PREFIX}/hl/tickers?${signed()}`))).toBe(200)
})

test('a request without a host is routed by its path, however short that is', async () => {
  const { origin } = await serve()
  const port = Number(new URL(origin).port)
  for (const path of ['/v2/hl/ws', `/s/default${PREFIX}/hl/ws`, `${PREFIX}/hl/ws`])
    expect([path, await sent(port, `GET ${path} HTTP/1.0\r\n`)]).toEqual([path, 401])
})

/** The status of a request as written: `fetch` would normalise its path. */
async function sent(port: number, head: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (socket) => void socket.write(`${head}connection: close\r\n\r\n`),
      data: (_, bytes) => {
        text += bytes.toString()
      },
      close: () => resolve(text),
    },
  })
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await promise)?.[1])
}

test('a path with too many slashes is refused with the likely one', async () => {
  const { request } = memoryTransport((await serve()).registry)
  const textOf = (path: string) => request('GET', `${path}?${signed()}`).body
  for (const path of [`/${PREFIX}/hl/tickers`, `${PREFIX}//hl/tickers//`])
    expect(textOf(path)).toContain(`Not Found, did you mean ${PREFIX}/hl/tickers?`)
  expect(textOf(`/s/default/${PREFIX}/hl/tickers`)).toContain(`/s/default${PREFIX}/hl/tickers?`)
  expect(textOf(`/${PREFIX}/hl/nothing`)).not.toContain('did you mean')
})

test('a compressed body is decompressed up to the same bound', async () => {
  const { origin } = await serve()
  const body = JSON.stringify({ type: 'l2Book', coin: 'BTC' })
  const send = async (packed: Uint8Array, encoding: string) => {
    const headers = { 'content-encoding': encoding, 'content-type': 'application/json' }
    const target = `${origin}${PREFIX}/hl/info?${signed()}`
    const answer = await fetch(target, { method: 'POST', headers, body: packed })
    return [answer.status, await answer.text()]
  }
  const plain = await send(Buffer.from(body), 'identity')
  expect(plain[0]).toBe(200)
  expect(await send(gzipSync(body), 'gzip')).toEqual(plain)
  expect(await send(deflateSync(body), 'deflate')).toEqual(plain)
  expect(await send(brotliCompressSync(body), 'br')).toEqual(plain)
  expect(await send(zstdCompressSync(body), 'ZSTD')).toEqual(plain)
  for (const encoding of ['compress', 'gzip, br', 'aes128gcm']) {
    const [status, text] = await send(gzipSync(body), encoding)
    expect([status, text]).toEqual([400, expect.stringContaining('gzip, deflate, br or zstd')])
  }
  expect((await send(brotliCompressSync(' '.repeat(5 << 20)), 'br'))[0]).toBe(413)
  expect((await send(gzipSync(' '.repeat(5 << 20)), 'gzip'))[0]).toBe(413)
  expect((await send(gzipSync(body).subarray(0, 20), 'gzip'))[0]).toBe(400)
})
