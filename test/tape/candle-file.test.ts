import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { readCandles } from '../../src/tape/candles/candle-file.ts'
import { CANDLE_HOUR_MS, candleLines, FIRST_CANDLE_MS } from '../fixtures/candle-lines.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

const HEADER = 'time,open,high,low,close,volume'
async function read(lines: readonly string[], name = 'candles.csv') {
  await Bun.write(at(name), `${lines.join('\n')}\n`)
  return readCandles(at(name))
}

test('times in seconds, milliseconds and ISO 8601 are detected', async () => {
  for (const timeOf of [
    (ms: number) => ms / 1000,
    (ms: number) => ms,
    (ms: number) => new Date(ms).toISOString(),
    (ms: number) => new Date(ms).toISOString().replace('T', ' ').replace('.000Z', '+00:00'),
  ])
    expect(await read(candleLines(timeOf))).toMatchObject([
      {
        coin: null,
        lengthMs: CANDLE_HOUR_MS,
        candles: [
          {
            timeMs: FIRST_CANDLE_MS,
            open: '100',
            high: '103',
            low: '99.5',
            close: '101',
            volume: '12.5',
          },
          { timeMs: FIRST_CANDLE_MS + CANDLE_HOUR_MS },
          { timeMs: FIRST_CANDLE_MS + 2 * CANDLE_HOUR_MS },
          { timeMs: FIRST_CANDLE_MS + 3 * CANDLE_HOUR_MS, close: '104' },
        ],
      },
    ])
  const days = ['2026-01-13,1,1,1,1,0', '2026-01-14,1,1,1,1,0']
  expect(await read(days)).toMatchObject([{ lengthMs: 24 * CANDLE_HOUR_MS }])
})

test('a header names columns in any order; others and empty lines are skipped', async () => {
  const lines = [
    'Volume, Close,low,HIGH,open,Trades,Date',
    '7,4,1,5,3,9,2026-01-13',
    '',
    '8,4,1,5,3,9,2026-01-14',
  ]
  const [series] = await read(lines)
  expect(series?.candles).toEqual([
    {
      line: 2,
      timeMs: Date.UTC(2026, 0, 13),
      open: '3',
      high: '5',
      low: '1',
      close: '4',
      volume: '7',
    },
    { line: 4, timeMs: FIRST_CANDLE_MS, open: '3', high: '5', low: '1', close: '4', volume: '8' },
  ])
})

test('more columns than six, a byte order mark and line ends of Windows do no harm', async () => {
  const [series] = await read([
    `\ufeff${HEADER}\r`,
    ...candleLines(String).map((line) => `${line},1,2,3\r`),
  ])
  expect(series?.candles).toHaveLength(4)
})

test('a column of coins sets their candles apart, and a packed file is read as well', async () => {
  const lines = [
    `coin,${HEADER}`,
    ...candleLines(String).flatMap((line) => [`BTC,${line}`, `ETH,${line}`]),
  ]
  await Bun.write(at('coins.csv.gz'), gzipSync(lines.join('\n')))
  const series = await readCandles(at('coins.csv.gz'))
  expect(series.map(({ coin, candles }) => [coin, candles.length])).toEqual([
    ['BTC', 4],
    ['ETH', 4],
  ])
})
