/** Candles of a user's file as the past of a coin. */

import { Database } from 'bun:sqlite'
import { beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { tapeMs } from '../../src/clock/instant.ts'
import type { Facts } from '../../src/contract/facts.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { randomSource } from '../../src/random/random-source.ts'
import type { LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { cutTape } from '../../src/tape/cut.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { userErrorOf } from '../fixtures/sample-tape.ts'
import { sharedTape } from '../fixtures/shared-tapes.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const RECORDING = path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const at = temporaryFolder()
let startMs = 0
let firstPx = 0

beforeAll(async () => {
  startMs = (await openTape(RECORDING)).header.startMs
  const span = { fromMs: startMs, toMs: startMs + 30_000, coins: ['BTC', 'HYPE', '@107'] }
  await cutTape(RECORDING, at('short.tape.ndjson'), span)
  firstPx = await firstPriceOf(at('short.tape.ndjson'))
})

test('a month of hourly candles is answered as it was written', async () => {
  const candles = candlesOf({ count: 720, lengthMs: HOUR_MS, endMs: startMs, endPx: firstPx })
  const world = await worldWith(['BTC'], candles)
  const shown = shownCandles(world, 'BTC', '1h', startMs - 720 * HOUR_MS, startMs)
  expectSame(shown, candles)
})

test('minutes are as they were written, and opens need not be closes', async () => {
  const count = 2 * 1440
  const candles = candlesOf({ count, lengthMs: MINUTE_MS, endMs: startMs, endPx: firstPx, gap: 2 })
  const world = await worldWith(['BTC'], candles)
  const shown = shownCandles(world, 'BTC', '1m', startMs - count * MINUTE_MS, startMs)
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
  expectSame(shownCandles(world, 'BTC', '1d', beginMs, beginMs + 5 * DAY_MS), candles)
  const before = shownCandles(world, 'BTC', '1h', startMs - 30 * DAY_MS, beginMs)
  expect(before.length).toBeGreaterThan(580)
  expect(Math.abs(Number(before.at(-1)?.c) / Number(candles[0]?.open) - 1)).toBeLessThan(0.001)
  const daily = (list: readonly { v: string }[], days: number) =>
    list.reduce((sum, { v }) => sum + Number(v), 0) / days
  const usual = candles.reduce((sum, { volume }) => sum + Number(volume), 0) / 5
  expect(daily(before, before.length / 24) / usual).toBeWithin(0.4, 2.5)
  const after = shownCandles(world, 'BTC', '1m', beginMs + 5 * DAY_MS, startMs)
  expect(Number(after[0]?.o)).toBe(Number(candles.at(-1)?.close))
  expect(Math.abs(Number(after.at(-1)?.c) / firstPx - 1)).toBeLessThan(0.001)
})

test('a history is part of what a world is, and other coins keep their own past', async () => {
  const candles = candlesOf({ count: 48, lengthMs: HOUR_MS, endMs: startMs, endPx: firstPx })
  const [without, known] = [await worldWith([], []), await worldWith(['BTC'], candles)]
  const changed = candles.with(5, { ...(candles[5] as Written), volume: '77' })
  const other = await worldWith(['BTC'], changed)
  expect(new Set([without.id, known.id, other.id]).size).toBe(3)
  expect(known.id).toStartWith(`${without.id}/`)
  const hype = (world: LoadedWorld) =>
    shownCandles(world, 'HYPE', '1d', startMs - 9 * DAY_MS, startMs)
  expect(hype(known).map(({ c }) => c)).toEqual(hype(without).map(({ c }) => c))
  expect(metaOf('historyDigest')).toContain('')
  expect(metaOf('historyDigest').filter((digest) => digest.length === 64).length).toBeGreaterThan(1)
})

test('a spot pair follows the history of its perpetual', async () => {
  const { px, lengthMs } = {
    px: await firstPriceOf(at('short.tape.ndjson'), 'HYPE'),
    lengthMs: HOUR_MS,
  }
  const candles = candlesOf({ count: 200, lengthMs, endMs: startMs, endPx: px, decimals: 3 })
  const world = await worldWith(['HYPE'], candles)
  const spot = shownCandles(world, '@107', '1h', startMs - 200 * HOUR_MS, startMs)
  for (const { t, c } of spot) {
    const perp = candles.find(({ timeMs }) => timeMs === t)
    expect(Number(c) / Number(perp?.close)).toBeWithin(0.985, 1.015)
  }
})

const REFUSED: [what: string, more: Partial<Wanted>, message: RegExp][] = [
  [
    'ends long before the tape',
    { endBeforeMs: 5 * HOUR_MS },
    /line 48, time: the candles of BTC end at .*, 5 h before the tape begins at .*: at most 1 h may be missing$/,
  ],
  [
    'ends at another price',
    { factor: 1.2 },
    /line 48, close: the candles of BTC end at \d+, and the tape begins at \d+, -16\.\d % away: at most 5 % is taken/,
  ],
  [
    'begins after the tape',
    { endBeforeMs: -60 * HOUR_MS },
    /line 1, time: the candles begin at .*, and the tape at .*: a history ends there$/,
  ],
]

for (const [what, { endBeforeMs = 0, factor = 1 }, message] of REFUSED)
  test(`refused, and nothing is left: a history that ${what}`, async () => {
    const endMs = startMs - endBeforeMs
    const candles = candlesOf({
      count: 48,
      lengthMs: HOUR_MS,
      endMs,
      endPx: Math.round(firstPx * factor),
    })
    const before = worldFiles()
    expect(await userErrorOf(() => worldWith(['BTC'], candles))).toMatch(message)
    expect(worldFiles()).toEqual(before)
  })

test('refused: a coin that is not named, one the tape does not have, one with two files', async () => {
  const candles = candlesOf({ count: 48, lengthMs: HOUR_MS, endMs: startMs, endPx: firstPx })
  const file = await written(candles)
  const why = (history: string[]) => userErrorOf(() => provided(at('short.tape.ndjson'), history))
  expect(await why([file])).toBe(
    `${file}: does not say which coin its candles are of: name it, as --history BTC=${file}, ` +
      'or give it a column coin',
  )
  expect(await why([`DOGE=${file}`])).toBe(`${file}: the tape has no DOGE; it has BTC, HYPE, @107`)
  expect(await why([`BTC=${file}`, `BTC=${file}`])).toBe(
    `${file}: candles of BTC are in ${file} too: one file for each coin`,
  )
  expect(await why(['BTC=nowhere.csv'])).toBe('nowhere.csv: there is no such file')
})

const real = sharedTape('usdm/usdm_btcusdt_20240808.gz')

test.skipIf(real.absent)(`a real tape of one coin has a history${real.reason}`, async () => {
  const tape = at('real.tape.ndjson.zst')
  await importTape([real.path], tape)
  const { startMs: realMs } = (await openTape(tape)).header
  const endMs = Math.floor(realMs / HOUR_MS) * HOUR_MS
  const endPx = Math.round(await firstPriceOf(tape))
  const candles = candlesOf({ count: 720, lengthMs: HOUR_MS, endMs, endPx, volume: 900 })
  const world = await provided(tape, [await written(candles)])
  expectSame(shownCandles(world, 'BTC', '1h', endMs - 700 * HOUR_MS, endMs), candles.slice(20))
})

interface Wanted {
  count: number
  lengthMs: number
  endMs: number
  endPx: number
  /** Between a close and the next open, at most. */
  gap?: number
  decimals?: number
  /** Of a minute, about. */
  volume?: number
  endBeforeMs?: number
  factor?: number
}

interface Written {
  timeMs: number
  open: string
  high: string
  low: string
  close: string
  volume: string
}

/** Candles that lead to a price, drawn backwards. */
function candlesOf({
  count,
  lengthMs,
  endMs,
  endPx,
  gap = 0,
  decimals = 0,
  volume = 60,
}: Wanted): Written[] {
  const random = randomSource('1', 'written candles')
  const unit = 10 ** -decimals
  const sigma = 0.004 * Math.sqrt(lengthMs / HOUR_MS)
  const text = (px: number) => px.toFixed(decimals)
  const candles: Written[] = []
  let close = endPx
  for (let back = 1; back <= count; back++) {
    const open = Math.round((close * Math.exp(sigma * random.normal())) / unit) * unit
    const shadow = () => Math.round((close * sigma * random.unit()) / unit) * unit
    candles.unshift({
      timeMs: endMs - back * lengthMs,
      open: text(open),
      high: text(Math.max(open, close) + shadow()),
      low: text(Math.min(open, close) - shadow()),
      close: text(close),
      volume: ((volume * (0.2 + random.unit()) * lengthMs) / MINUTE_MS).toFixed(2),
    })
    close = open + Math.floor(gap * random.unit())
  }
  return candles
}

let files = 0

async function written(candles: readonly Written[]): Promise<string> {
  const file = at(`history-${files++}.csv`)
  const lines = candles.map(({ timeMs, open, high, low, close, volume }) =>
    [timeMs, open, high, low, close, volume].join(','),
  )
  await Bun.write(file, `${lines.join('\n')}\n`)
  return file
}

async function worldWith(coins: readonly string[], candles: readonly Written[]) {
  const histories = await Promise.all(
    coins.map(async (coin) => `${coin}=${await written(candles)}`),
  )
  return provided(at('short.tape.ndjson'), histories)
}

function provided(tape: string, history: readonly string[]): Promise<LoadedWorld> {
  const recordings = path.dirname(RECORDING)
  const cacheDir = at('worlds')
  return worldProvider({ tape, seed: 1, history, recordings, cacheDir, log: () => {} })({})
}

function factsAtEnd(world: LoadedWorld): Facts {
  const atMs = tapeMs(world.timeline.endMs)
  return world.facts({ atMs, shiftMs: 0, answers: DEFAULT_ANSWERS })
}

function shownCandles(
  world: LoadedWorld,
  coin: string,
  interval: string,
  fromMs: number,
  toMs: number,
) {
  const query = { coin, interval, startTimeMs: fromMs, endTimeMs: toMs - 1 }
  return factsAtEnd(world).candles.between(query) ?? []
}

/**
 * Prices are the same everywhere; volumes are in a part of the candles, and larger in the rest, in
 * which tracked traders alone traded more.
 */
function expectSame(
  shown: ReturnType<typeof shownCandles>,
  candles: readonly Written[],
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

async function firstPriceOf(tape: string, coin = 'BTC'): Promise<number> {
  for await (const batch of (await openTape(tape)).events(['trade']))
    for (const event of batch)
      if (event.kind === 'trade' && event.coin === coin) return Number(event.data.px)
  throw new Error(`${tape} has no trade of ${coin}`)
}

const worldFiles = () =>
  readdirSync(at('worlds'))
    .filter((name) => !name.endsWith('.lock'))
    .sort()

function metaOf(key: string): string[] {
  return worldFiles()
    .filter((name) => name.endsWith('.sqlite'))
    .flatMap((name) => {
      const db = new Database(path.join(at('worlds'), name), { readonly: true })
      const rows = db
        .query<{ value: string }, [string]>('select value from meta where key = ?')
        .all(key)
      db.close()
      return rows.map(({ value }) => value)
    })
}
