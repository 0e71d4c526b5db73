/** Sums of spans are equal whether their trades are still cached or not. */
import { expect, spyOn, test } from 'bun:test'
import path from 'node:path'
import { later, type TapeMs, tapeMs } from '../../src/clock/instant.ts'
import { raw } from '../../src/decimal/quantity.ts'
import { LastTrades, TradeHours } from '../../src/market/rows/trade-hours.ts'
import type { TradeTally } from '../../src/market/rows/trade-tally.ts'
import type { World } from '../../src/market/world/world.ts'
import { randomSource } from '../../src/random/random-source.ts'
import { openCast, WORLDS } from '../fixtures/cast-world.ts'
import { handWrittenTape } from '../fixtures/hand-written-tape.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { worldOfTape } from '../fixtures/small-world.ts'

const SPANS = 200
const DAY_MS = 86_400_000

const world = await worldOfTape(path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst'))

/** Spans that end in the tape, most of them within a few hours. */
function spans(): { instrument: number; fromMs: TapeMs; toMs: TapeMs }[] {
  const random = randomSource('spans of trades')
  return Array.from({ length: SPANS }, () => {
    const toMs = later(world.startMs, random.between(1, world.endMs - world.startMs))
    const lengthMs = Math.floor(DAY_MS * random.unit() ** 6) + 1
    return { instrument: random.pick(world.instruments).id, fromMs: later(toMs, -lengthMs), toMs }
  })
}

test('sums do not depend on which trades are kept in memory', () => {
  const [keeping, forgetting] = [new TradeHours(world), new TradeHours(world, 1)]
  for (const { instrument, fromMs, toMs } of spans()) {
    const sum = keeping.tally(instrument, fromMs, toMs)
    expect(forgetting.tally(instrument, fromMs, toMs)).toEqual(sum)
    expect(forgetting.pxBefore(instrument, toMs)).toEqual(keeping.pxBefore(instrument, toMs))
  }
})

test('in the tape they are those of the rows', () => {
  const hours = new TradeHours(world, 1)
  let count = 0
  for (const { instrument, fromMs, toMs } of spans()) {
    const beginMs = later(fromMs, Math.max(0, world.meta.barsEndMs - fromMs))
    const { size, amount } = hours.tally(instrument, beginMs, toMs)
    const rows = tradedIn(world, instrument, beginMs, toMs)
    expect([BigInt(raw(size)), amount]).toEqual([rows.size, rows.amount])
    count += rows.count
  }
  expect(count).toBeGreaterThan(0)
})

test('a span before the tape is the sum of its two parts, wherever it is cut', async () => {
  // In the other world there are minutes in which only listed traders trade.
  const other = await openCast(handWrittenTape([]), WORLDS)
  for (const of of [world, other]) {
    const hours = new TradeHours(of)
    const random = randomSource('cuts of spans')
    for (let n = 0; n < 4 * SPANS; n++) {
      const { id, coin } = random.pick(of.instruments)
      const pastMs = of.startMs - of.meta.historyStartMs
      const fromMs = later(of.meta.historyStartMs, random.between(0, pastMs))
      const lengthMs = random.between(2, n % 2 === 0 ? 5 * 60_000 : 5 * 3_600_000)
      const cutMs = later(fromMs, random.between(1, lengthMs - 1))
      const parts = hours.tally(id, fromMs, cutMs)
      parts.append(hours.tally(id, cutMs, later(fromMs, lengthMs)))
      const whole = hours.tally(id, fromMs, later(fromMs, lengthMs))
      const span = [coin, fromMs, cutMs, lengthMs]
      if (whole.n > 0) expect([...span, ...shown(parts)]).toEqual([...span, ...shown(whole)])
    }
  }
  other.close()
})

const shown = ({ n, open, high, low, close, size, amount, buyN, buySize, buyAmount }: TradeTally) =>
  Object.entries({ n, open, high, low, close, size, amount, buyN, buySize, buyAmount })

function tradedIn({ db }: World, instrument: number, fromMs: TapeMs, toMs: TapeMs) {
  const rows = db
    .query<{ sz: number; notional: number }, [number, number, number]>(
      'select sz, notional from trade where instrument = ? and timeMs >= ? and timeMs < ?',
    )
    .all(instrument, fromMs, toMs)
  const sum = (of: 'sz' | 'notional') => rows.reduce((total, row) => total + BigInt(row[of]), 0n)
  return { count: rows.length, size: sum('sz'), amount: sum('notional') }
}

test('the last trade is the newest of the rows, independent of earlier reads', () => {
  const lasts = new LastTrades(world)
  const newest = world.db.query<{ timeMs: number; px: number }, [number, number]>(
    `select timeMs, px from trade where instrument = ? and timeMs < ?
     order by timeMs desc, id desc limit 1`,
  )
  const random = randomSource('instants')
  for (let n = 0; n < 3_000; n++)
    for (const { id } of world.instruments.slice(0, 3)) {
      const sinceMs = n % 7 === 0 ? random.between(1, world.endMs - world.startMs) : n * 40
      const atMs = later(world.startMs, sinceMs)
      const row = lasts.at(id, atMs)
      expect(row && { timeMs: Number(row.timeMs), px: Number(row.px) }).toEqual(
        newest.get(id, atMs),
      )
    }
})

test('minutes before the first trade are searched once, whatever their number', () => {
  const lasts = new LastTrades(world)
  const id = 0
  const first = world.db.query('select min(timeMs) ms from trade where instrument = ?')
  const firstMs = tapeMs((first.get(id) as { ms: number }).ms)
  using searched = spyOn(Reflect.get(lasts, 'before') as { get(): unknown }, 'get')
  for (let minute = 0; minute < 100; minute++)
    expect(lasts.at(id, later(firstMs, -minute * 60_000))).toBe(null)
  expect(searched).toHaveBeenCalledTimes(1)
  expect(lasts.at(id, later(firstMs, 1))?.timeMs).toBe(firstMs)
  expect(lasts.at(id, firstMs)).toBe(null)
})
