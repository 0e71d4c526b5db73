/**
 * Open orders of the market, fills of TWAPs and of builders: the same rows as those of each
 * account.
 */

import { expect, test } from 'bun:test'
import { later, tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { parse } from '../../src/decimal/quantity.ts'
import { tradersOf } from '../../src/market/rows/traders.ts'
import { growWorld } from '../../src/market/world/cache.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import type { World } from '../../src/market/world/world.ts'
import { openUngrown } from '../../src/market/world/world-file.ts'
import { growTo, lineOf } from '../fixtures/grown-world.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const world = await smallWorld()
const folder = temporaryFolder()
const MOMENTS = [0, 45_000, 110_000, 179_000].map((ms) => world.startMs + ms)

const at = (atMs: number, answers = {}) =>
  factsOf(world)({ atMs: tapeMs(atMs), shiftMs: 0, answers: { ...DEFAULT_ANSWERS, ...answers } })

const usd = (text: string) => parse(text, 6)
const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)

/** Open orders of all tracked traders, and of the crowd accounts that the market names. */
function everybodys(atMs: number, triggers: string) {
  const { orders } = at(atMs, { 'open-order-triggers': triggers })
  const top = runToEnd(orders.largestOpen({ minUsd: '0', limit: 1_000_000 }))
  const tracked = tradersOf(world).list.map(({ address }) => address)
  const crowd = new Set(top.slice(0, 30).map(({ address }) => address))
  const own = [...new Set([...tracked, ...crowd])].flatMap((address) =>
    ['', 'xyz'].flatMap((dex) =>
      orders.frontendOpen(address, dex).map((order) => ({ address, ...order })),
    ),
  )
  return { top, own, known: new Set([...tracked, ...crowd]) }
}

const plain = (text: string) => String(Number(text))

test('the open orders of the market are those of all accounts', () => {
  for (const atMs of MOMENTS)
    for (const triggers of ['absent', 'present']) {
      const { top, own, known } = everybodys(atMs, triggers)
      expect(own.length).toBeGreaterThan(100)
      const byOid = new Map(own.map((order) => [order.oid, order]))
      const shown = top.filter(({ address }) => known.has(address))
      expect(shown.length).toBeGreaterThan(50)
      for (const { val, distPct: _, ...order } of shown) {
        const same = byOid.get(order.oid)
        expect(order).toEqual({
          time: same?.timestamp ?? 0,
          address: same?.address ?? '',
          oid: same?.oid ?? 0,
          coin: same?.coin ?? '',
          side: same?.side ?? 'A',
          sz: plain(same?.sz ?? ''),
          origSz: plain(same?.origSz ?? ''),
          limitPx: plain(same?.limitPx ?? ''),
          reduceOnly: same?.reduceOnly ?? false,
          tif: same?.tif ?? null,
        })
        expect(Math.abs(Number(val) - Number(order.limitPx) * Number(order.sz))).toBeLessThan(1e-5)
      }
      const values = top.map(({ val }) => usd(val))
      expect(values).toEqual(values.toSorted((a, b) => b - a))
    }
})

test('open orders are counted and summed by side, large ones apart', () => {
  for (const atMs of MOMENTS)
    for (const coin of [undefined, 'BTC', 'PURR/USDC', 'nothing']) {
      const { orders } = at(atMs)
      const all = runToEnd(orders.largestOpen({ coin, minUsd: '0', limit: 100_000 }))
      const stats = runToEnd(orders.activeStats({ coin, whaleUsd: '1000.5' }))
      const side = (word: string) => all.filter((order) => order.side === word)
      const large = (word: string) => side(word).filter(({ val }) => Number(val) >= 1000.5)
      const worth = (list: typeof all) => sum(list.map(({ val }) => usd(val)))
      expect(stats.totalCount).toBe(all.length)
      expect([stats.bidCount, stats.askCount]).toEqual([side('B').length, side('A').length])
      expect([usd(stats.bidValue), usd(stats.askValue)]).toEqual([
        worth(side('B')),
        worth(side('A')),
      ])
      expect([stats.whaleBidCount, stats.whaleAskCount]).toEqual([
        large('B').length,
        large('A').length,
      ])
      expect(usd(stats.whaleBidValue)).toBe(worth(large('B')))
      expect(usd(stats.whaleAskValue)).toBe(worth(large('A')))
      const ratio = worth(side('B')) / Math.max(worth(all), 1)
      expect(Number(stats.bidValueRatio)).toBeCloseTo(ratio, 6)
      const least = runToEnd(orders.largestOpen({ coin, minUsd: '1000.5', limit: 100_000 }))
      expect(least.length).toBe(stats.whaleBidCount + stats.whaleAskCount)
    }
})

