/** Candles of a user's file as the past of a coin. */

import { Database } from 'bun:sqlite'
import { beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import type { LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { historyOrder } from '../../src/sandbox/worlds/casting-process.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { recordingInForm } from '../fixtures/made-recordings.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import {
  candlesOf,
  DAY_MS,
  firstPriceOf,
  HOUR_MS,
  historyTape,
  MINUTE_MS,
  shownCandles,
  type WrittenCandle,
  worldOfHistory,
  writeCandles,
} from '../fixtures/written-candles.ts'

const at = temporaryFolder()
let startMs = 0
let firstPx = 0

/** A month of hourly candles of BTC. */
let month: { candles: WrittenCandle[]; world: LoadedWorld }
/** Two days of minutes of BTC, and hours of HYPE. */
let both: { minutes: WrittenCandle[]; hours: WrittenCandle[]; world: LoadedWorld }

beforeAll(async () => {
  const tape = await historyTape(at('short.tape.ndjson'))
  startMs = tape.startMs
  firstPx = tape.firstPx
  const until = { endMs: startMs, endPx: firstPx }
  const candles = candlesOf({ count: 720, lengthMs: HOUR_MS, ...until })
  month = { candles, world: await worldWith({ BTC: candles }) }
  const minutes = candlesOf({ count: MINUTES, lengthMs: MINUTE_MS, ...until, gap: 2 })
  const endPx = await firstPriceOf(at('short.tape.ndjson'), 'HYPE')
  const hours = candlesOf({ count: HOURS, lengthMs: HOUR_MS, endMs: startMs, endPx, decimals: 3 })
  both = { minutes, hours, world: await worldWith({ BTC: minutes, HYPE: hours }) }
  // Casting takes as long as there are coins.
  await historyTape(at('btc.tape.ndjson'), [])
})

const MINUTES = 2 * 1440
const HOURS = 200

test('a month of hourly candles is answered as it was written', async () => {
  const { candles, world } = month
  const shown = shownCandles(
    world,
    { coin: 'BTC', interval: '1h' },
    startMs - 720 * HOUR_MS,
    startMs,
  )
  expectSame(shown, candles)
})

test('minutes are as written, and opens need not be closes', async () => {
  const { minutes, world } = both
  const shown = shownCandles(
    world,
    { coin: 'BTC', interval: '1m' },
    startMs - MINUTES * MINUTE_MS,
    startMs,
  )
  expectSame(shown, minutes, 0.9)
})

test('a shorter history continues backwards from its first price, at its turnover', async () => {
  const candles = candlesOf({
    count: 5,
    lengthMs: DAY_MS,
    endMs: startMs - 12 * HOUR_MS,
    endPx: firstPx,
  })
  const world = await worldWith({ BTC: candles }, 'btc.tape.ndjson')
  const beginMs = startMs - 12 * HOUR_MS - 5 * DAY_MS
  expectSame(
    shownCandles(world, { coin: 'BTC', interval: '1d' }, beginMs, beginMs + 5 * DAY_MS),
    candles,
  )
  const before = shownCandles(
    world,
    { coin: 'BTC', interval: '1h' },
    startMs - 30 * DAY_MS,
    beginMs,
  )
  expect(before.length).toBeGreaterThan(580)
  expect(Math.abs(Number(before.at(-1)?.c) / Number(candles[0]?.open) - 1)).toBeLessThan(0.001)
  const daily = (list: readonly { v: string }[], days: number) =>
    list.reduce((sum, { v }) => sum + Number(v), 0) / days
  const usual = candles.reduce((sum, { volume }) => sum + Number(volume), 0) / 5
  expect(daily(before, before.length / 24) / usual).toBeWithin(0.4, 2.5)
  const after = shownCandles(world, { coin: 'BTC', interval: '1m' }, beginMs + 5 * DAY_MS, startMs)
  // A minute opens a little apart from the last close.
  const apart = Number(after[0]?.o) / Number(candles.at(-1)?.close)
  expect(apart).toBeWithin(0.999, 1.001)
  expect(Math.abs(Number(after.at(-1)?.c) / firstPx - 1)).toBeLessThan(0.001)
})

test('weeks are cut into days that add up to them', async () => {
  const endMs = Math.floor(startMs / DAY_MS) * DAY_MS
  const weeks = candlesOf({ count: 3, lengthMs: 7 * DAY_MS, endMs, endPx: firstPx })
  const world = await worldWith({ BTC: weeks }, 'btc.tape.ndjson')
  const beginMs = endMs - 21 * DAY_MS
  const days = shownCandles(world, { coin: 'BTC', interval: '1d' }, beginMs, endMs)
  expect(days).toHaveLength(21)
  const joined = weeks.map(({ timeMs: t }) => {
    const part = days.filter((day) => day.t >= t && day.t < t + 7 * DAY_MS)
    const [h, l] = [part.map(({ h }) => Number(h)), part.map(({ l }) => Number(l))]
    const v = part.reduce((sum, day) => sum + Number(day.v), 0)
    const ends = { o: part[0]?.o ?? '', c: part.at(-1)?.c ?? '' }
    return { t, ...ends, h: `${Math.max(...h)}`, l: `${Math.min(...l)}`, v: v.toFixed(5) }
  })
  expectSame(joined, weeks)
})

test('intervals without a candle are flat and without trades, and are reported', async () => {
  const whole = candlesOf({ count: 240, lengthMs: HOUR_MS, endMs: startMs, endPx: firstPx })
  const gaps = [...[20, 21, 22, 23, 24, 25], 100, ...[180, 181]]
  const candles = whole.filter((_, place) => !gaps.includes(place))
  const file = await written(candles)
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const tape = at('btc.tape.ndjson')
  const world = await worldOfHistory(tape, at('worlds'), [`BTC=${file}`], log)
  expect(lines).toContain(
    `${file}: 9 of 240 intervals have no candle of BTC: there its price stands still and nothing ` +
      'is traded',
  )
  const query = { coin: 'BTC', interval: '1h' }
  const shown = shownCandles(world, query, startMs - 240 * HOUR_MS, startMs)
  const inGaps = new Set(gaps.map((place) => whole[place]?.timeMs))
  expectSame(
    shown.filter(({ t }) => !inGaps.has(t)),
    candles,
  )
  for (const { t, o, h, l, c } of shown.filter(({ t }) => inGaps.has(t))) {
    const before = candles.findLast(({ timeMs }) => timeMs < t)
    expect(new Set([o, h, l, c].map(Number))).toEqual(new Set([Number(before?.close)]))
  }
})

test('a history is part of the world identity, and other coins keep their own past', async () => {
  const { candles, world: known } = month
  const without = await worldWith({})
  const changed = candles.with(5, { ...(candles[5] as WrittenCandle), volume: '77' })
  const files = [await written(candles), await written(changed)]
  const orders = await Promise.all(files.map((file) => historyOrder([`BTC=${file}`])))
  const [same, other] = orders.map(({ digest }) => digest) as [string, string]
  expect(known.id).toBe(`${without.id}/${same.slice(0, 12)}`)
  expect(other).not.toBe(same)
  const hype = (world: LoadedWorld) =>
    shownCandles(world, { coin: 'HYPE', interval: '1d' }, startMs - 9 * DAY_MS, startMs)
  expect(hype(known).map(({ c }) => c)).toEqual(hype(without).map(({ c }) => c))
  expect(metaOf('historyDigest')).toEqual(expect.arrayContaining(['', same]))
})

test('a spot pair follows the history of its perpetual', async () => {
  const { hours, world } = both
  const query = { coin: '@107', interval: '1h' }
  const spot = shownCandles(world, query, startMs - HOURS * HOUR_MS, startMs)
  for (const { t, c } of spot) {
    const perp = hours.find(({ timeMs }) => timeMs === t)
    expect(Number(c) / Number(perp?.close)).toBeWithin(0.985, 1.015)
  }
})

const futures = recordingInForm('usdm')

test(`${futures.about}, of one coin, has a history`, async () => {
  const tape = at('real.tape.ndjson.zst')
  await importTape([await futures.file(at(''))], tape)
  const { startMs: realMs } = (await openTape(tape)).header
  const endMs = Math.floor(realMs / HOUR_MS) * HOUR_MS
  const endPx = Math.round(await firstPriceOf(tape))
  const candles = candlesOf({ count: 720, lengthMs: HOUR_MS, endMs, endPx, volume: 900 })
  const world = await worldOfHistory(tape, at('worlds'), [await written(candles)])
  expectSame(
    shownCandles(world, { coin: 'BTC', interval: '1h' }, endMs - 700 * HOUR_MS, endMs),
    candles.slice(20),
  )
})

let files = 0

async function written(candles: readonly WrittenCandle[]): Promise<string> {
  const file = at(`history-${files++}.csv`)
  await writeCandles(file, candles)
  return file
}

async function worldWith(
  histories: Readonly<Record<string, readonly WrittenCandle[]>>,
  tape = 'short.tape.ndjson',
) {
  const named = Object.entries(histories).map(
    async ([coin, candles]) => `${coin}=${await written(candles)}`,
  )
  return worldOfHistory(at(tape), at('worlds'), await Promise.all(named))
}

/**
 * Prices are equal everywhere; volumes are in some candles, and larger in the rest, where tracked
 * traders alone traded more.
 */
function expectSame(
  shown: readonly Pick<
    ReturnType<typeof shownCandles>[number],
    't' | 'o' | 'h' | 'l' | 'c' | 'v'
  >[],
  candles: readonly WrittenCandle[],
  part = 1,
): void {
  const prices = (list: readonly unknown[][]) => list.map((row) => row.map(Number))
  expect(prices(shown.map(({ t, o, h, l, c }) => [t, o, h, l, c]))).toEqual(
    prices(candles.map(({ timeMs, open, high, low, close }) => [timeMs, open, high, low, close])),
  )
  const more = shown.map(({ v }, place) => Number(v) - Number(candles[place]?.volume))
  expect(Math.min(...more)).toBeGreaterThan(-1e-6)
  expect(more.filter((one) => one < 1e-6).length).toBeGreaterThanOrEqual(part * shown.length)
}

/** Metadata of each cast world. */
function metaOf(key: string): string[] {
  const names = readdirSync(at('worlds')).filter((name) => name.endsWith('.sqlite'))
  return names.flatMap((name) => {
    const db = new Database(at(`worlds/${name}`), { readonly: true })
    const query = db.query<{ value: string }, [string]>('select value from meta where key = ?')
    const values = query.all(key).map(({ value }) => value)
    db.close()
    return values
  })
}
