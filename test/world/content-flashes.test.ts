/** Flashes report real events: each is compared with the rows of the world at its instant. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { FLASH_TYPES, type IndustryFlash } from '../../src/contract/records/content.ts'
import { FLASH_FEEDS } from '../../src/market/queries/content/flash-feeds.ts'
import type { InstrumentRow } from '../../src/market/schema/schema.ts'
import { factsAt, smallWorld } from '../fixtures/small-world.ts'
import { priceAt, type Traded, tradedBetween } from '../fixtures/traded-reference.ts'

const world = await smallWorld()
const MINUTE = 60_000
const DAY = 86_400_000

/** Flashes of the last days, and the newest of each column, in English. */
const flashes = collected()

function collected(): IndustryFlash[] {
  const { content } = factsAt(world, world.endMs)
  const found = new Map<number, IndustryFlash>()
  const keep = (createTimeMs: number) => {
    const page = runToEnd(content.industryFlashes({ language: 'en', createTimeMs }))
    for (const flash of page) found.set(flash.id, flash)
    return page.at(-1)?.createtime ?? 0
  }
  for (let atMs = world.endMs + 1; atMs > world.endMs - 2 * DAY; ) atMs = keep(atMs) * 1000
  for (const column of FLASH_FEEDS) {
    const dueMs = column.due(world, world.endMs + 1)
    if (dueMs !== null) keep(dueMs + 1000)
  }
  return [...found.values()]
}

const values = (sql: string, ...parameters: (string | number)[]) =>
  world.db.query(sql).values(...parameters) as (number | string | null)[][]

const one = (sql: string, ...parameters: (string | number)[]) =>
  Number(values(sql, ...parameters)[0]?.[0] ?? 0)

/** A coin as named in flashes. */
const coinOf = (base: string) =>
  world.instruments.find((of) => of.base === base && of.kind === 'perp') as InstrumentRow

const plain = (text: string) => Number(text.replace(/[$,]/g, ''))

/** A price in price units. */
const px = (of: InstrumentRow, text: string) => Math.round(plain(text) * 10 ** of.pxDecimals)
const sz = (of: InstrumentRow, text: string) => Math.round(plain(text) * 10 ** of.szDecimals)

/** Money as written, against micro-dollars. */
function expectMoney(text: string, micros: number): void {
  const [number = '', word = ''] = text.split(' ')
  const unit = { billion: 1e15, million: 1e12 }[word] ?? 1e6
  expect(Math.abs(plain(number) * unit - Math.abs(micros))).toBeLessThanOrEqual(unit * 0.0051)
}

/** The last price up to an instant. */
const last = (of: InstrumentRow, atMs: number) => priceAt(world, of, atMs) ?? 0

/** A sum over trades in a span that ends at an instant. */
const over = (what: keyof Traded, of: InstrumentRow, atMs: number, spanMs: number) =>
  Number(tradedBetween(world, of, atMs - spanMs + 1, atMs + 1)?.[what] ?? 0)

const spanOf = (text: string) => Number.parseInt(text, 10) * (text.includes('day') ? DAY : DAY / 24)

const MONEY = '(\\$[\\d,.]+(?: [mb]illion)?)'
const PRICE = '\\$([\\d,.]*\\d)'
const pattern = (text: string) => new RegExp(text.replaceAll('$M', MONEY).replaceAll('$P', PRICE))

type Check = (found: string[], atMs: number) => void