test('distances are percent of the last trade price', () => {
  const { orders, market } = at(world.endMs)
  for (const { coin, limitPx, distPct } of runToEnd(
    orders.largestOpen({ minUsd: '0', limit: 100 }),
  )) {
    const last = Number(market.ticker(coin)?.price)
    expect(Number(distPct)).toBeCloseTo((100 * (Number(limitPx) - last)) / last, 3)
  }
})

test('the slices of a TWAP add up to its executed size, and none is shown too early', () => {
  const twaps = world.db
    .query('select id, executedSz, executedNotional, instrument from twap where executedSz > 0')
    .values() as [number, number, number, number][]
  expect(twaps.length).toBeGreaterThan(10)
  for (const [id, executedSz, , instrument] of twaps) {
    const { szDecimals = 0, coin = '' } = world.instruments[instrument] ?? {}
    const fills = at(world.endMs).fills.ofTwap(id) as { sz: string; time: number; coin: string }[]
    expect(sum(fills.map(({ sz }) => parse(sz, szDecimals)))).toBe(executedSz)
    expect(new Set(fills.map((fill) => fill.coin))).toEqual(new Set([coin]))
    const half = fills[Math.floor(fills.length / 2)]?.time ?? 0
    const earlier = fills.filter(({ time }) => time <= half)
    expect(at(half).fills.ofTwap(id)).toEqual(earlier as never)
    for (const form of ['native', 'simple'])
      expect(at(world.endMs, { 'twap-fill-form': form }).fills.ofTwap(id).length).toBe(fills.length)
  }
})

test("a builder's fills are the fills of its users, newest first", () => {
  const builders = world.db
    .query<{ address: string; id: number }, []>('select address, id from builder')
    .all()
  const { fills } = at(world.endMs)
  for (const { address, id } of builders) {
    const found = runToEnd(
      fills.ofBuilder(address.toUpperCase().replace('0X', '0x'), {
        minUsd: 0,
        limit: 100_000,
      }),
    )
    const [rows] = world.db
      .query('select count(*), coalesce(sum(builderFee), 0) from fill where builder = ?')
      .values(id) as [number, number][]
    expect([found.length, sum(found.map(({ builderFee }) => usd(builderFee)))]).toEqual(
      rows as [number, number],
    )
    expect(found.length).toBeGreaterThan(10)
    const times = found.map(({ time }) => time)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    for (const { address: user, tid, px, sz, builderFee } of found.slice(0, 5)) {
      const own = fills.native(user, 10_000).find((fill) => fill.tid === tid && fill.builderFee)
      expect(own).toMatchObject({ px, sz, builderFee })
    }
    const large = runToEnd(fills.ofBuilder(address, { minUsd: 500, limit: 100_000 }))
    expect(large).toEqual(found.filter(({ px, sz }) => Number(px) * Number(sz) >= 500))
    const btc = runToEnd(fills.ofBuilder(address, { minUsd: 0, limit: 3, coin: 'BTC' }))
    expect(btc).toEqual(found.filter(({ coin }) => coin === 'BTC').slice(0, 3))
  }
  expect(runToEnd(fills.ofBuilder('0x00', { minUsd: 0, limit: 9 }))).toEqual([])
})

test('no open limit order crosses the book, on the tape and after it', () => {
  const file = folder('line.sqlite')
  growTo(lineOf(world, file), 6)
  const line = openUngrown(file, world.tapeEndMs)
  runToEnd(growWorld(line, later(world.tapeEndMs, 360_000)))
  let tried = 0
  for (const [of, fromMs, toMs] of [
    [world, world.startMs, world.endMs],
    [line, line.tapeEndMs, line.endMs],
  ] as const)
    for (let atMs = fromMs; atMs <= toMs; atMs = later(atMs, 2_500)) {
      const facts = factsAt(of, atMs)
      for (const instrument of of.instruments) {
        const [bid, ask] = facts.books.bbo(instrument.coin)?.bbo ?? [null, null]
        const limits = openLimits(of).all(instrument.id, atMs, atMs)
        const crossing = limits.filter(({ side, limitPx }) => {
          const px = limitPx / 10 ** instrument.pxDecimals
          return side === 'A' ? bid && px <= Number(bid.px) : ask && px >= Number(ask.px)
        })
        expect(crossing).toEqual([])
        tried += limits.length
      }
    }
  expect(tried).toBeGreaterThan(3_000)
  line.close()
})

const openLimits = ({ db }: World) =>
  db.query<{ oid: number; side: 'A' | 'B'; limitPx: number }, [number, number, number]>(
    `select oid, side, limitPx from orders where instrument = ? and timeMs <= ?
     and (endMs is null or endMs > ?) and orderType = 'Limit' and triggerPx is null`,
  )
