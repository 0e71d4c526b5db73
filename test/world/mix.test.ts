/** Whole-market features agree with other endpoints. */
import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { later } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import {
  FundScale,
  FundTrust,
  LiquidationDetail,
  type LongShortRatio,
  NavItem,
  StockMarketItem,
  TRUST_COINS,
} from '../../src/contract/records/mix.ts'
import { liquidationQueryOf, trustCoins } from '../../src/contract/responses/mix.ts'
import { dbKeys, exchangesListing } from '../../src/market/exchanges/exchanges.ts'
import { assetOf } from '../../src/market/rows/assets.ts'
import type { InstrumentRow } from '../../src/market/schema/schema.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const DAY = 86_400_000
const HOUR = DAY / 24
const end = factsAt(world, world.endMs)

/** The last instant of a full minute, from which a day back is a full one too. */
const minuteMs = Math.floor((world.endMs + 1) / 60_000) * 60_000 - 1
const minute = factsAt(world, minuteMs)

/** Sums of the liquidation histories of some pairs since an instant, in dollars. */
function histories(keys: string[], fromMs: number) {
  const sums = { long: 0, short: 0 }
  for (const symbol of keys) {
    const query = { symbol, interval: '1m', limit: 1_441, startTimeMs: fromMs }
    for (const row of runToEnd(minute.futures.liquidations(query)) ?? []) {
      sums.long += Number(row.long_liquidation_usd)
      sums.short += Number(row.short_liquidation_usd)
    }
  }
  return sums
}

test('liquidations are the sums of the histories of all pairs, and of each market', () => {
  const swaps = dbKeys(world).filter((key) => key.includes('swap'))
  for (const marketKey of [undefined, 'hl', 'binance', 'gate']) {
    const detail = runToEnd(minute.mix.liquidations({ currency: 'usd', marketKey }))
    expect(Value.Check(LiquidationDetail, detail)).toBe(true)
    const ours = swaps.filter((key) => !marketKey || key.endsWith(`:${marketKey}`))
    const { long, short } = histories(ours, minuteMs + 1 - DAY)
    expect(Number(detail.liqLong24h)).toBeCloseTo(long, 1)
    expect(Number(detail.liqShort24h)).toBeCloseTo(short, 1)
    expect(Number(detail.liq24h)).toBeCloseTo(long + short, 1)
    expect(long).toBeGreaterThan(0)
    if (marketKey) expect(detail.liq24HMaxMarket).toBe(marketKey)
    expect(ours).toContain(detail.liq24HMaxTpKey)
  }
})

test('on the venue they are those of the perpetual venue, coin by coin', () => {
  const sums = end.liquidations.byCoin({ interval: '1d' })
  expect(sums.length).toBeGreaterThan(0)
  for (const { coin, totalFilled, longFilled } of sums) {
    const query = { currency: 'usd', marketKey: 'hl' } as const
    const coinKey = assetOf(world.byCoin.get(coin)?.base ?? '').key
    const detail = runToEnd(end.mix.liquidations({ ...query, coinKey }))
    expect(Number(detail.liq24h)).toBeCloseTo(Number(totalFilled), 2)
    expect(Number(detail.liqLong24h)).toBeCloseTo(Number(longFilled), 2)
    const [largest] = end.liquidations.topPositions({ coin, interval: '1d', limit: 1 })
    expect(Number(detail.maxLiq)).toBeCloseTo(Number(largest?.liquidatedVal), 2)
  }
})

test('yuan are dollars at the fixed rate, and the type selects the key', () => {
  const [usd, cny] = (['usd', 'cny'] as const).map((currency) =>
    runToEnd(end.mix.liquidations({ currency })),
  )
  expect(Number(cny?.liq24h)).toBeCloseTo(Number(usd?.liq24h) * 7.1, 0)
  const keys = { currency: 'usd', coinKey: 'bitcoin', marketKey: 'binance' } as const
  const queryFor = (type?: number) => liquidationQueryOf({ ...keys, type })
  expect(queryFor(1)).toEqual({ ...keys, marketKey: undefined } as never)
  expect(queryFor(2)).toEqual({ ...keys, coinKey: undefined } as never)
  expect(queryFor()).toEqual(keys)
  const nothing = runToEnd(end.mix.liquidations({ currency: 'usd', coinKey: 'nothing' }))
  expect(nothing).toMatchObject({ liq24h: '0.00', maxLiq: '0.00', maxLiqMarket: '' })
  expect(nothing).toMatchObject({ liq24HMaxMarket: '', liq24HMaxTpKey: '' })
})

test('liquidations of the future are not shown', () => {
  const rows = world.db.query('select timeMs, notional from liquidation order by timeMs').values()
  const [firstMs] = rows[0] as [number]
  const at = (timeMs: number) =>
    runToEnd(factsAt(world, timeMs).mix.liquidations({ currency: 'usd', marketKey: 'hl' }))
  expect(at(firstMs - 1).liq24h).toBe('0.00')
  const known = rows.filter(([timeMs]) => timeMs === firstMs)
  const sum = known.reduce((total, [, notional]) => total + Number(notional) / 1e6, 0)
  expect(Number(at(firstMs).liq1h)).toBeCloseTo(sum, 2)
})

