/** Histories that do not fit their tape leave nothing behind. */
import { beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import {
  candlesOf,
  HOUR_MS,
  historyTape,
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

interface Misfit {
  endBeforeMs?: number
  factor?: number
}

const REFUSED: [what: string, more: Misfit, message: RegExp][] = [
  [
    'ends long before the tape',
    { endBeforeMs: 5 * HOUR_MS },
    /line 48, time: the candles of BTC end at .*, 5 h before the tape .*: at most 1 h may be/,
  ],
  [
    'ends at another price',
    { factor: 1.2 },
    /line 48, close: the candles of BTC end at \d+, .* at \d+, -16\.\d % away: at most 5 % is/,
  ],
  [
    'begins after the tape',
    { endBeforeMs: -60 * HOUR_MS },
    /line 1, time: the candles begin at .*, and the tape at .*: a history ends there$/,
  ],
]

for (const [what, { endBeforeMs = 0, factor = 1 }, message] of REFUSED)
  test(`refused: a history that ${what}`, async () => {
    const file = await hours(startMs - endBeforeMs, Math.round(firstPx * factor))
    const why = await whyNot([`BTC=${file}`])
    expect(why).toStartWith(`${file}: `)
    expect(why).toMatch(message)
  })

test('refused: a coin that is not named, one that is not there, one with two files', async () => {
  const file = await hours(startMs, firstPx)
  expect(await whyNot([file])).toBe(
    `${file}: does not say which coin its candles are of: name it, as --history BTC=${file}, ` +
      'or give it a column coin',
  )
  expect(await whyNot([`DOGE=${file}`])).toBe(
    `${file}: the tape has no DOGE; it has BTC, HYPE, @107`,
  )
  expect(await whyNot([`BTC=${file}`, `BTC=${file}`])).toBe(
    `${file}: candles of BTC are in ${file} too: one file for each coin`,
  )
  expect(await whyNot(['BTC=nowhere.csv'])).toBe('nowhere.csv: there is no such file')
})

/** A file of two days of hours that end at an instant and a price. */
async function hours(endMs: number, endPx: number): Promise<string> {
  const file = at('hours.csv')
  await writeCandles(file, candlesOf({ count: 48, lengthMs: HOUR_MS, endMs, endPx }))
  return file
}

/** The refusal of a casting; nothing is left behind. */
async function whyNot(history: readonly string[]): Promise<string> {
  const folder = at('worlds')
  const why = await userErrorOf(() => worldOfHistory(at('short.tape.ndjson'), folder, history))
  const left = existsSync(folder) ? readdirSync(folder) : []
  expect(left.filter((name) => !name.endsWith('.lock'))).toEqual([])
  return why
}
