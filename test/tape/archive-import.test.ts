/** Each form of recordings is converted to the described events. */
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { ImportRequest } from '../../src/tape/tape-import.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { inspectTape } from '../../src/tape/tape-inspection.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { archiveSamples } from '../fixtures/archive-samples.ts'
import { SAMPLE_START_MS } from '../fixtures/sample-start.ts'
import { readTape } from '../fixtures/sample-tape.ts'
import { factsAt, worldOfTape } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const OUT = at('out.tape.ndjson')
mkdirSync(at('samples'))
const samples = archiveSamples()
for (const [name, bytes] of Object.entries(samples)) writeFileSync(at(`samples/${name}`), bytes)

/** Events of imported samples: milliseconds since their start, kind and data. */
async function eventsOf(names: string[], request: ImportRequest = {}) {
  const report = await importTape(
    names.map((name) => at(`samples/${name}`)),
    OUT,
    request,
  )
  const events = (await readTape(OUT)).map(
    ({ time, kind, data }) => [time - SAMPLE_START_MS, kind, data] as const,
  )
  return { report, events }
}

test("the venue's archive: books and fills by time, fills as trades", async () => {
  const { report, events } = await eventsOf(['fills.lz4', 'BTC.lz4', 'asset_ctxs.csv.lz4'])
  expect(report.forms).toEqual(['venue-archive', 'venue-contexts'])
  const book = {
    bids: [['68614', '0.30995', 4]],
    asks: [['68615', '13.21825', 30]],
  }
  const trade = { px: '68615', sz: '0.1' }
  expect(events).toEqual([
    [0, 'book', book],
    [0, 'funding', { rate: '0.0000125', premium: '-0.0001' }],
    [0, 'mark', { mark: '68612', oracle: '68610' }],
    [0, 'interest', { openInterest: '21000.5' }],
    [100, 'trade', { side: 'B', ...trade, tid: 11, hash: '0x11', users: ['0xb1', '0xa1'] }],
    [500, 'book', book],
    [600, 'trade', { side: 'A', ...trade, tid: 12, hash: '0x12' }],
    [700, 'liquidation', { position: 'long', sz: '0.2', markPx: '68610.5', tids: [13, 14] }],
    [700, 'trade', { side: 'A', ...trade, tid: 13, hash: '0x13', users: ['0xb9', '0xc1'] }],
    [700, 'trade', { side: 'A', ...trade, tid: 14, hash: '0x14', users: ['0xb9', '0xc1'] }],
    [60_000, 'funding', { rate: '0.000013' }],
    [60_000, 'mark', { mark: '68613', oracle: '68611' }],
    [60_000, 'interest', { openInterest: '21001.5' }],
  ] as never)
  expect((await inspectTape(await openTape(OUT))).findings).toEqual([])
  const whole = events.filter(([, kind]) => kind === 'trade' || kind === 'liquidation')
  expect((await eventsOf(['bare-fills.lz4'])).events).toEqual(whole)
  expect((await eventsOf(['trades.lz4'])).events).toEqual([
    [40, 'trade', { side: 'B', px: '51.367', sz: '0.31', hash: '0xad', users: ['0xb1', '0xa1'] }],
  ])
})

test('tables of every kind are one tape; a liquidation comes right before its trade', async () => {
  const names = Object.keys(samples).filter((name) => name.startsWith('some-futures'))
  const { report, events } = await eventsOf(names)
  expect([report.forms, report.files, report.lines]).toEqual([['tardis'], 6, 14])
  expect([...report.leftOut]).toEqual([
    ['change of a book before its first snapshot', 1],
    ['trade without a side from the exchange', 1],
  ])
  const asks = [['100.2', '3', 1]]
  expect(events).toEqual([
    [1, 'funding', { rate: '0.0000125' }],
    [1, 'mark', { mark: '100.15', oracle: '100.05' }],
    [1, 'interest', { openInterest: '5000.5' }],
    [2, 'mark', { mark: '100.16', oracle: '100.05' }],
    [5, 'book', { bids: [['100.1', '1.5', 1]], asks: [...asks, ['100.3', '1', 1]] }],
    [6, 'bbo', { bid: ['100.1', '1.5', 1], ask: ['100.2', '3', 1] }],
    [
      10,
      'book',
      {
        bids: [
          ['100.1', '1.5', 1],
          ['100', '2', 1],
        ],
        asks,
      },
    ],
    [15, 'trade', { side: 'B', px: '100.2', sz: '0.5', tid: 7 }],
    [20, 'delta', { bids: [['100.1', '0', 0]], asks: [['100.3', '0.001', 1]] }],
    [30, 'liquidation', { position: 'long', sz: '0.25', markPx: '100', tids: [8] }],
    [30, 'trade', { side: 'A', px: '100', sz: '0.25', tid: 8 }],
  ] as never)
  expect(report.header.instruments).toMatchObject([{ coin: 'BTC', quote: 'USDT', szDecimals: 3 }])
})

