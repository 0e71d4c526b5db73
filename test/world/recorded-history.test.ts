/** Candles of a user's file as the past of a coin. */

import { Database } from 'bun:sqlite'
import { beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import type { LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { historyOrder } from '../../src/sandbox/worlds/line-files.ts'
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

beforeAll(async () => {
  const tape = await historyTape(at('short.tape.ndjson'))
  startMs = tape.startMs
  firstPx = tape.firstPx
})

test('a month of hourly candles is answered as it was written', async () => {
  const candles = candlesOf({ count: 720, lengthMs: HOUR_MS, endMs: startMs, endPx: firstPx })
  const world = await worldWith(['BTC'], candles)
  const shown = shownCandles(
    world,
    { coin: 'BTC', interval: '1h' },
    startMs - 720 * HOUR_MS,
    startMs,
  )
  expectSame(shown, candles)
})

test('minutes are as they were written, and opens need not be closes', async () => {
  const count = 2 * 1440
  const candles = candlesOf({ count, lengthMs: MINUTE_MS, endMs: startMs, endPx: firstPx, gap: 2 })
  const world = await worldWith(['BTC'], candles)
  const shown = shownCandles(
    world,
    { coin: 'BTC', interval: '1m' },
    startMs - count * MINUTE_MS,
    startMs,
  )
  expectSame(shown, candles, 0.9)
})

test('a shorter history goes on backwards from its first price, at its turnover', async () => {
  const candles = candlesOf({
    count: 5,
    lengthMs: DAY_MS,
    endMs: startMs - 12 * HOUR_MS,
    endPx: firstPx,
  })
  const world = await worldWith(['BTC'], candles)
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
  expect(Number(after[0]?.o)).toBe(Number(candles.at(-1)?.close))
  expect(Math.abs(Number(after.at(-1)?.c) / firstPx - 1)).toBeLessThan(0.001)
})

test('a history is part of what a world is, and other coins keep their own past', async () => {
  const candles = candlesOf({ count: 48, lengthMs: HOUR_MS, endMs: startMs, endPx: firstPx })
  const [without, known] = [await worldWith([], []), await worldWith(['BTC'], candles)]
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
  const { px, lengthMs } = {
    px: await firstPriceOf(at('short.tape.ndjson'), 'HYPE'),
    lengthMs: HOUR_MS,
  }
  const candles = candlesOf({ count: 200, lengthMs, endMs: startMs, endPx: px, decimals: 3 })
  const world = await worldWith(['HYPE'], candles)
  const spot = shownCandles(
    world,
    { coin: '@107', interval: '1h' },
    startMs - 200 * HOUR_MS,
    startMs,
  )
  for (const { t, c } of spot) {
    const perp = candles.find(({ timeMs }) => timeMs === t)
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

async function worldWith(coins: readonly string[], candles: readonly WrittenCandle[]) {
  const named = coins.map(async (coin) => `${coin}=${await written(candles)}`)
  return worldOfHistory(at('short.tape.ndjson'), at('worlds'), await Promise.all(named))
}

/**
 * Prices are the same everywhere; volumes are in a part of the candles, and larger in the rest, in
 * which tracked traders alone traded more.
 */
function expectSame(
  shown: ReturnType<typeof shownCandles>,
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

/** What each world that was cast says of itself. */
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
