/** A fall liquidates what stands there: on the venue and, by its own moves, on every exchange. */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { raw } from '../../src/decimal/quantity.ts'
import {
  eventEndMs,
  type MarketEvent,
  type TimedMarketEvent,
} from '../../src/market/events/market-event.ts'
import { contractLiquidations } from '../../src/market/exchanges/contract-liquidations.ts'
import { interestAt } from '../../src/market/exchanges/exchange-open-interest.ts'
import { EXCHANGES, pairsOf } from '../../src/market/exchanges/exchanges.ts'
import { pairPxBefore, pairTally } from '../../src/market/exchanges/pair-tallies.ts'
import { openInterestAt } from '../../src/market/rows/open-interest.ts'
import { tradeHoursOf } from '../../src/market/rows/trade-hours.ts'
import { coinChange } from '../../src/market/world/market-standing.ts'
import { type World, worldOf } from '../../src/market/world/world.ts'
import { memoryDatabase } from '../../src/market/world/world-file.ts'
import { growTo, lineOf } from '../fixtures/grown-world.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const MINUTE_MS = 60_000
/** The events begin so many minutes after the tape; the lines go on for some after their end. */
const [AFTER_MIN, FAST_MIN, DEEP_MIN] = [5, 12, 27]
const base = await smallWorld()
const fromMs = base.endMs + AFTER_MIN * MINUTE_MS
const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-cascades-'))

function grown(name: string, minutes: number, events: TimedMarketEvent[]): World {
  const order = lineOf(base, path.join(folder, `${name}.sqlite`))
  growTo({ ...order, events }, minutes)
  return worldOf(new Database(order.file, { readonly: true, strict: true }), memoryDatabase)
}

const coin = (world: World, name: string) => {
  const found = world.instruments.find((one) => one.coin === name)
  if (!found) throw new Error(`no ${name}`)
  return found
}

/** Open interest removed between two minutes after the event's beginning, in coins. */
function removed(world: World, name: string, toMinute: number): number {
  const at = (minute: number) =>
    Number(
      raw(openInterestAt(world, coin(world, name), tapeMs(fromMs + minute * MINUTE_MS)) as never),
    )
  return 1 - at(toMinute) / at(0)
}

/** Liquidated longs and shorts of each minute on another exchange, over its open interest. */
function elsewhere(world: World, name: string, minutes: number, exchange = EXCHANGES[0] as never) {
  const contract = { instrument: coin(world, name), exchange }
  const held = Number(interestAt(world, contract, tapeMs(fromMs)))
  const px = 10 ** -(contract.instrument.pxDecimals + contract.instrument.szDecimals)
  const value = held * px * priceBefore(world, name, fromMs)
  return Array.from({ length: minutes }, (_, at) => {
    const startMs = fromMs + at * MINUTE_MS
    const found = runToEnd(
      contractLiquidations(world, contract, tapeMs(startMs), tapeMs(startMs + MINUTE_MS)),
    )
    const sum = (side: string) =>
      found.reduce((all, one) => all + (one.direction === side ? raw(one.value) / 1e6 : 0), 0)
    return { long: sum('long') / value, short: sum('short') / value }
  })
}

function priceBefore(world: World, name: string, atMs: number): number {
  return world.db
    .query<{ px: number }, [number, number]>(
      `select px from trade where instrument = ? and timeMs < ?
       order by timeMs desc, id desc limit 1`,
    )
    .get(coin(world, name).id, atMs)?.px as number
}

const sumOf = (list: readonly { long: number }[]) => list.reduce((sum, { long }) => sum + long, 0)

const at = <E extends MarketEvent>(afterMs: number, event: E) => ({
  event,
  requestedMs: fromMs,
  fromMs: fromMs + afterMs,
})
const WHALE = at(0, { kind: 'whale', coin: 'BTC', side: 'buy', usd: 1_000_000 } as const)
const HALT = at(60_000, { kind: 'halt', coin: 'SOL', forS: 300 } as const)
const SPREAD = at(120_000, { kind: 'spread', coin: 'BTC', factor: 20, forS: 240 } as const)

let [fast, deep, events] = [] as unknown as [World, World, World]
beforeAll(() => {
  fast = grown('fast', FAST_MIN, [at(0, { kind: 'move', coin: 'BTC', pct: -5, overS: 120 })])
  deep = grown('deep', DEEP_MIN, [at(0, { kind: 'move', coin: 'BTC', pct: -15, overS: 900 })])
  events = grown('events', FAST_MIN, [WHALE, HALT, SPREAD])
})
afterAll(() => {
  for (const world of [fast, deep, events]) world.close()
  rmSync(folder, { recursive: true })
})

