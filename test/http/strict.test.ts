/** A strict sandbox refuses what the contract does not literally allow; others report it. */
import { expect, test } from 'bun:test'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { operationPath } from '../../src/contract/paths.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const PREFIX = '/api/upgrade/v2'

async function market(options: Parameters<typeof recordedRegistry>[0]) {
  const { registry, sandbox } = await recordedRegistry(options)
  const transport = memoryTransport(registry)
  const ask = (method: string, path: string, body?: object | string) => {
    const mark = path.includes('?') ? '&' : '?'
    const text = typeof body === 'object' ? JSON.stringify(body) : body
    return transport.request(method, `${PREFIX}${path}${mark}${signed()}`, text)
  }
  const lenient = () =>
    [...sandbox.journal.after(0)].flatMap((one) => (one.kind === 'request' ? one.lenient : []))
  return { ask, lenient }
}

test('every example of the contract is accepted by a strict sandbox as by any other', async () => {
  const [strict, usual] = await Promise.all([market({ strict: true }), market({})])
  const compared: string[] = []
  for (const operation of OPERATIONS)
    for (const { path = {}, query = {}, body } of operation.examples) {
      const names = Object.entries(path as Record<string, string>)
      const filled = names.reduce(
        (left, [name, value]) => left.replace(`:${name}`, encodeURIComponent(value)),
        operationPath(operation),
      )
      const address = `${filled}?${new URLSearchParams(query as Record<string, string>)}`
      const sent = body as object | undefined
      const [one, other] = [strict, usual].map(({ ask }) => ask(operation.method, address, sent))
      expect([operation.id, one?.status]).toEqual([operation.id, other?.status])
      compared.push(operation.id)
    }
  expect(compared.length).toBeGreaterThan(80)
  expect(strict.lenient()).toEqual([])
})

test('what others accept and report is refused, with the right form', async () => {
  const usual = await market({})
  expect(usual.ask('GET', '/hl/whales/latest-events?take=3&page=1&page=2').status).toBe(200)
  expect(usual.lenient()).toEqual([
    'parameter-spelling: take',
    'unknown-parameters: page',
    'repeated-parameters: page',
  ])
  const strict = await market({ strict: true })
  const message = (path: string) => strict.ask('GET', path).body
  expect(message('/hl/whales/latest-events?take=3')).toContain('spelled limit')
  expect(message('/hl/tickers?page=1')).toContain('the operation does not have it')
  const marked = '\ufeff{"addresses":[]}'
  const batch = '/hl/traders/clearinghouse-state'
  expect(usual.ask('POST', batch, marked).status).toBe(200)
  expect(usual.lenient().at(-1)).toBe('byte-order-mark: the body')
  expect(strict.ask('POST', batch, marked)).toMatchObject({
    status: 400,
    body: expect.stringContaining('the body must be JSON without a byte order mark'),
  })
  const single = await market({ strict: true, questions: { 'unknown-parameters': 'ignore' } })
  expect(single.ask('GET', '/hl/tickers?page=1').status).toBe(200)
})

test('a pair in capital letters is reported, and refused by a strict sandbox', async () => {
  const capital = '/futures/full-depth?dbKey=BTCSWAPUSDT:binance'
  const usual = await market({})
  expect(usual.ask('GET', capital).status).toBe(200)
  expect(usual.ask('GET', '/futures/full-depth?dbKey=btcswapusdt:binance').status).toBe(200)
  expect(usual.lenient()).toEqual(['pair-letters: dbKey'])
  const strict = await market({ strict: true })
  const { status, body } = strict.ask('GET', capital)
  expect([status, body.includes('dbKey must be in small letters')]).toEqual([400, true])
})

test('a value above its maximum is reported and cut, also by a strict sandbox', async () => {
  const strict = await market({ strict: true })
  const top = (limit: number) =>
    strict.ask('GET', `/hl/fills/top-trades?interval=1d&coin=BTC&limit=${limit}`).status
  expect([top(100), top(101)]).toEqual([200, 200])
  const addresses = Array.from({ length: 51 }, (_, at) => `0x${String(at).padStart(40, '0')}`)
  expect(strict.ask('POST', '/hl/traders/statistics', { addresses }).status).toBe(200)
  expect(strict.lenient()).toEqual(['value-cut: limit', 'value-cut: addresses'])
})

test('what is accepted beside does not hide what is refused, and long names are cut', async () => {
  const many = Array.from({ length: 50 }, (_, at) => `n${at}=1`).join('&')
  const single = await market({ questions: { 'parameter-spelling': 'refuse' } })
  const answer = single.ask('GET', `/hl/whales/latest-events?${many}&take=3`)
  expect([answer.status, answer.body]).toEqual([400, expect.stringContaining('spelled limit')])
  const usual = await market({})
  usual.ask('GET', `/hl/tickers?${many}&${'x'.repeat(5_000)}=1`)
  expect(usual.lenient()).toHaveLength(10)
  const strict = await market({ strict: true })
  const long = strict.ask('GET', `/hl/tickers?${'x'.repeat(5_000)}=1`)
  expect(long.body.length).toBeLessThan(400)
})