test('Parquet is read by its columns; sizes in contracts become coins', async () => {
  const contracts = new Map([['BTC', { size: '0.01', of: 'coin' as const }]])
  const { report, events } = await eventsOf(['trades.parquet'], { contracts })
  expect(report.forms).toEqual(['tardis'])
  expect(events).toEqual([
    [15, 'trade', { side: 'B', px: '100.2', sz: '0.005', tid: 7 }],
    [30, 'trade', { side: 'A', px: '100', sz: '0.000000005', tid: 8 }],
  ])
})

test('a spot stream is chained by U and u; snapshots get the time before them', async () => {
  const { report, events } = await eventsOf(['spot.log'])
  expect([report.forms, ...report.leftOut]).toEqual([
    ['spot'],
    ['depthUpdate older than the book', 1],
  ])
  expect(events).toEqual([
    [0, 'book', { bids: [['99', '1.5', 1]], asks: [['101', '2', 1]] }],
    [6, 'delta', { bids: [['98.5', '2', 1]], asks: [] }],
    [8, 'delta', { bids: [], asks: [['100.5', '0.5', 1]] }],
    [8, 'bbo', { bid: ['99', '1.5', 1], ask: ['100.5', '0.5', 1] }],
    [9, 'trade', { side: 'B', px: '100.5', sz: '0.1', tid: 5 }],
  ] as never)
  expect(report.header.instruments).toMatchObject([{ coin: 'BTC/USDT', kind: 'spot' }])
})

test('contracts of a coin-margined stream are dollars, and become coins', async () => {
  const { report, events } = await eventsOf(['coin.log'])
  expect(report.forms).toEqual(['coinm'])
  expect(events).toEqual([
    [4, 'book', { bids: [['50000', '2', 1]], asks: [['50000.5', '0.01399986', 1]] }],
    [4, 'delta', { bids: [['50000', '0.2', 1]], asks: [] }],
    [6, 'delta', { bids: [['49999.5', '0.00600006', 1]], asks: [] }],
    [7, 'trade', { side: 'A', px: '50000.5', sz: '0.00399996', tid: 3 }],
  ] as never)
})

test('where a collector was not connected there is a gap', async () => {
  const { report, events } = await eventsOf(['collected.ndjson'])
  expect(report.forms).toEqual(['venue-native'])
  expect(events.map(([ms, kind]) => [ms, kind])).toEqual([
    [0, 'book'],
    [905, 'gap'],
    [905, 'bbo'],
  ])
  expect(events[1]?.[2]).toEqual({
    fromMs: SAMPLE_START_MS,
    why: 'the collector was not connected',
  })
})

test('a candle becomes four trades with its prices and its volume', async () => {
  const { report, events } = await eventsOf(['BTCUSDT-1m-2026-04-01.csv'])
  expect([report.forms, ...report.leftOut]).toEqual([['candles'], ['candle without volume', 1]])
  expect(events).toEqual(
    [
      [0, 'B', '100', '2.125'],
      [19_999, 'A', '99', '2.125'],
      [39_999, 'B', '103', '2.125'],
      [59_999, 'A', '102', '2.125'],
      [60_000, 'B', '102', '0.00025'],
      [79_999, 'B', '102.5', '0.00025'],
      [99_999, 'A', '101', '0.00025'],
      [119_999, 'B', '101.5', '0.00025'],
    ].map(([ms, side, px, sz]) => [ms, 'trade', { side, px, sz }]) as never,
  )
})

test('an imported tape is played: books, trades and candles are answered', async () => {
  await eventsOf(['fills.lz4', 'BTC.lz4', 'asset_ctxs.csv.lz4'])
  const world = await worldOfTape(OUT)
  const facts = factsAt(world, SAMPLE_START_MS + 700)
  expect(facts.books.l2({ coin: 'BTC' })).toMatchObject({
    time: SAMPLE_START_MS + 500,
    levels: [[{ px: '68614.0', sz: '0.30995', n: 4 }], [{ px: '68615.0', sz: '13.21825', n: 30 }]],
  })
  expect(facts.market.recentTrades('BTC', 10).map(({ tid }) => tid)).toContain(13)
  world.close()
})
