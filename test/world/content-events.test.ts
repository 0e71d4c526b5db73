/** Flashes about traders, positions and liquidations, compared with the rows of the world. */

import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { FLASH_FEEDS } from '../../src/market/queries/content/flash-feeds.ts'
import type { Flash } from '../../src/market/queries/content/flashes/flash-feed.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'

const world = await smallWorld()
const HALF_MINUTE = 30_000
const HOUR = 3_600_000
const DAY = 24 * HOUR

function values<T>(sql: string, ...parameters: (string | number)[]): T[] {
  return world.db.query<T, (string | number)[]>(sql).all(...parameters)
}

/** The newest flashes of a type, with their instants. */
function newestOf(type: number, count: number): { atMs: number; content: string }[] {
  const found: { atMs: number; content: string }[] = []
  for (const column of FLASH_FEEDS) {
    let atMs = column.due(world, world.endMs + 1)
    while (atMs !== null && atMs > world.startMs - 5 * DAY && found.length < count) {
      const flash: Flash | null = column.write(world, tapeMs(atMs))
      if (flash !== null && flash.type !== type) break
      if (flash) found.push({ atMs, content: flash.content.en })
      atMs = column.due(world, atMs)
    }
  }
  return found
}

const plain = (text = '') => Number(text.replace(/[$,]/g, ''))

/** Dollars as written, and their tolerance. */
function money(text = ''): [dollars: number, off: number] {
  const [number = '', word = ''] = text.split(' ')
  const unit = { billion: 1e9, million: 1e6 }[word] ?? 1
  return [plain(number) * unit, unit * 0.0051]
}

function expectMoney(text: string | undefined, dollars: number): void {
  const [reported, off] = money(text)
  expect(Math.abs(reported - dollars)).toBeLessThanOrEqual(off)
}

const szi = (coin: string) =>
  10 ** (world.instruments.find((of) => of.base === coin)?.szDecimals ?? 0)
const pxi = (coin: string) =>
  10 ** (world.instruments.find((of) => of.base === coin)?.pxDecimals ?? 0)

test('a liquidation is reported if it is far larger than the usual ones of its coin', () => {
  type Row = {
    timeMs: number
    base: string
    direction: string
    sz: number
    markPx: number
    notional: number
  }
  const rows = values<Row>(
    `select l.timeMs, i.base, l.direction, l.sz, l.markPx, l.notional from liquidation l
     join instrument i on i.id = l.instrument where l.timeMs <= ?`,
    world.endMs,
  )
  const isLarge = ({ timeMs, base, notional }: Row) => {
    const hourMs = timeMs - (timeMs % HOUR)
    const day = rows.filter(
      (one) => one.base === base && one.timeMs >= hourMs - DAY && one.timeMs < hourMs,
    )
    const mean = day.reduce((sum, one) => sum + one.notional, 0) / day.length
    return notional >= 10_000e6 && !(notional < 3 * mean - 3)
  }
  const fromMs = world.startMs - 3 * DAY
  const large = rows.filter((row) => row.timeMs > fromMs && isLarge(row))
  const reported = newestOf(25, 400).filter(({ atMs }) => atMs > fromMs + HALF_MINUTE)
  expect(reported.length).toBeGreaterThan(10)
  const pattern =
    /^A (\w+) of ([\d.]+) (\w+) was .* worth (\S+(?: \w+illion)?), .* of \$([\d,.]+)\.$/
  for (const { atMs, content } of reported) {
    const [, side, size, coin = '', worth, mark] = pattern.exec(content) ?? []
    const here = large.filter(({ timeMs }) => timeMs <= atMs && timeMs > atMs - HALF_MINUTE)
    const largest = here.toSorted((a, b) => b.notional - a.notional)[0]
    expect(largest).toMatchObject({
      base: coin,
      direction: side ?? '',
      sz: Math.round(Number(size) * szi(coin)),
      markPx: Math.round(plain(mark) * pxi(coin)),
    })
    expectMoney(worth, (largest?.notional ?? 0) / 1e6)
  }
  const due = new Set(
    large.map(({ timeMs }) => Math.ceil((timeMs - 15_000) / HALF_MINUTE) * HALF_MINUTE + 15_000),
  )
  const expected = [...due].filter((atMs) => atMs <= world.endMs && atMs > fromMs + HALF_MINUTE)
  expect(reported.map(({ atMs }) => atMs)).toEqual(expected.sort((a, b) => b - a))
})

