/** Magic values: the effect of each on a request with it. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { magicAddress, magicCatalogue, magicCoin } from '../../src/sandbox/fault-injection.ts'
import type { RequestEntry } from '../../src/sandbox/journal/journal.ts'
import { explainRequest } from '../../src/sandbox/pipeline/explanation.ts'
import { routeOf } from '../../src/sandbox/pipeline/operation-call.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

async function market(options: SandboxOptions = {}) {
  const { registry, cast } = await recordedRegistry({ epoch: 'tape', ...options })
  const { request } = memoryTransport(registry)
  const get = (path: string, query = '') =>
    request('GET', `/api/upgrade/v2${path}?${query}&${signed()}`)
  const post = (path: string, body: object) =>
    request('POST', `/api/upgrade/v2${path}?${signed()}`, JSON.stringify(body))
  return { get, post, cast, fills: (code: string) => get(`/hl/fills/${magicAddress(code)}`) }
}

test('an address of the prefix, zeros and a code has the outcome of that code', async () => {
  const { fills } = await market()
  const statuses = ['401', '403', '429', '4290', '500', '502'].map((code) => fills(code).status)
  expect(statuses).toEqual([401, 403, 429, 429, 500, 502])
  expect(fills('504').delivery?.ready).toBeInstanceOf(Promise)
  expect([fills('700').delivery?.drop, fills('701').delivery?.drop]).toEqual(['before', 'middle'])
  expect(fills('602').body).toBe('null')
  for (const code of ['600', '601']) expect(() => JSON.parse(fills(code).body)).toThrow()
  expect(JSON.parse(fills('204').body)).toMatchObject({ code: '0', data: [] })
})

test('so has a coin named TRY and the code, in a path or in a query', async () => {
  const { get } = await market()
  expect(get(`/hl/tickers/coin/${magicCoin('429')}`).status).toBe(429)
  expect(get(`/hl/tickers/coin/${magicCoin('1')}`).status).toBe(200)
  expect(get('/hl/liquidations/market-heatmap', `coin=${magicCoin('500')}`).status).toBe(500)
})

test('a magic coin is found wherever a request names a coin, a pair or a key', async () => {
  const { get, post } = await market()
  const coin = magicCoin('429')
  const user = `0x${'ab'.repeat(20)}`
  const answers = [
    post(`/hl/traders/${user}/completed-trades/by-time`, { Coin: coin }),
    post('/hl/traders/discover', { anyCoins: ['BTC', coin] }),
    post('/hl/traders/discover', { noCoins: [coin] }),
    post('/hl/info', { type: 'l2Book', coin }),
    post('/hl/info', { type: 'candleSnapshot', req: { coin, interval: '1h', startTime: 0 } }),
    post('/content/ai-coins', { coinKeys: [coin], language: 'EN' }),
    get('/futures/estimated-liquidation/history', `dbkey=${coin}&cycle=24h`),
    get('/futures/full-depth', `dbKey=${coin}`),
    get('/futures/funding-rate/history', `symbol=${coin}&interval=1h`),
    get('/signal/strategySignal', `coin_type=${coin}&signal_key=depth_win_one`),
    get('/indicatorKline/getTradingPair', `coinType=${coin}&indicator_key=fundflow`),
    get('/index/indexPrice', `key=${coin}`),
    get('/coin/ticker', `coin_list=bitcoin,${coin}`),
    get('/crypto_stock/quotes', `tickers=${coin}`),
    get(`/crypto_stock/company/${coin}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 429))
})

test('a magic address is found wherever a request names an account', async () => {
  const { get, post } = await market()
  const address = magicAddress('500')
  const other = `0x${'ab'.repeat(20)}`
  const answers = [
    get(`/hl/fills/builder/${address}/latest`),
    post('/hl/traders/accounts', { addresses: [other, address] }),
    post('/hl/traders/discover', { addrs: [address] }),
    post('/hl/info', { type: 'userFills', user: address }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500))
})

test('the magic coin of empty answers empties objects, too', async () => {
  const { get } = await market()
  const stat = (coin: string) => JSON.parse(get('/hl/liquidations/stat', `coin=${coin}`).body).data
  expect(stat(magicCoin('1'))).toBeObject()
  expect(stat(magicCoin('204'))).toBeNull()
})

test('a magic value that is neither coin nor account of the request has no effect', async () => {
  const { get } = await market()
  const coin = magicCoin('429')
  expect(get('/hl/tickers', `coin=${coin}`).status).toBe(200)
  expect(get('/signal/addSignalAlert', `symbol=x:hl&subType=x&remark=${coin}`).status).toBe(200)
})

test('no account and no coin has such a name, and other requests are not affected', async () => {
  const { get, cast } = await market()
  const { coins, addresses } = magicCatalogue()
  const castText = JSON.stringify(cast())
  for (const name of [...Object.keys(coins), ...Object.keys(addresses)])
    expect(castText).not.toContain(name)
  expect(get(`/hl/fills/${magicAddress('1')}`).status).toBe(200)
})

test('addresses that are counted up never match one', async () => {
  const { fills, get } = await market()
  const counted = Array.from({ length: 9_999 }, (_, n) => `0x${String(n + 1).padStart(40, '0')}`)
  const { addresses } = magicCatalogue()
  expect(counted.filter((address) => address in addresses)).toEqual([])
  for (const code of ['429', '500', '4290'])
    expect(get(`/hl/fills/0x${code.padStart(40, '0')}`).status).toBe(200)
  expect(magicAddress('429')).toBe('0x7472790000000000000000000000000000000429')
  expect(fills('429').status).toBe(429)
})

test('a batch with one of them has its outcome, and the journal names it', async () => {
  const { sandbox, registry } = await recordedRegistry({ epoch: 'tape', journal: { on: true } })
  const { request } = memoryTransport(registry)
  const [one, two] = ['1', '2'].map((end) => `0x${end.padStart(40, '0')}`)
  const path = '/api/upgrade/v2/hl/traders/accounts'
  const ask = (...addresses: (string | undefined)[]) => {
    const body = JSON.stringify({ addresses })
    const sent = { method: 'POST', path, params: {}, query: signed(), body }
    const { status } = request('POST', `${path}?${sent.query}`, body)
    const explained = runToEnd(explainRequest(registry, routeOf('POST', path), sent))
    const last = [...sandbox.journal.after(0)].at(-1) as RequestEntry
    const magic = explained.checks.find(({ check }) => check === 'magic')
    return { status, subject: last.subject, rule: last.rule, magic }
  }
  expect(ask(one, two)).toEqual({ status: 200, subject: null, rule: null, magic: undefined })
  const words = `${magicAddress('429')} is one of 3 in the request, and decides for all of it`
  const detail = `${words}: too many requests`
  expect(ask(one, magicAddress('429'), two)).toEqual({
    status: 429,
    subject: words,
    rule: 'magic 429',
    magic: { check: 'magic', passed: false, detail },
  })
  const alone = ask(magicAddress('429'))
  expect(alone.status).toBe(429)
  expect(alone.subject).not.toContain('one of')
  expect(alone.magic?.detail).toBe(`${magicAddress('429')} is magic: too many requests`)
})

test('magic can be switched off', async () => {
  const { fills } = await market({ magic: 'off' })
  expect(fills('429').status).toBe(200)
})
