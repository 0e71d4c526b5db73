/** Refusals of a file of candles, by file, line and field. */
import { expect, test } from 'bun:test'
import { readCandles } from '../../src/tape/candles/candle-file.ts'
import { CANDLE_HOUR_MS, candleLines, FIRST_CANDLE_MS } from '../fixtures/candle-lines.ts'
import { userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const HEADER = 'time,open,high,low,close,volume'

const LINES = candleLines((ms) => ms / 1000)
const [SECOND, THIRD] = [
  FIRST_CANDLE_MS + CANDLE_HOUR_MS,
  FIRST_CANDLE_MS + 2 * CANDLE_HOUR_MS,
].map((ms) => `${ms / 1000}`)

const REFUSED: [what: string, change: (lines: string[]) => string[], message: string][] = [
  [
    'a candle between the hours',
    replaced(`${THIRD}`, `${Number(THIRD) + 420}`),
    'line 3, time: 2026-01-14T02:07:00Z follows 2026-01-14T01:00:00Z, and the candles ' +
      'are of 60 min: next is 2026-01-14T02:00:00Z',
  ],
  [
    'months',
    (lines) => lines.map((line, month) => line.replace(/^\d+/, `2026-0${month + 1}-01`)),
    'line 2, time: a month after the line before: candles are of a week at most, take 1w or ' +
      'shorter ones',
  ],
  [
    'half months',
    (lines) =>
      lines.map((line, half) => line.replace(/^\d+/, `2026-01-${half * 15 + 10}`)).slice(0, 2),
    'line 2, time: 15 days after the line before: candles are of a week at most, take 1w or ' +
      'shorter ones',
  ],
  [
    'a wrong order',
    (lines) => lines.toReversed(),
    'line 2, time: 2026-01-14T02:00:00Z is before 2026-01-14T03:00:00Z in line 1: oldest first',
  ],
  [
    'a duplicate',
    (lines) => lines.toSpliced(2, 0, lines[1] ?? ''),
    'line 3, time: 2026-01-14T01:00:00Z is there twice: also in line 2',
  ],
  [
    'no full minute',
    replaced(`${SECOND}`, `${Number(SECOND) + 1}`),
    'line 2, time: 2026-01-14T01:00:01Z is no full minute, where candles begin',
  ],
  [
    'two forms of time',
    replaced(`${THIRD},`, `${THIRD}000,`),
    'line 3, time: milliseconds, and the lines before have seconds: one of them',
  ],
  [
    'microseconds',
    replaced(`${SECOND},`, `${SECOND}000000,`),
    `line 2, time: "${SECOND}000000" is a number of 16 digits: wanted are seconds (10 ` +
      `digits), milliseconds (13) or ISO 8601`,
  ],
  [
    'a time without a zone',
    replaced(`${SECOND},`, '2026-01-14T01:00:00,'),
    'line 2, time: "2026-01-14T01:00:00" is a time without its zone: end it with Z if it is UTC',
  ],
  [
    'a day that is none',
    replaced(`${SECOND},`, '2026-02-30,'),
    'line 2, time: "2026-02-30" is no day there is',
  ],
  [
    'a time that is none',
    replaced(`${SECOND},`, '14/01/2026,'),
    'line 2, time: "14/01/2026" is no time: wanted are seconds, milliseconds or ISO ' +
      '8601, such as 2026-01-15T12:00:00Z',
  ],
  [
    'candles of 7 min',
    (lines) => [
      lines[0] ?? '',
      (lines[1] ?? '').replace(`${SECOND}`, `${FIRST_CANDLE_MS / 1000 + 420}`),
    ],
    'line 2, time: it is 7 min after the line before: candles have a length that ' +
      'divides a day, such as 1, 5, 15, 60 or 1440 minutes, or is of whole days up to a week',
  ],
  [
    'a negative price',
    replaced(',101,104,', ',-101,104,'),
    'line 2, open: -101 is negative: 0 or more',
  ],
  [
    'a price of 0',
    replaced(',101,104,', ',0,104,'),
    'line 2, open: is 0: a price is more than that',
  ],
  [
    'a negative volume',
    replaced(',102,12.5', ',102,-12.5'),
    'line 2, volume: -12.5 is negative: 0 or more',
  ],
  [
    'text',
    replaced(',102,12.5', ',"102",12.5'),
    'line 2, close: ""102"" is no number of at most 15 digits, such as 95012.5',
  ],
  [
    'an exponent',
    replaced(',102,12.5', ',102,1e5'),
    'line 2, volume: "1e5" is no number of at most 15 digits, such as 95012.5',
  ],
  [
    'a short line',
    replaced(',102,12.5', ',102'),
    'line 2, volume: is missing: a line has time,open,high,low,close,volume',
  ],
  [
    'high below low',
    replaced(',101,104,99.5,', ',101,99,99.5,'),
    'line 2, high: 99 is below the low, 99.5',
  ],
  [
    'high below open',
    replaced(',101,104,', ',101,100,'),
    'line 2, high: 100 is below the open, 101',
  ],
  [
    'low above close',
    replaced(',104,99.5,102', ',104,101.5,102'),
    'line 2, low: 101.5 is above the open, 101',
  ],
  [
    'another unit',
    (lines) => [lines[0] ?? '', `${SECOND},10100,10400,9950,10200,1`],
    'line 2, open: 10100, and the candle before closed at 101: prices of one market, one unit',
  ],
  [
    'a price out of line',
    replaced(',101,104,', ',101,1040,'),
    'line 2, high: 1040 is over 10 times the low, 99.5: one unit',
  ],
]

for (const [what, change, message] of REFUSED)
  test(`refused with file, line and field: ${what}`, async () => {
    const lines = change([...LINES])
    expect(lines).not.toEqual(LINES)
    expect(await whyNot(lines)).toBe(message)
  })

test('refused are a header without a column, a file without candles, and one candle', async () => {
  expect(await whyNot(['time,open,high,low,close', ...LINES])).toBe(
    `line 1 has no column volume: the header names ` +
      'time,open,high,low,close,volume, and coin where there are several',
  )
  expect(await whyNot([HEADER])).toBe(`there is no candle in it: give a line for each`)
  expect(await whyNot(LINES.slice(0, 1))).toBe(
    `there is only one candle: two at least are needed, which say how long they are`,
  )
  expect(await whyNot([`${HEADER},coin`, `${LINES[0]},BTC`, `${LINES[1]},`])).toBe(
    `line 3, coin: is missing: each line names its coin`,
  )
})

/** The refusal of a file with these lines, after its name. */
async function whyNot(lines: readonly string[]): Promise<string> {
  const file = at('bad.csv')
  await Bun.write(file, `${lines.join('\n')}\n`)
  const message = await userErrorOf(() => readCandles(file))
  expect(message).toStartWith(`${file}: `)
  return message.slice(file.length + 2)
}

function replaced(from: string, to: string) {
  return (lines: string[]) => lines.map((line) => line.replace(from, to))
}

test('intervals without a candle are counted, also between the first candles', async () => {
  const missingIn = async (hours: readonly number[]) => {
    const lines = candleLines((ms) => ms / 1000, 24).filter((_, hour) => hours.includes(hour))
    await Bun.write(at('gaps.csv'), lines.join('\n'))
    const [series] = await readCandles(at('gaps.csv'))
    return [(series?.lengthMs ?? 0) / CANDLE_HOUR_MS, series?.missing]
  }
  expect(await missingIn([0, 1, 2, 3])).toEqual([1, 0])
  expect(await missingIn([0, 1, 3])).toEqual([1, 1])
  expect(await missingIn([0, 1, 3, 4, 12])).toEqual([1, 8])
  expect(await missingIn([0, 4, 5, 6])).toEqual([1, 3])
  expect(await missingIn([0, 7, 8])).toEqual([1, 6])
  expect(await missingIn([0, 2, 4])).toEqual([2, 0])
})
