/** Market state agrees with books, trades, accounts and funding. */
import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import type { InstrumentRow } from '../../src/market/schema/schema.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { crowdLongOf } from '../fixtures/interest-reference.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const instants = [1, 95_000, 179_000].map((at) => world.startMs + at)
const allTraders = world.db.query<{ address: string }, []>('select address from trader').all()

const micros = (text: string | null | undefined) => Math.round(Number(text) * 1e6)

/** Perpetuals of a dex by coin. */
function perpsAt(atMs: number, dex: string) {
  const { venue, assetContexts } = factsAt(world, atMs)
  const names = venue.meta(dex)?.universe.map(({ name }) => name) ?? []
  const list = runToEnd(assetContexts.perps(dex)) ?? []
  expect(list).toHaveLength(names.length)
  return list.map((context, at) => ({ coin: names[at] ?? '', ...context }))
}

test('prices are those of the books, and open interest is that of accounts and crowd', () => {
  for (const atMs of instants)
    for (const dex of ['', 'xyz']) {
      const { venue, books, accounts } = factsAt(world, atMs)
      const mids = venue.allMids(dex)
      const states = allTraders.map(({ address }) => accounts.native(address, dex))
      const positions = states.flatMap(({ assetPositions }) => assetPositions)
      for (const { coin, midPx, markPx, openInterest, impactPxs } of perpsAt(atMs, dex)) {
        if (midPx !== null) expect(midPx).toBe(mids[coin] as string)
        const held = positions.filter(({ position }) => position.coin === coin)
        const longs = held.map(({ position }) => Math.max(0, micros(position.szi)))
        const of = world.byCoin.get(coin) as InstrumentRow
        const crowd = micros(String(crowdLongOf(world, of, atMs) / 10 ** of.szDecimals))
        expect(longs.reduce((a, b) => a + b, crowd)).toBe(micros(openInterest))
        for (const { position } of held) {
          const value = Math.abs(Number(position.szi)) * Number(markPx)
          expect(Number(position.positionValue)).toBeCloseTo(value, 4)
        }
        const [bid, ask] = books.bbo(coin)?.bbo ?? []
        if (impactPxs === null || !bid || !ask) continue
        expect(Number(impactPxs[0])).toBeLessThanOrEqual(Number(bid.px))
        expect(Number(impactPxs[1])).toBeGreaterThanOrEqual(Number(ask.px))
      }
    }
})

const TURNOVER = { ...DEFAULT_ANSWERS, 'futures-interest-fields': 'turnover' as const }

test('volumes of a day are those of the pair, and prices those of the coin tickers', () => {
  const [, , atMs = 0] = instants
  const { coin, assetContexts, futures } = factsOf(world)({
    atMs: tapeMs(atMs),
    shiftMs: 0,
    answers: TURNOVER,
  })
  const [bitcoin] = runToEnd(coin.tickers(['bitcoin']))
  const [btc] = perpsAt(atMs, '')
  const query = { language: 'en', currency: 'usd', page: 1, pageSize: 20 } as const
  const pairs = runToEnd(futures.openInterestList(query))
  const pair = pairs.find(({ key }) => key === 'btcswapusdc:hl')
  expect(Number(btc?.dayNtlVlm).toFixed(2)).toBe(pair?.trade as string)
  expect(Number(btc?.dayBaseVlm)).toBe(Number(pair?.vol_coin))
  expect(Number(btc?.dayBaseVlm)).toBeLessThan(Number(bitcoin?.vol_24h) / 4)
  const change = (100 * Number(bitcoin?.price_usd)) / Number(btc?.prevDayPx) - 100
  expect(change).toBeCloseTo(Number(bitcoin?.degree_24h_usd), 2)
  expect(runToEnd(assetContexts.spots()).map(({ coin }) => coin)).toEqual(['PURR/USDC'])
  expect(runToEnd(assetContexts.perps('nowhere'))).toBeNull()
  expect(assetContexts.dexs().map(({ name }) => name)).toEqual(['xyz'])
})

test('funding rates are charged ones, oldest first, and the newest is the one in force', () => {
  for (const atMs of instants) {
    const { assetContexts, futures } = factsAt(world, atMs)
    const dayMs = 86_400_000
    const rates = assetContexts.fundingHistory('BTC', { startTimeMs: atMs - 2 * dayMs }, 500)
    expect(rates).toHaveLength(48)
    const times = rates?.map(({ time }) => time) ?? []
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.every((timeMs) => timeMs % 3_600_000 === 0 && timeMs <= atMs)).toBe(true)
    expect(assetContexts.fundingHistory('BTC', {}, 500)).toHaveLength(500)
    const [btc] = perpsAt(atMs, '')
    const predicted = assetContexts.predictedFundings().find(([coin]) => coin === 'BTC')
    const here = predicted?.[1].find(([name]) => name === 'HlPerp')?.[1]
    expect(Number(here?.fundingRate)).toBe(Number(btc?.funding))
    expect(here?.nextFundingTime).toBeGreaterThan(atMs)
    const query = { symbol: 'btcswapusdt:binance', interval: '1m', limit: 1 }
    const there = predicted?.[1].find(([name]) => name === 'BinPerp')?.[1]
    expect(there?.fundingRate).toBe(runToEnd(futures.fundingRates(query))?.[0]?.close as string)
    expect(assetContexts.fundingHistory('NONE', {}, 5)).toBeNull()
  }
})

test('a context is made once for an instant, for all that show it', () => {
  for (const atMs of [...instants, ...instants.toReversed()]) {
    const [one, other] = [factsAt(world, atMs), factsAt(world, atMs)]
    const [first] = runToEnd(one.assetContexts.perps('')) ?? []
    const [again] = runToEnd(other.assetContexts.perps('')) ?? []
    expect(again).toBe(first as NonNullable<typeof first>)
    const [coin = ''] = one.venue.meta('')?.universe.map(({ name }) => name) ?? []
    expect(runToEnd(other.assetContexts.ofCoin(coin))).toBe(first as NonNullable<typeof first>)
  }
})