test('the long/short ratio is that of all exchanges, also of a day and a week ago', () => {
  const btc = world.byCoin.get('BTC') as InstrumentRow
  const ago = (ms: number) => {
    const query = { periodS: 60, size: 1, openHour: 0, key: 'lsur' } as const
    const atMs = world.endMs - ms
    const { indicator } = factsAt(world, atMs)
    const [weights, longs] = [[] as number[], [] as number[]]
    for (const exchange of exchangesListing(world, btc)) {
      const symbol = exchange ? `btcswapusdt:${exchange.key}` : 'btcswapusdc:hl'
      const [record] = runToEnd(indicator.records({ ...query, symbol })) ?? []
      const [position] = runToEnd(indicator.records({ ...query, symbol, key: 'position' })) ?? []
      weights.push(Number(position?.close))
      longs.push(Number(record?.buyAccount))
    }
    const whole = weights.reduce((sum, one) => sum + one, 0)
    const long = longs.reduce((sum, one, at) => sum + (one * (weights[at] as number)) / whole, 0)
    return long / (1 - long)
  }
  const { last, last_day, last_week } = runToEnd(end.mix.longShortRatio()) as LongShortRatio
  expect(Number(last)).toBeCloseTo(ago(0), 2)
  expect(Number(last_day)).toBeCloseTo(ago(DAY), 2)
  expect(Number(last_week)).toBeCloseTo(ago(7 * DAY), 2)
  for (const ratio of [last, last_day, last_week]) {
    expect(Number(ratio)).toBeGreaterThan(0.5)
    expect(Number(ratio)).toBeLessThan(3)
  }
})

test('the navigation shows the prices of tickers and of the index list', () => {
  for (const language of ['cn', 'en'] as const) {
    const items = runToEnd(end.mix.navigation(language))
    for (const item of items) expect([...Value.Errors(NavItem, item)]).toEqual([])
    const pairs = items.filter(({ key_type }) => key_type === 1)
    expect(pairs.map(({ key }) => key)).toContain('purrusdc:hl')
    for (const { key, last, trades } of pairs) {
      const of = world.instruments.find(({ base }) => key.startsWith(base.toLowerCase()))
      expect(last).toBe(end.market.ticker(of?.coin ?? '')?.price as string)
      expect(trades[0]?.price).toBe(last)
    }
    const indexes = items.filter(({ key_type }) => key_type === 3)
    expect(indexes.map(({ key, last }) => [key, last])).toEqual(
      runToEnd(end.marketIndex.list()).map(({ key, price }) => [key, price]),
    )
  }
})

test('holdings of a trust change by the published amount, at shown midnights', () => {
  for (const shiftMs of [0, 5 * HOUR]) {
    const at = (timeMs: number) => factsAt(world, timeMs, shiftMs).mix.scales(TRUST_COINS)
    const [now, before] = [at(world.endMs), at(world.endMs - DAY)]
    expect([...Value.Errors(FundScale, now)]).toEqual([])
    for (const coin of TRUST_COINS) {
      const [today, yesterday] = [now[coin], before[coin]].map((one) => Number(one?.total))
      const change = Number(now[coin]?.day_change)
      expect((today as number) - (yesterday as number)).toBeCloseTo(change, 2)
      expect(change / (yesterday as number)).toBeCloseTo(Number(now[coin]?.percent), 5)
      expect(change).not.toBe(0)
    }
    const midnightMs = Math.floor((world.endMs + shiftMs) / DAY) * DAY - shiftMs
    expect(at(midnightMs)).toEqual(now)
    expect(at(midnightMs - 1)).toEqual(before)
  }
  expect(trustCoins(' ETH,btc,doge,btc')).toEqual(['btc', 'eth'])
})

test('a share of the trust follows its coin within the day', () => {
  const [early, late] = [world.startMs, world.endMs].map((atMs) => {
    const facts = factsAt(world, atMs)
    const trust = facts.mix.trust()
    expect([...Value.Errors(FundTrust, trust)]).toEqual([])
    const [low, high] = [Number(trust?.low), Number(trust?.high)]
    for (const price of [trust?.last, trust?.open]) {
      expect(Number(price)).toBeGreaterThanOrEqual(low)
      expect(Number(price)).toBeLessThanOrEqual(high)
    }
    return [Number(trust?.last), Number(facts.market.ticker('BTC')?.price)] as const
  }) as [readonly [number, number], readonly [number, number]]
  expect(late[0] / early[0]).toBeCloseTo(late[1] / early[1], 3)
})

test('the stock market matches the stock endpoints', () => {
  const stocks = runToEnd(end.mix.stocks())
  const gainers = runToEnd(end.stock.gainers({ us: true, hk: true, limit: 50 }))
  for (const stock of stocks) expect([...Value.Errors(StockMarketItem, stock)]).toEqual([])
  expect(gainers.length).toBeGreaterThan(10)
  for (const { name, price, change_rate } of gainers) {
    const stock = stocks.find((one) => one.name === name)
    expect([Number(stock?.last), Number(stock?.degree)]).toEqual([price, change_rate])
  }
})

test('a market without a price yet is listed without one', () => {
  const facts = factsAt(world, later(world.meta.historyStartMs, -1))
  expect(facts.mix.trust()).toBeNull()
  expect(runToEnd(facts.mix.navigation('en')).filter(({ key_type }) => key_type === 1)).toEqual([])
  expect(runToEnd(facts.mix.longShortRatio())?.last).toBe('0.0000')
})
