/** Magic values: what each does to a request that names it. */
import { expect, test } from 'bun:test'
import type { Wish } from '../src/sandbox/wish.ts'
import { magicAddress, magicCoin, magicValues } from '../src/scenario/magic.ts'
import { memory } from '../src/transport/memory/memory.ts'
import { realRegistry } from './real-market.ts'
import { signed } from './toy-market.ts'

async function market(wish: Wish = {}) {
  const { registry, cast } = await realRegistry({ epoch: 'tape', ...wish })
  const { request } = memory(registry)
  const get = (path: string, query = '') =>
    request('GET', `/api/upgrade/v2${path}?${query}&${signed()}`)
  const post = (path: string, body: object) =>
    request('POST', `/api/upgrade/v2${path}?${signed()}`, JSON.stringify(body))
  return { get, post, cast, fills: (code: string) => get(`/hl/fills/${magicAddress(code)}`) }
}

test('an address of zeros and a code has the outcome of that code', async () => {
  const { fills } = await market()
  const statuses = ['401', '403', '429', '4290', '500', '502'].map((code) => fills(code).status)
  expect(statuses).toEqual([401, 403, 429, 429, 500, 502])
  expect(fills('504').delivery?.ready).toBeInstanceOf(Promise)
  expect([fills('700').delivery?.drop, fills('701').delivery?.drop]).toEqual(['before', 'middle'])
  expect(fills('602').body).toBe('null')
  for (const code of ['600', '601']) expect(() => JSON.parse(fills(code).body)).toThrow()
  expect(JSON.parse(fills('204').body)).toMatchObject({ code: '0', data: [] })
})

test('so has a coin that is called TRY and the code, in a path or in a query', async () => {
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

test('a magic coin whose outcome is nothing empties objects, too', async () => {
  const { get } = await market()
  const stat = (coin: string) => JSON.parse(get('/hl/liquidations/stat', `coin=${coin}`).body).data
  expect(stat(magicCoin('1'))).toBeObject()
  expect(stat(magicCoin('204'))).toBeNull()
})

test('a magic value that is no coin and no account of the request does nothing', async () => {
  const { get } = await market()
  const coin = magicCoin('429')
  expect(get('/hl/tickers', `coin=${coin}`).status).toBe(200)
  expect(get('/signal/addSignalAlert', `symbol=x:hl&subType=x&remark=${coin}`).status).toBe(200)
})

test('nobody and nothing of the market is called so, and all else is untouched', async () => {
  const { get, cast } = await market()
  const { coins, addresses } = magicValues()
  const known = JSON.stringify(cast())
  for (const name of [...Object.keys(coins), ...Object.keys(addresses)])
    expect(known).not.toContain(name)
  expect(get(`/hl/fills/${magicAddress('1')}`).status).toBe(200)
})

test('magic can be switched off', async () => {
  const { fills } = await market({ magic: 'off' })
  expect(fills('429').status).toBe(200)
})
