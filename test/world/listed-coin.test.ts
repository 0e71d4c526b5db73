/**
 * A market with a scheduled listing: the coin is unknown before, and known everywhere from then on.
 */
import { afterAll, expect, test } from 'bun:test'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { allAnswers, differences } from '../fixtures/all-answers.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { signed } from '../fixtures/fake-market.ts'
import { PREFIX, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'
import { flawsOfCoin } from '../fixtures/reconciled.ts'
import { marketOf } from '../fixtures/requested-market.ts'
import { lineRegistry, smallLine } from '../fixtures/small-line.ts'

const line = await smallLine()
afterAll(line.remove)
const LISTING = { kind: 'listing', coin: 'NOVA', px: 0.42 }

/** A sandbox at the end of the tape, on a moved clock. */
async function market() {
  const { registry, sandbox } = await lineRegistry(line, { epoch: 'tape' })
  const { ask } = marketOf({ registry, sandbox, cast: () => ({}) } as never)
  const control = controlCaller(registry)
  const call = (id: string, body?: object) => control(id, { params: { id: 'default' }, body })
  const info = (type: string, body = {}) =>
    ask('POST', '/hl/info', { body: { type, ...body } }) as never
  return { registry, sandbox, call, ask, info }
}

test('each of its open orders is found by its number', async () => {
  const { call, ask } = await market()
  // Other prices have other books.
  for (const [at, px] of [0.42, 3, 17, 95].entries())
    await call('market.trigger', { kind: 'listing', coin: `NEW${at}`, px })
  for (let step = 0; step < 4; step++) {
    await call('clock.advance', { ms: 60_000 })
    for (const coin of ['NEW0', 'NEW1', 'NEW2', 'NEW3']) {
      const query = { coin, min_val: '0', limit: '1000' }
      const rows = ask('GET', '/hl/orders/top-open-orders', { query }) as { oid: number }[]
      expect(rows.length).toBeGreaterThan(20)
      const lost = rows.filter(({ oid }) => {
        return ask('GET', '/hl/orders/oid/:oid', { path: { oid: `${oid}` } }) === null
      })
      expect([coin, step, lost]).toEqual([coin, step, []])
    }
  }
})

test('its changes of a day and of a week are those since its first trade', async () => {
  const { sandbox, call, ask } = await market()
  await call('market.trigger', LISTING)
  for (let step = 0; step < 4; step++) {
    await call('clock.advance', { ms: 45_000 })
    const coins = ask('GET', '/coin') as { coin_key: string; show: string }[]
    const key = coins.find(({ show }) => show === 'NOVA')?.coin_key
    const [row] = ask('GET', '/coin/ticker', { query: { coin_list: `${key}` } }) as {
      price_usd: string
      degree_24h_usd: string
      degree_7day_usd: string
    }[]
    const first = sandbox.facts().market.recentTrades('NOVA', 5_000).at(-1)
    const change = (Number(row?.price_usd) / Number(first?.px) - 1) * 100
    for (const degree of [row?.degree_24h_usd, row?.degree_7day_usd])
      expect(Math.abs(Number(degree) - change)).toBeLessThan(0.01)
    expect(flawsOfCoin(sandbox.facts(), 'NOVA')).toEqual([])
  }
})

test('a coin is unknown until it is listed, and then it is a market like others', async () => {
  const { registry, sandbox, call, ask, info } = await market()
  const unscheduled = allAnswers(registry, sandbox)
  const { status, body } = await call('market.trigger', { ...LISTING, afterS: 30.25 })
  expect([status, body.event]).toEqual([200, { ...LISTING, dayUsd: 20_000_000 }])
  expect(differences(allAnswers(registry, sandbox), unscheduled)).toEqual([])
  const universe = () =>
    (info('meta') as { universe: { name: string }[] }).universe.map(({ name }) => name)
  const before = universe()
  await call('clock.advance', { ms: 30_249 })
  const early = allAnswers(registry, sandbox)
  expect(universe()).toEqual(before)
  await call('clock.advance', { ms: 1 })
  expect(universe()).toEqual([...before, 'NOVA'])

  const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  for (const type of ['trades', 'l2Book', 'bbo'])
    sendJson(socket, subscribeFrame({ type, coin: 'NOVA' }))
  await call('clock.advance', { ms: 150_000 })
  const scheduled = (channel: string) =>
    socket.frames.map((frame) => JSON.parse(frame)).filter((one) => one.channel === channel)
  for (const channel of ['trades', 'l2Book', 'bbo'])
    expect([channel, scheduled(channel).length > 3]).toEqual([channel, true])
  const trades = scheduled('trades').flatMap(({ data }) => data)
  expect(trades.every(({ px }) => Math.abs(Number(px) / 0.42 - 1) < 0.1)).toBe(true)

  const fromMs = line.tapeEndMs + 30_250
  const req = { coin: 'NOVA', interval: '1m', startTime: 0, endTime: fromMs + 200_000 }
  const candles: { T: number }[] = info('candleSnapshot', { req })
  expect(candles.length).toBeGreaterThan(1)
  expect(candles[0]?.T).toBeGreaterThan(fromMs)
  const tickers = ask('GET', '/hl/tickers') as { coin: string }[]
  expect(tickers.map(({ coin }) => coin)).toContain('NOVA')
  const { NOVA } = info('allMids') as { NOVA: string }
  expect(Number(NOVA)).toBeCloseTo(0.42, 1)

  await call('playhead.set', { at: fromMs - 1 })
  expect(differences(allAnswers(registry, sandbox), early)).toEqual([])
  registry.close()
})

test('other exchanges do not list a new coin with the venue, and say so nowhere', async () => {
  const { registry, sandbox, call, ask } = await market()
  await call('market.trigger', LISTING)
  await call('clock.advance', { ms: 90_000 })
  const predicted = new Map(sandbox.facts().assetContexts.predictedFundings())
  expect(predicted.get('NOVA')).toContainEqual(['BinPerp', null])
  expect(predicted.get('BTC')).not.toContainEqual(['BinPerp', null])
  const levelsOf = (dbKey: string) =>
    (ask('GET', '/futures/latest-depth', { query: { dbKey } }) as { length: number }).length
  expect(levelsOf('novaswapusdc:hl')).toBeGreaterThan(0)
  expect(levelsOf('novaswapusdt:binance')).toBe(0)
  expect(levelsOf('btcswapusdt:binance')).toBeGreaterThan(0)
  const query = { language: 'en', pageSize: '5' }
  const flashes = ask('GET', '/content/exchange-listing-flash', { query })
  expect(JSON.stringify(flashes)).not.toContain('NOVA')
  registry.close()
})

test('an invalid listing is refused with a hint', async () => {
  const { registry, call } = await market()
  const refusal = async (body: object) => (await call('market.trigger', body)).body.error
  expect(await refusal({ kind: 'listing', coin: 'btc', px: 1 })).toBe(
    'coin is btc, which is traded already: name a new one',
  )
  expect(await refusal({ kind: 'listing', coin: 'ODD' })).toContain('px is missing: ODD is none')
  const { body } = await call('market.trigger', { ...LISTING, coin: 'newcomer', afterS: 60 })
  expect(body.event.coin).toBe('NOVA')
  expect(await refusal({ ...LISTING, afterS: 36_000 })).toContain('a coin is listed once')
  registry.close()
})