test('the sums of a day are those of its rows', () => {
  const writtenAt = (atMs: number) =>
    FLASH_FEEDS.find(({ number }) => number === 14)?.write(world, tapeMs(atMs))?.content.en ?? ''
  const amount = '(\\S+(?: \\w+illion)?)'
  const pattern = new RegExp(`^(\\d+) pos.* worth ${amount}: longs ${amount}, shorts (.*)\\.$`)
  for (const atMs of [world.endMs, world.startMs - 1, world.startMs - 9 * DAY]) {
    const sums = values<{ direction: string; usd: number; n: number }>(
      `select direction, sum(notional) usd, count(*) n from liquidation
       where timeMs > ? and timeMs <= ? group by direction`,
      atMs - DAY,
      atMs,
    )
    const of = (side: string) => sums.find(({ direction }) => direction === side)?.usd ?? 0
    const [, count, total, long, short] = pattern.exec(writtenAt(atMs)) ?? []
    expect(Number(count)).toBe(sums.reduce((sum, { n }) => sum + n, 0))
    expectMoney(total, (of('long') + of('short')) / 1e6)
    expectMoney(long, of('long') / 1e6)
    expectMoney(short, of('short') / 1e6)
  }
  expect(writtenAt(world.meta.historyStartMs - 1)).toStartWith('No position was liquidated')
})

test('a whale flash has the whole order, within half a minute of its fills', () => {
  const reported = newestOf(22, 60)
  expect(reported.length).toBe(60)
  const seen = new Set<number>()
  const pattern =
    /^Address (0x\w+) .* ([\d.]+) (\w+) at \$([\d,.]+)(?: to \$([\d,.]+))?, worth (.*); it/
  for (const { atMs, content } of reported) {
    const [, address = '', size, coin = '', low, high, worth] = pattern.exec(content) ?? []
    const orders = values<{ oid: number; sz: number; low: number; high: number; usd: number }>(
      `select oid, sum(sz) sz, min(px) low, max(px) high, sum(notional) usd from fill
       where crossed = 1 and oid in (select oid from fill f join trader t on t.id = f.trader
         where t.address = ? and f.crossed = 1 and f.timeMs <= ? and f.timeMs > ?)
       group by oid`,
      ...[address, atMs, atMs - HALF_MINUTE],
    )
    const order = orders.find(({ sz }) => sz === Math.round(Number(size) * szi(coin)))
    expect([order?.low, order?.high]).toEqual([
      Math.round(plain(low) * pxi(coin)),
      Math.round(plain(high ?? low) * pxi(coin)),
    ])
    expectMoney(worth, (order?.usd ?? 0) / 1e6)
    seen.add(order?.oid ?? 0)
  }
  expect(seen.size).toBe(60)
})

test('total open interest is that of the list of futures interest', () => {
  for (const { atMs, content } of newestOf(26, 10)) {
    const all = runToEnd(
      factsAt(world, atMs).futures.openInterestList({
        language: 'en',
        currency: 'usd',
        page: 1,
        pageSize: 100,
      }),
    )
    const own = all.filter(({ key }) => key.endsWith(':hl'))
    const total = own.reduce((sum, { trade }) => sum + Number(trade), 0)
    const [, reported, coin, its] =
      /is (\$.*?), .* ago; (\w+) makes up (\$.*?),/.exec(content) ?? []
    expectMoney(reported, total)
    expectMoney(its, Number(own.find(({ show }) => show === coin)?.trade))
  }
})

test('confidence counts the coins that rise by the coin ticker', () => {
  const reported = newestOf(27, 10)
  expect(reported.length).toBe(10)
  for (const { atMs, content } of reported) {
    const { coin } = factsAt(world, atMs)
    const keys = coin.list().map(({ coin_key }) => coin_key)
    const tickers = runToEnd(coin.tickers(keys.filter((key) => key !== 'purr')))
    const rising = tickers.filter(({ degree_24h_usd }) => Number(degree_24h_usd) > 0).length
    expect(content).toContain(`: ${rising} of ${tickers.length} major coins`)
  }
})

test('counts of longs are exact', () => {
  const reported = newestOf(14, 10)
  expect(reported.length).toBe(10)
  for (const { atMs, content } of reported) {
    const [, count, coin = ''] = /^(\d+) traders are long (\w+) at/.exec(content) ?? []
    const longs = values<{ sz: number }>(
      `select positionAfter sz, max(f.timeMs * 1000000 + f.id % 1000000) from fill f
       join instrument i on i.id = f.instrument
       where i.base = ? and i.kind = 'perp' and f.timeMs <= ? group by f.trader`,
      ...[coin, atMs],
    ).filter(({ sz }) => sz > 0)
    expect(Number(count)).toBe(longs.length)
  }
})

test('the market value index is the sum over the coin list', () => {
  const reported = newestOf(10, 10)
  expect(reported.length).toBeGreaterThan(3)
  for (const { atMs, content } of reported) {
    const { coin } = factsAt(world, atMs)
    const tickers = runToEnd(coin.tickers(coin.list().map(({ coin_key }) => coin_key)))
    const value = tickers.reduce((sum, { supply_usd }) => sum + Number(supply_usd), 0)
    expectMoney(/stands at (\$[\d,.]+ billion)/.exec(content)?.[1], value)
  }
})
