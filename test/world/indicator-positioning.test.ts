/** Indicators of positioning and of large orders, against plain sums over the rows. */
import { expect, test } from 'bun:test'
import { btc, SHIFT_MS, world } from '../fixtures/futures-queries.ts'
import {
  indicatorRecords,
  klineQuery,
  OWN_PAIR,
  type RecordValues,
} from '../fixtures/indicator-queries.ts'

/** Signed sizes and leverages of all holders of a coin at an instant. */
const held = (atMs: number) =>
  (
    world.db
      .query<{ sz: number; leverage: number }, [number, number]>(
        `select f.positionAfter sz, f.leverage from (select distinct trader from position) p
         join fill f on f.id = (select id from fill where trader = p.trader and instrument = ?
           and timeMs <= ? order by timeMs desc, id desc limit 1)`,
      )
      .all(btc.id, atMs) as { sz: number; leverage: number }[]
  ).filter(({ sz }) => sz !== 0)

/** The first holders of a coin may all be on one side: then there is no ratio. */
const ratio = (longs: number, shorts: number) => (shorts === 0 ? 0 : longs / shorts)

test('accounts and top traders are those with positions when an interval ends', () => {
  const keys = ['lsur', 'ttsi', 'ttmu', 'mlr'] as const
  const series = keys.map((key) => indicatorRecords(key, klineQuery(OWN_PAIR, 14_400)))
  const [all = [], accounts, positions, lent] = series
  expect(all.length).toBeGreaterThan(100)
  const places = [0, 1, 50, 100, all.length - 1]
  for (const place of places) {
    const { time, buyAccount, sellAccount, ratios } = all[place] as RecordValues
    const who = held(Math.min((time + 14_400) * 1000 - 1, world.endMs))
    const longs = who.filter(({ sz }) => sz > 0)
    const shorts = who.length - longs.length
    expect(Number(buyAccount)).toBeCloseTo(longs.length / who.length, 4)
    expect(Number(buyAccount) + Number(sellAccount)).toBeCloseTo(1, 9)
    expect(Number(ratios)).toBeCloseTo(ratio(longs.length, shorts), 3)
    const ranked = who.toSorted((a, b) => Math.abs(b.sz) - Math.abs(a.sz))
    const least = Math.abs(ranked[Math.ceil(who.length / 5) - 1]?.sz ?? 0)
    const top = ranked.filter(({ sz }) => Math.abs(sz) >= least)
    const sum = (list: typeof top) => list.reduce((total, { sz }) => total + Math.abs(sz), 0)
    const topLongs = top.filter(({ sz }) => sz > 0)
    expect(Number(accounts?.[place]?.buyAccount)).toBeCloseTo(topLongs.length / top.length, 4)
    expect(Number(positions?.[place]?.buyInterest)).toBeCloseTo(sum(topLongs) / sum(top), 4)
    const borrowed = (sign: number) =>
      who.reduce(
        (total, { sz, leverage }) =>
          Math.sign(sz) === sign ? total + Math.abs(sz) * (1 - 1 / leverage) : total,
        0,
      )
    expect(Number(lent?.[place]?.ratios)).toBeCloseTo(ratio(borrowed(1), borrowed(-1)), 3)
  }
})

test('large trades are the orders that took 100,000 USD at once, oldest first', () => {
  const list = indicatorRecords('aiaggtrade', klineQuery(OWN_PAIR, 60))
  const rows = world.db
    .query<{ timeMs: number; usd: number; side: string }, [number]>(
      `select timeMs, sum(notional) / 1e6 usd, side from trade where instrument = ?
       group by timeMs, side, case side when 'B' then buyerOid else sellerOid end
       having usd >= 100000 order by timeMs, min(id)`,
    )
    .all(btc.id)
  const newest = rows.slice(-500)
  expect(list.map(({ value }) => Number(value))).toEqual(newest.map(({ usd }) => usd))
  expect(list.map(({ timestamp }) => timestamp)).toEqual(
    newest.map(({ timeMs }) => Math.floor((timeMs + SHIFT_MS) / 1000) - SHIFT_MS / 1000),
  )
  expect(new Set(list.map((one) => one.trade_type))).toEqual(new Set(['buy', 'sell']))
  for (const { price, amount, value } of list)
    expect(Number(price) * Number(amount)).toBeCloseTo(Number(value), -3)
})
