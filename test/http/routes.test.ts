/** A path means the same, however it is carried. */
import { expect, test } from 'bun:test'
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
  ['GET', `/s/nobody${PREFIX}/hl/tickers`, 404],
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

/** The status of a request as it is written: `fetch` would tidy its path. */
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
