/** Candles of exchanges in their formats, and messages about invalid ones. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { UnknownForm } from '../../src/tape/importers/form-choice.ts'
import { suggestedMapping } from '../../src/tape/importers/mapping/mapping-suggestion.ts'
import type { ImportRequest } from '../../src/tape/tape-import.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { CANDLES } from '../fixtures/archive-samples.ts'
import { SAMPLE_START_MS } from '../fixtures/sample-start.ts'
import { readTape, userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const OUT = at('of.tape.ndjson')
const NAME = 'BTCUSDT.csv'

async function eventsOf(content: string | Buffer, request: ImportRequest = {}) {
  writeFileSync(at(NAME), content)
  await importTape([at(NAME)], OUT, request)
  return readTape(OUT)
}

const refusalOf = async (content: string, request: ImportRequest = {}) =>
  (await userErrorOf(() => eventsOf(content, request))).replaceAll(at('x').slice(0, -1), '')

const ROWS = CANDLES.split('\n').slice(1).join('\n')

test('candles may have any delimiter, quotes, exponents and microseconds', async () => {
  const scheduled = await eventsOf(CANDLES)
  const others = [
    ROWS.replaceAll(',', ';'),
    ROWS.replaceAll(',', '\t'),
    CANDLES.replaceAll(/\n(?=\d)/g, '\n"a,b",').replace('open_time', 'note,open_time'),
    CANDLES.replace(',8.5,', ',85e-1,').replace(',0.001,', ',1e-03,'),
    CANDLES.replaceAll(/(\d{13}),/g, '$1000,'),
    ROWS.replaceAll(/(\d{13}),/g, '$1000,'),
  ]
  for (const other of others) expect(await eventsOf(other)).toEqual(scheduled)
})

test('candles of Parquet have times of its own type', async () => {
  const rows = ROWS.trim()
    .split('\n')
    .map((row) => row.split(',').map(Number))
  const column = (name: string, place: number) => ({
    name,
    data: rows.map((row) => row[place] ?? 0),
  })
  const time = { name: 'time', data: rows.map(([ms = 0]) => new Date(ms)), type: 'TIMESTAMP' }
  const prices = ['open', 'high', 'low', 'close', 'volume'].map((name, i) => column(name, i + 1))
  const packed = parquetWriteBuffer({ columnData: [time as never, ...prices] })
  expect(await eventsOf(Buffer.from(packed))).toEqual(await eventsOf(CANDLES))
})

test('an invalid candle is refused with its place, once', async () => {
  const wrong = CANDLES.replace(',102.5,', ',x,')
  const why = 'high: "x" is no number of at most 15 digits, such as 95012.5'
  expect(await refusalOf(wrong)).toBe(`${NAME}: line 3 ${why}`)
  expect(await refusalOf(`\n\n${wrong}`)).toBe(`${NAME}: line 5 ${why}`)
  expect(await refusalOf(`\n\n${CANDLES.replace(',102.5,', ',1,')}`)).toBe(
    `${NAME}: line 5 high: 1 is below the low, 101`,
  )
  const last = `${SAMPLE_START_MS + 120_000}`
  const late = `${SAMPLE_START_MS + 150_000}`
  expect(await refusalOf(CANDLES.replace(last, late))).toStartWith(`${NAME}: line 4 time: 2026-`)
  expect(await refusalOf('a,b\n1,2\n', { from: 'candles' })).toBe(
    `${NAME}: line 1 lacks the columns time, open, high, low, close, volume; it has a, b`,
  )
})

test('the columns of a table without a header are numbered in a suggestion', async () => {
  const unknown = await eventsOf('7;8;9\n').catch((error) => error)
  expect(unknown).toBeInstanceOf(UnknownForm)
  expect(suggestedMapping(unknown.sample)).toContain('# Its columns: 0, 1, 2\n')
})