/** By type: pattern of a text, and its conditions. */
const TRUTHS: [type: number, text: RegExp, check: Check][] = [
  [
    0,
    pattern('^(\\w+) trades at $P, (?:(up|down) ([\\d.]+)%|unchanged) over .* is $M\\.$'),
    ([coin = '', price = '', way = '', part = '', turnover = ''], atMs) => {
      const of = coinOf(coin)
      expect(px(of, price)).toBe(last(of, atMs))
      const change = last(of, atMs) / last(of, atMs - DAY) - 1
      expect(Math.abs(Number(part) * (way === 'down' ? -1 : 1) - change * 100)).toBeLessThan(0.0051)
      expectMoney(turnover, over('notional', of, atMs, DAY))
    },
  ],
  [
    0,
    /^The hourly funding rate of (\w+) on HL is (-?[\d.]+)%: (\w+) pay/,
    ([coin = '', rate = '', payers = ''], atMs) => {
      const sql =
        'select rate from funding where instrument = ? and timeMs <= ? order by timeMs desc'
      expect(Math.round(Number(rate) * 1e8)).toBe(one(sql, coinOf(coin).id, atMs))
      expect(payers).toBe(Number(rate) < 0 ? 'shorts' : 'longs')
    },
  ],
  [
    3,
    pattern('^(\\w+) turned over $M on HL in the past hour, ([\\d.]+) times .* \\($M\\)'),
    ([coin = '', now = '', times = ''], atMs) => {
      const of = coinOf(coin)
      const hour = over('notional', of, atMs, 60 * MINUTE)
      const day = over('notional', of, atMs - 60 * MINUTE, DAY)
      expectMoney(now, hour)
      expect(Math.abs(Number(times) - (hour * 24) / day)).toBeLessThan(0.011)
    },
  ],
  [
    4,
    pattern('^(\\w+) touched $P, its (high|low) of (\\d+ \\w+)\\. It trades at $P,'),
    ([coin = '', price = '', side = '', span = '', now = ''], atMs) => {
      const of = coinOf(coin)
      const most = over(side === 'high' ? 'high' : 'low', of, atMs, spanOf(span))
      expect([px(of, price), px(of, now)]).toEqual([most, last(of, atMs)])
    },
  ],
  [
    8,
    /^([\d.]+) (\w+) changed hands on HL in the past 15 minutes/,
    ([volume = '', coin = ''], atMs) => {
      const of = coinOf(coin)
      expect(sz(of, volume)).toBe(over('size', of, atMs, 15 * MINUTE))
    },
  ],
  [
    16,
    pattern('^(\\w+) reached as (high|low) as $P within'),
    ([coin = '', side = '', tip = ''], atMs) => {
      const of = coinOf(coin)
      const most = over(side === 'high' ? 'high' : 'low', of, atMs, 60 * MINUTE)
      expect(px(of, tip)).toBe(most)
    },
  ],
  [
    18,
    pattern('^(\\w+) (broke above|fell below) the key level of $P and trades at $P,'),
    ([coin = '', way = '', level = '', now = ''], atMs) => {
      const of = coinOf(coin)
      const beyond = way === 'fell below' ? 'high' : 'low'
      const was = over(beyond, of, atMs, DAY)
      expect(px(of, now)).toBe(last(of, atMs))
      const [least, most] = [Math.min(px(of, now), was), Math.max(px(of, now), was)]
      expect(px(of, level)).toBeGreaterThanOrEqual(least)
      expect(px(of, level)).toBeLessThanOrEqual(most)
    },
  ],
  [
    20,
    pattern('^Takers on HL bought (\\w+) for $M and sold for $M .*, a net (\\w+) of $M\\.$'),
    ([coin = '', bought = '', sold = '', way = '', net = ''], atMs) => {
      const of = coinOf(coin)
      const [buys, all] = (['boughtNotional', 'notional'] as const).map((what) =>
        over(what, of, atMs, DAY),
      ) as [number, number]
      expectMoney(bought, buys)
      expectMoney(sold, all - buys)
      expectMoney(net, 2 * buys - all)
      expect(way).toBe(2 * buys < all ? 'outflow' : 'inflow')
    },
  ],
]

test('every documented type is written', () => {
  expect(new Set(flashes.map(({ flashType }) => flashType))).toEqual(new Set(FLASH_TYPES))
})

for (const [type, text, check] of TRUTHS)
  test(`flashes of type ${type} are true: ${text.source.slice(0, 40)}`, () => {
    const events = flashes.flatMap(({ flashType, content, createtime }) => {
      const found = flashType === type ? text.exec(content) : null
      return found ? [{ found: found.slice(1), atMs: createtime * 1000 }] : []
    })
    expect(events.length).toBeGreaterThan(0)
    for (const { found, atMs } of events) check(found, atMs)
  })