describe('a cascade', () => {
  test('removes a part of the open interest, a deep one a large part', () => {
    expect(removed(fast, 'BTC', 6)).toBeWithin(0.02, 0.075)
    expect(removed(deep, 'BTC', 20)).toBeWithin(0.12, 0.3)
  })

  test('is longs, nearly all of them', () => {
    const sums = deep.db
      .query<{ direction: string; usd: number }, [number, number]>(
        `select direction, total(notional) usd from liquidation
         where instrument = ? and timeMs >= ? group by 1`,
      )
      .all(coin(deep, 'BTC').id, fromMs)
    const by = Object.fromEntries(sums.map(({ direction, usd }) => [direction, usd]))
    expect(by.long as number).toBeGreaterThan(50 * (by.short ?? 0))
  })

  test('is felt on other exchanges: from the move on, by its size, by each coin', () => {
    const [few, many] = [elsewhere(fast, 'BTC', 10), elsewhere(deep, 'BTC', 20)]
    expect(sumOf(few)).toBeWithin(0.015, 0.1)
    expect(sumOf(many)).toBeWithin(2 * sumOf(few), 0.4)
    expect(few.slice(0, 5)).not.toEqual(many.slice(0, 5))
    // It is over soon after the fast move, and goes on in the deep one.
    expect(sumOf(few.slice(6))).toBeLessThan(0.2 * sumOf(few))
    expect(sumOf(many.slice(6))).toBeGreaterThan(0.3 * sumOf(many))
    const sol = elsewhere(fast, 'SOL', 10)
    expect(sumOf(sol)).toBeGreaterThan(0.005)
    expect(sol.map(({ long }) => long > 0)).not.toEqual(few.map(({ long }) => long))
  })

  test('does not begin before the move', () => {
    const earlier = elsewhere(deep, 'BTC', 1)
    expect(sumOf(earlier)).toBeLessThan(0.002)
  })

  test('leaves wicks in its minutes', () => {
    const bars = deep.db.query<
      { open: number; high: number; low: number; close: number },
      number[]
    >(
      `select max(px) high, min(px) low,
         (select px from trade where instrument = ?1 and timeMs >= ?2
          order by timeMs, id limit 1) open,
         (select px from trade where instrument = ?1 and timeMs < ?3
          order by timeMs desc, id desc limit 1) close
       from trade where instrument = ?1 and timeMs >= ?2 and timeMs < ?3`,
    )
    const { id } = coin(deep, 'BTC')
    const bare = Array.from({ length: 15 }, (_, minute) => {
      const startMs = fromMs + minute * MINUTE_MS
      const bar = bars.get(id, startMs, startMs + MINUTE_MS)
      return bar !== null && bar.open === bar.high && bar.close === bar.low
    })
    expect(bare.filter((one) => one).length).toBeLessThan(3)
  })
})

describe('a flash', () => {
  const sharp = (world: World, toMs: number) =>
    runToEnd(factsAt(world, toMs).content.industryFlashes({ language: 'en' })).filter(
      ({ title, createtime }) => title.includes(' within ') && 1000 * createtime >= fromMs,
    )
  test('reports a fast fall within some minute, and each further threshold', () => {
    expect(sharp(fast, fromMs + 89_000).length).toBeGreaterThan(0)
    const titles = Array.from({ length: 15 }, (_, minute) =>
      sharp(deep, fromMs + (minute + 1) * MINUTE_MS).map(({ title }) => title),
    )
    expect(new Set(titles.flat()).size).toBeGreaterThan(4)
  })
})

describe('events of the venue', () => {
  test('a whale reports what its one order has traded', () => {
    const change = coinChange(events, 'BTC', tapeMs(fromMs), tapeMs(eventEndMs(WHALE)))
    expect(Number(change?.boughtUsd)).toBeGreaterThan(0.9 * WHALE.event.usd)
  })

  test('a halt stops the venue alone: other exchanges go on, by the oracle, and come back', () => {
    const [startMs, endMs] = [HALT.fromMs, eventEndMs(HALT)]
    const pair = pairsOf(events).get('solswapusdt:binance')
    if (!pair) throw new Error('no pair')
    const trades = tradeHoursOf(events).tally(
      coin(events, 'SOL').id,
      tapeMs(startMs + 1),
      tapeMs(endMs),
    )
    expect(trades.isEmpty).toBe(true)
    const prices = Array.from({ length: 20 }, (_, at) =>
      Number(pairPxBefore(events, pair, tapeMs(startMs + 1 + at * 14_000))),
    )
    expect(Math.max(...prices) / Math.min(...prices)).toBeGreaterThan(1.0008)
    const tally = pairTally(events, pair, tapeMs(startMs + 1), tapeMs(endMs))
    expect(Number(tally?.size)).toBeGreaterThan(0)
    const [own, theirs] = [
      tradeHoursOf(events).pxBefore(pair.instrument.id, tapeMs(endMs + 60_000)),
      pairPxBefore(events, pair, tapeMs(endMs + 60_000)),
    ]
    expect(Number(theirs) / Number(own)).toBeWithin(0.998, 1.002)
  })

  test('wider spreads are wider on other exchanges, too', () => {
    const widths = [-30_000, 60_000].map((afterMs) => {
      const book = factsAt(events, SPREAD.fromMs + afterMs).futures.latestDepth(
        'btcswapusdt:okex',
        5,
      )
      const [ask, bid] = [Number(book?.asks[0]?.[0]), Number(book?.bids[0]?.[0])]
      return ask - bid
    }) as [number, number]
    expect(widths[1]).toBeGreaterThan(3 * widths[0])
  })
})
