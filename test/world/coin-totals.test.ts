/** Totals of a coin are the sums of its pairs: all coins, all operations. */
import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { type Pair, pairsOf } from '../../src/market/exchanges/exchanges.ts'
import { assetOf } from '../../src/market/rows/assets.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const DAY_MS = 86_400_000
const atMs = world.endMs - 4321
/** A shift at which the last 24 hours are a day. */
const shiftMs = DAY_MS - ((atMs + 1) % DAY_MS)
const answersOf = (fields: 'interest' | 'turnover') => ({
  ...DEFAULT_ANSWERS,
  'futures-interest-fields': fields,
})
const factsWith = (fields: 'interest' | 'turnover') =>
  factsOf(world)({ atMs: tapeMs(atMs), shiftMs, answers: answersOf(fields) })
const facts = factsWith('interest')
const listed = (fields: 'interest' | 'turnover') =>
  [1, 2, 3].flatMap((page) =>
    runToEnd(factsWith(fields).futures.openInterestList({ ...LIST, page, pageSize: 20 })),
  )
const LIST = { language: 'en', currency: 'usd' } as const
const dayQuery = (symbol: string) => ({
  symbol,
  periodS: DAY_MS / 1000,
  size: 1,
  openHour: 8 as const,
})

const coins = facts.coin.list().map(({ coin_key }) => coin_key)
const pairsOfCoin = (key: string, market?: Pair['market']) =>
  [...pairsOf(world)].flatMap(([symbol, pair]) =>
    assetOf(pair.instrument.base).key === key && (market ?? pair.market) === pair.market
      ? symbol
      : [],
  )
const tickerOf = (key: string) => {
  const [ticker] = runToEnd(facts.coin.tickers([key]))
  if (!ticker) throw new Error(`no ticker of ${key}`)
  return ticker
}
/** Sums of decimal texts, exact. */
const sumOf = (texts: readonly (string | undefined)[]) =>
  texts.reduce((sum, text) => sum + units(text ?? '0'), 0n)
const units = (text: string) => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + fraction.padEnd(12, '0'))
  return text.startsWith('-') ? -value : value
}
const flowOf = (symbol: string, key: 'fundflow' | 'tvolume' | 'bsv') =>
  runToEnd(facts.indicator.records({ ...dayQuery(symbol), key }))?.[0] as
    | Record<string, string>
    | undefined

test('builder dex listings are no coins', () => {
  expect(coins).toEqual(['bitcoin', 'solana', 'purr'])
})

test('the volume of a coin is that of the k-lines and of the flows of all its pairs', () => {
  for (const key of coins) {
    const symbols = pairsOfCoin(key)
    expect(symbols.length).toBeGreaterThan(6)
    const klines = symbols.map(
      (symbol) => runToEnd(facts.indicator.klines(dayQuery(symbol)))?.[0]?.[5],
    )
    expect(sumOf(klines)).toBe(units(tickerOf(key).vol_24h))
    const flows = symbols.map((symbol) => flowOf(symbol, 'bsv'))
    const sides = flows.flatMap((one) => [one?.buyVolume, one?.sellVolume])
    expect(sumOf(sides)).toBe(units(tickerOf(key).vol_24h))
  }
})

test('the inflow of a coin is that of all its pairs, to the cent', () => {
  for (const key of coins) {
    const flows = pairsOfCoin(key).map((symbol) => flowOf(symbol, 'fundflow')?.value)
    expect(sumOf(flows)).toBe(units(tickerOf(key).fundNetIn_24h_usd))
  }
})

test('the turnover of a coin is that of its contracts, and of spot at prices of the day', () => {
  const turnovers = listed('turnover')
  for (const key of coins) {
    const { trade_24h_usd, vol_24h, price_usd } = tickerOf(key)
    const swaps = pairsOfCoin(key, 'swap')
    const shown = swaps.map((symbol) => flowOf(symbol, 'tvolume')?.volume)
    expect(sumOf(turnovers.filter(({ key: one }) => swaps.includes(one)).map(tradeOf))).toBe(
      sumOf(shown),
    )
    const swapSizes = swaps.map(
      (symbol) => runToEnd(facts.indicator.klines(dayQuery(symbol)))?.[0]?.[5],
    )
    const spotUsd = Number(units(trade_24h_usd) - sumOf(shown))
    const spotSize = Number(units(vol_24h) - sumOf(swapSizes))
    expect(spotUsd / spotSize / Number(price_usd)).toBeWithin(0.8, 1.25)
  }
})

const tradeOf = ({ trade }: { trade: string }) => trade

test('the open interest of a coin is that of all its contracts', () => {
  const list = listed('interest')
  for (const key of coins.filter((one) => pairsOfCoin(one, 'swap').length > 0)) {
    const swaps = pairsOfCoin(key, 'swap')
    const symbol = world.instruments.find(({ base }) => assetOf(base).key === key)?.base ?? ''
    const query = { symbol, interval: '1d', limit: 1 }
    const [now] = runToEnd(facts.futures.stablecoinOpenInterest(query)) ?? []
    const closes = swaps.map(
      (one) => runToEnd(facts.indicator.records({ ...dayQuery(one), key: 'position' }))?.[0]?.close,
    )
    expect(sumOf(closes as string[])).toBe(units(now?.close ?? ''))
    const rows = list.filter(({ key: one }) => swaps.includes(one))
    expect(rows).toHaveLength(swaps.length)
    expect(sumOf(rows.map(({ vol_coin }) => vol_coin))).toBe(units(now?.close ?? ''))
  }
})

test('the liquidations of a coin are those of all its contracts, by coin and by market', () => {
  for (const coinKey of coins) {
    const swaps = pairsOfCoin(coinKey, 'swap')
    const detail = runToEnd(facts.mix.liquidations({ currency: 'usd', coinKey }))
    const sums = { long: 0n, short: 0n }
    for (const symbol of swaps) {
      const query = { symbol, interval: '1m', limit: 1_440, startTimeMs: atMs + 1 - DAY_MS }
      for (const row of runToEnd(facts.futures.liquidations(query)) ?? []) {
        sums.long += units(row.long_liquidation_usd)
        sums.short += units(row.short_liquidation_usd)
      }
    }
    const cents = (value: bigint) => Number(value / 10n ** 10n) / 100
    expect(Number(detail.liqLong24h)).toBeCloseTo(cents(sums.long), 1)
    expect(Number(detail.liqShort24h)).toBeCloseTo(cents(sums.short), 1)
    const markets = ['hl', 'binance', 'okex', 'bybit', 'gate', 'huobi', 'bitget'].map(
      (marketKey) =>
        runToEnd(facts.mix.liquidations({ currency: 'usd', coinKey, marketKey })).liq24h,
    )
    expect(Number(sumOf(markets) - units(detail.liq24h)) / 1e12).toBeWithin(-0.05, 0.05)
  }
})

test('all estimated liquidations of a coin are less than its open interest', () => {
  const rows = listed('interest')
  for (const key of coins) {
    let [estimated, held] = [0, 0]
    for (const symbol of pairsOfCoin(key, 'swap')) {
      const query = { symbol, limit: 1, cycle: '7d' } as const
      const [map] = runToEnd(facts.futures.estimatedLiquidations(query)) ?? []
      for (const { long, short } of Object.values(map?.data_map ?? {}))
        for (const [, , usd] of [...long, ...short]) estimated += Number(usd)
      held += Number(rows.find((one) => one.key === symbol)?.trade)
    }
    expect(estimated).toBeLessThanOrEqual(held)
    expect(estimated).toBeGreaterThanOrEqual(0.1 * held)
  }
})
