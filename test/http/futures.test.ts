/** Futures and coin operations for clients: exact forms, limits, and one market. */
import { expect, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const PREFIX = '/api/upgrade/v2'

async function market(options = {}) {
  const { registry, sandbox } = await recordedRegistry(options)
  // After the cascade of liquidations.
  await sandbox.clock.advance(15 * 60_000)
  const { request } = memoryTransport(registry)
  const get = (path: string, query: Record<string, string> = {}) => {
    const text = new URLSearchParams(query).toString()
    const { status, body } = request('GET', `${PREFIX}${path}?${text}&${signed('demo', -1)}`)
    return { status, ...JSON.parse(body) }
  }
  const { atMs, shiftMs } = sandbox.position()
  return { get, shownMs: atMs + shiftMs }
}

const FUTURES = [
  ['funding-rate/history', 'symbol', 'btcswapusdt:binance', '1m'],
  ['funding-rate/vol-weight-history', 'symbol', 'btcswapusdt', '1m'],
  ['open-interest/aggregated-stablecoin-history', 'symbol', 'BTC', '1m'],
  ['open-interest/aggregated-coin-margin-history', 'symbol', 'BTC', '1m'],
  ['liquidation/history', 'symbol', 'btcswapusdt:binance', '1m'],
] as const

test('every example is answered in exactly the declared form', async () => {
  const { get } = await market()
  const mine = OPERATIONS.filter(({ id }) => /^(futures|coin)\./.test(id))
  expect(mine.length).toBe(13)
  for (const { path, data, examples } of mine) {
    const check = TypeCompiler.Compile(data)
    for (const { query } of examples) {
      const answer = get(path, query)
      expect(answer.status).toBe(200)
      expect([path, [...check.Errors(answer.data)].slice(0, 2)]).toEqual([path, []])
    }
  }
})

test('the older ticker has exactly its own form', async () => {
  const { get } = await market({ questions: { 'coin-ticker-variant': 'older' } })
  const keys = get('/coin').data.map(({ coin_key }: { coin_key: string }) => coin_key)
  const { data } = get('/coin/ticker', { coin_list: keys.join(',') })
  const operation = OPERATIONS.find(({ id }) => id === 'coin.ticker')
  expect(data.length).toBe(keys.length)
  for (const ticker of data) expect(Object.keys(ticker).length).toBe(12)
  expect(operation && TypeCompiler.Compile(operation.data).Check(data)).toBe(true)
})

test('limits have their defaults, and more than the maximum is cut silently', async () => {
  const { get } = await market()
  for (const [path, name, symbol, interval] of FUTURES) {
    const count = (more: object) =>
      get(`/futures/${path}`, { [name]: symbol, interval, ...more }).data.length
    expect([path, count({})]).toEqual([path, path.startsWith('liquidation') ? 10 : 100])
    expect([path, count({ limit: '5000' })]).toEqual([path, 1000])
  }
  const maps = (limit: string) =>
    get('/futures/estimated-liquidation/history', { dbkey: 'solswapusdt:gate', cycle: '7d', limit })
  expect(maps('').data.length).toBe(100)
  expect(maps('3').data.length).toBe(3)
  const page = (query: Record<string, string>) => get('/futures/interest', query).data.list
  expect(page({ pageSize: '500' }).length).toBe(20)
  expect(page({ page: '2', pageSize: '3' })).toEqual(page({ pageSize: '6' }).slice(3))
  expect(page({ page: '99' })).toEqual([])
  const many = Array.from({ length: 100 }, () => 'nothing').join(',')
  expect(get('/coin/config', { coin_list: `${many},bitcoin` }).data).toEqual([])
})

test('only the documented intervals are answered', async () => {
  const { get } = await market()
  for (const [path, name, symbol] of FUTURES) {
    const isShort = /coin-margin|liquidation/.test(path)
    for (const [interval, isRight] of [
      ['15m', true],
      ['2m', isShort],
      ['1h', !isShort],
      ['1w', !isShort],
      ['7m', false],
    ] as const) {
      const { status } = get(`/futures/${path}`, { [name]: symbol, interval, limit: '2' })
      expect([path, interval, status]).toEqual([path, interval, isRight ? 200 : 400])
    }
  }
})

test('a language is a number or a word', async () => {
  const { get } = await market()
  const names = (lan: string) => {
    const { list } = get('/futures/interest', { lan, pageSize: '20' }).data
    return list.map(({ market_name }: { market_name: string }) => market_name)
  }
  for (const lan of ['10', '0', 'zh-CN']) expect(names(lan)).toEqual(names('cn'))
  for (const lan of ['11', '1', '']) expect(names(lan)).toEqual(names('en'))
  expect(names('cn')).toContain('币安')
})

test('times are shown on the clock of the client, and on round instants', async () => {
  const nowMs = 1_800_000_000_000
  const { get, shownMs } = await market({ epoch: 'live', now: nowMs })
  for (const [path, name, symbol] of FUTURES) {
    const query = { [name]: symbol, interval: '15m', limit: '3' }
    const times = get(`/futures/${path}`, query).data.map(({ time }: { time: number }) => time)
    const last = Math.floor(shownMs / 900_000) * 900_000
    expect(times).toEqual([last - 1_800_000, last - 900_000, last])
    const early = { ...query, end_time: String(last - 1) }
    expect(get(`/futures/${path}`, early).data.at(-1).time).toBe(last - 900_000)
  }
  const maps = { dbkey: 'btcswapusdt:okex', cycle: '24h', limit: '1' }
  const [newest] = get('/futures/estimated-liquidation/history', maps).data
  expect([newest.timestamp, newest.time % 900_000]).toEqual([shownMs, 0])
  const [pair] = get('/futures/interest').data.list
  expect(Number(pair.trend.at(-1).time)).toBe(Math.floor(shownMs / 1000))
  expect(Number(pair.trend[0].time) % 3600).toBe(0)
})

test('the distribution of every coin is a whole', async () => {
  const { get } = await market()
  const keys = get('/coin').data.map(({ coin_key }: { coin_key: string }) => coin_key)
  const { data } = get('/coin/config', { coin_list: keys.join(',') })
  expect(data.length).toBe(keys.length)
  for (const { distribution, describe } of data) {
    const sum = distribution.reduce((total: number, part: { foundation: string }) => {
      return total + Number(part.foundation)
    }, 0)
    if (distribution.length > 0) expect(sum).toBeCloseTo(100, 6)
    expect(describe).not.toBe('')
  }
})
