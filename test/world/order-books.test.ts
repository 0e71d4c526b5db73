/** Books of a world are equal in every form. */

import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { raw, ZERO } from '../../src/decimal/quantity.ts'
import { bookCacheOf } from '../../src/market/books/book-cache.ts'
import { priceIntervals } from '../../src/market/books/price-intervals.ts'
import { dbKeys, EXCHANGES } from '../../src/market/exchanges/exchanges.ts'
import { castOf } from '../../src/market/world/cast.ts'
import type { World } from '../../src/market/world/world.ts'
import { factsAt, ownSmallWorld, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const OWN = {
  BTC: 'btcswapusdc:hl',
  SOL: 'solswapusdc:hl',
  'xyz:TSLA': 'tslaswapusdc:hl',
  'PURR/USDC': 'purrusdc:hl',
}
/** Instants all over the tape, on no particular grid. */
const instants = Array.from({ length: 9 }, (_, at) => world.startMs + 777 + at * 21_111)

const instrument = (coin: string, of: World = world) => {
  const found = of.byCoin.get(coin)
  if (!found) throw new Error(`no ${coin}`)
  return found
}

const numbers = (levels: readonly (readonly string[])[]) =>
  levels.map(([px, sz]) => [Number(px), Number(sz)])

test('l2Book, bbo, latest, full and grouped depth show one book', () => {
  for (const atMs of instants)
    for (const [coin, dbKey] of Object.entries(OWN)) {
      const { books, futures } = factsAt(world, atMs)
      const book = books.l2({ coin })
      const full = futures.fullDepth(dbKey)
      const [bids = [], asks = []] = book?.levels ?? []
      const plain = (side: typeof bids) => side.map(({ px, sz }) => [Number(px), Number(sz)])
      expect(bids.length).toBeGreaterThan(5)
      expect(full?.timestamp).toBe(book?.time as number)
      expect(plain(bids)).toEqual(numbers(full?.bids.slice(0, 20) ?? []))
      expect(plain(asks)).toEqual(numbers(full?.asks.slice(0, 20) ?? []))
      expect(books.bbo(coin)?.bbo).toEqual([bids[0] ?? null, asks[0] ?? null])
      const latest = futures.latestDepth(dbKey, 7)
      expect([latest.bids, latest.asks]).toEqual([
        full?.bids.slice(0, 7) ?? [],
        full?.asks.slice(0, 7) ?? [],
      ])
      expect(latest.length).toBe(14)
      const grouped = futures.groupedDepth(dbKey, 0.5)
      const total = (side: readonly (readonly string[])[], at: number) =>
        side.reduce((sum, level) => sum + Number(level[at]), 0)
      expect(total(grouped?.bids ?? [], 2)).toBeCloseTo(total(full?.bids ?? [], 1), 6)
      expect(total(grouped?.asks ?? [], 2)).toBeCloseTo(total(full?.asks ?? [], 1), 6)
    }
})

test('a book rebuilt from changes does not depend on earlier reads', async () => {
  const other = await ownSmallWorld()
  for (const atMs of instants.toReversed())
    for (const coin of Object.keys(OWN)) {
      const at = (of: World) => bookCacheOf(of).at(instrument(coin, of), tapeMs(atMs))
      const plain = (of: World) =>
        at(of) && priceIntervals(at(of) as never, instrument(coin, of), 0.01)
      expect(plain(other)).toEqual(plain(world))
    }
  other.close()
})

test('a book is never from the future and never crossed', () => {
  for (const atMs of instants)
    for (const coin of Object.keys(OWN)) {
      const book = bookCacheOf(world).at(instrument(coin), tapeMs(atMs))
      expect(book?.timeMs).toBeLessThanOrEqual(atMs)
      const [bid, ask] = [book?.bids[0]?.px ?? ZERO, book?.asks[0]?.px ?? ZERO]
      expect(raw(bid)).toBeLessThan(raw(ask))
    }
})

test('every dbKey has a book in order, and pairs are found in any spelling', () => {
  const { futures } = factsAt(world, world.endMs)
  const keys = dbKeys(world)
  expect(keys.length).toBe(4 + EXCHANGES.length * 5)
  for (const key of keys) {
    const { bids, asks } = futures.latestDepth(key.toUpperCase(), 500)
    const prices = [...numbers(bids).toReversed(), ...numbers(asks)].map(([px]) => px as number)
    expect(prices.length).toBeGreaterThan(10)
    expect(prices.every((px, at) => at === 0 || px > (prices[at - 1] as number))).toBe(true)
  }
  expect(futures.fullDepth('nopeusdt:binance')).toBeNull()
  expect(futures.latestDepth('nopeusdt:binance', 5)).toMatchObject({
    asks: [],
    bids: [],
    length: 0,
  })
})

test('rounded books carry a spread and lie outside the unrounded book', () => {
  for (const nSigFigs of [2, 3, 4, 5]) {
    const { books } = factsAt(world, world.endMs)
    const unrounded = books.l2({ coin: 'SOL' })
    const rounded = books.l2({ coin: 'SOL', nSigFigs })
    const px = (of: typeof unrounded, side: 0 | 1) => Number(of?.levels[side][0]?.px)
    expect(px(rounded, 0)).toBeLessThanOrEqual(px(unrounded, 0))
    expect(px(rounded, 1)).toBeGreaterThanOrEqual(px(unrounded, 1))
    expect(Number(rounded?.spread)).toBeCloseTo(px(rounded, 1) - px(rounded, 0), 9)
    expect(unrounded && 'spread' in unrounded).toBe(false)
  }
  expect(factsAt(world, world.endMs).books.l2({ coin: 'NOPE' })).toBeNull()
})

test('the venue lists each instrument once, and mids lie between bid and ask', () => {
  const { venue, books } = factsAt(world, world.endMs)
  expect(venue.meta('')?.universe.map(({ name }) => name)).toEqual(['BTC', 'SOL'])
  expect(venue.meta('xyz')?.universe.map(({ name }) => name)).toEqual(['xyz:TSLA'])
  expect(venue.meta('nope')).toBeNull()
  const { universe, tokens } = venue.spotMeta()
  expect(universe.map(({ name }) => name)).toEqual(['PURR/USDC'])
  const named = universe[0]?.tokens.map((at) => tokens.find(({ index }) => index === at)?.name)
  expect(named).toEqual(['PURR', 'USDC'])
  expect(Object.keys(venue.allMids(''))).toEqual(['BTC', 'SOL', 'PURR/USDC'])
  for (const [coin, mid] of Object.entries(venue.allMids(''))) {
    const [bid, ask] = books.bbo(coin)?.bbo ?? []
    expect(Number(mid)).toBeCloseTo((Number(bid?.px) + Number(ask?.px)) / 2, 9)
  }
})

test('all names in the cast exist', () => {
  const atMs = world.startMs + 150_000
  const facts = factsAt(world, atMs, 5_000)
  const cast = castOf(world, facts.moment)
  expect(cast.coins).toEqual(Object.keys(OWN))
  for (const oid of cast.oids.open) expect(facts.orders.byId(`${oid}`)?.status).toBe('open')
  for (const oid of cast.oids.filled) expect(facts.orders.byId(`${oid}`)?.status).toBe('filled')
  for (const oid of cast.oids.cancelled)
    expect(facts.orders.byId(`${oid}`)?.status).toBe('cancelled')
  const { open, filled, cancelled } = cast.oids
  expect(Math.min(open.length, filled.length, cancelled.length)).toBeGreaterThan(0)
  for (const address of Object.values(cast.addresses))
    expect(facts.fills.native(address ?? '', 1)).toHaveLength(1)
  for (const { address, coin } of cast.openPositions) {
    const state = facts.accounts.perp(address, coin.startsWith('xyz:') ? 'xyz' : '')
    expect(state.assetPositions.map(({ position }) => position.coin)).toContain(coin)
  }
  expect(cast.openPositions.length).toBeGreaterThan(0)
  for (const { openTime, closeTime } of cast.completedPositions)
    expect([openTime < closeTime, closeTime <= atMs + 5_000]).toEqual([true, true])
})
