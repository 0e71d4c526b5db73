import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { importTape } from '../../src/tape/tape-import.ts'
import { readTape, userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const OUT = at('out.tape.ndjson')

/** Frames are at ms offsets from it. */
const START_MS = 1_700_000_000_000

/** A recording whose frames are a millisecond apart on the local clock. */
function recording(name: string, frames: unknown[]): string {
  const lines = frames.map((frame, i) => `${START_MS + i}000000 ${JSON.stringify(frame)}\n`)
  writeFileSync(at(name), lines.join(''))
  return at(name)
}

const trade = (tid: number, time: number, changes = {}) => ({
  coin: 'BTC',
  side: 'B',
  px: '105.0',
  sz: '0.50',
  tid,
  time: START_MS + time,
  hash: '0xab',
  users: ['0x1', '0x2'],
  ...changes,
})
const trades = (...data: unknown[]) => ({ channel: 'trades', data })
const l2Book = (time: number) => ({
  channel: 'l2Book',
  data: { coin: 'BTC', time: START_MS + time, levels: [[{ px: '104.0', sz: '1', n: 3 }], []] },
})
const times = (ms: number) => ({ E: START_MS + ms, T: START_MS + ms })
const depth = (pu: number, u: number, b: string[][] = [], a: string[][] = []) => ({
  stream: 'btcusdt@depth@0ms',
  data: { e: 'depthUpdate', ...times(u), s: 'BTCUSDT', U: pu + 1, u, pu, b, a },
})
const snapshot = (id: number) => ({
  lastUpdateId: id,
  ...times(id),
  bids: [['99.00', '1.000']],
  asks: [['101.00', '2.000']],
})

test('the venue: repeated trades by tid are dropped and counted', async () => {
  const frames = [
    l2Book(50),
    trades(trade(1, 10), trade(2, 60)),
    trades(trade(2, 60), trade(3, 61)),
  ]
  const report = await importTape([recording('twice', frames)], OUT)
  expect(report.forms).toEqual(['venue-native'])
  expect([...report.leftOut]).toEqual([['trade that was there already (same tid)', 1]])
  const events = await readTape(OUT)
  expect(events.map(({ kind, time }) => [kind, time - START_MS])).toEqual([
    ['book', 50],
    ['trade', 50],
    ['trade', 60],
    ['trade', 61],
  ])
  const data = { side: 'B', px: '105', sz: '0.5', tid: 1, hash: '0xab', users: ['0x1', '0x2'] }
  expect(events[1]?.data).toEqual({ ...data, sourceTimeMs: START_MS + 10 } as never)
  expect(events[2]?.data).toEqual({ ...data, tid: 2 } as never)
})

test('the venue: bbo and asset contexts are kept, other channels are counted', async () => {
  const ctx = { funding: '-0.00001250', premium: null, openInterest: '12.50', markPx: '1.10' }
  const frames = [
    { channel: 'subscriptionResponse', data: {} },
    { channel: 'activeAssetCtx', data: { coin: 'xyz:TSLA', ctx: { ...ctx, oraclePx: '1.2' } } },
    { channel: 'bbo', data: { coin: 'BTC', time: 1700000000005, bbo: [null, level('7.5')] } },
    { channel: 'subscriptionResponse', data: {} },
  ]
  const report = await importTape([recording('contexts', frames)], OUT)
  expect([...report.leftOut]).toEqual([['frame of channel subscriptionResponse', 2]])
  expect((await readTape(OUT)).map(({ time, kind, data }) => [time, kind, data])).toEqual([
    [1700000000001, 'funding', { rate: '-0.0000125' }],
    [1700000000001, 'mark', { mark: '1.1', oracle: '1.2' }],
    [1700000000001, 'interest', { openInterest: '12.5' }],
    [1700000000005, 'bbo', { bid: null, ask: ['7.5', '2', 1] }],
  ])
  const [tesla] = report.header.instruments
  expect([tesla?.dex, tesla?.base]).toEqual(['xyz', 'TSLA'])
})

test('futures: updates before the snapshot wait for it, older ones are dropped', async () => {
  const frames = [
    depth(1, 4, [['98.00', '5.000']]),
    depth(4, 8, [
      ['97.50', '1.000'],
      ['99.00', '0.000'],
    ]),
    snapshot(6),
    depth(8, 9, [], [['100.50', '0.500']]),
  ]
  const report = await importTape([recording('waiting', frames)], OUT)
  expect([...report.leftOut]).toEqual([['depthUpdate older than the book', 1]])
  expect(
    (await readTape(OUT)).map(({ kind, time, data }) => [kind, time - START_MS, data]),
  ).toEqual([
    ['book', 6, { bids: [['99', '1', 1]], asks: [['101', '2', 1]] }],
    ['delta', 8, { bids: [level99('0', 0), ['97.5', '1', 1]], asks: [] }],
    ['delta', 9, { bids: [], asks: [['100.5', '0.5', 1]] }],
  ] as never)
  expect(report.header.instruments).toMatchObject([
    { coin: 'BTC', quote: 'USDT', pxDecimals: 2, szDecimals: 1 },
  ])
})

test('futures: a break in the chain is refused with its line', async () => {
  const frames = [depth(1, 4), snapshot(4), depth(4, 6), depth(7, 9), depth(9, 10)]
  const file = recording('gap', frames)
  const why = await userErrorOf(() => importTape([file], OUT))
  expect(why).toStartWith(`${file}: line 4 breaks the chain of BTC's book: its pu is 7`)
})

test('futures: with resync the book resumes at the next snapshot', async () => {
  const frames = [snapshot(4), depth(3, 6), depth(7, 9), depth(9, 12), snapshot(11), depth(12, 13)]
  const report = await importTape([recording('resync', frames)], OUT, { resync: true })
  expect((await readTape(OUT)).map(({ kind, time }) => [kind, time - START_MS])).toEqual([
    ['book', 4],
    ['delta', 6],
    ['book', 11],
    ['delta', 12],
    ['delta', 13],
  ])
  expect(report.leftOut.get('break in the chain of depthUpdates')).toBe(1)
})

test('futures: a snapshot without a symbol among several is refused', async () => {
  const other = { stream: 'x', data: { ...depth(1, 2).data, s: 'ETHUSDT' } }
  const file = recording('several', [depth(1, 2), other, snapshot(2)])
  const why = await userErrorOf(() => importTape([file], OUT))
  expect(why).toContain('line 3 is a depth snapshot that names no symbol')
})

test('futures: the maker flag gives the side, trades of size 0 are left out', async () => {
  const tradeOf = (t: number, m: boolean, q: string) => ({
    data: { e: 'trade', ...times(t), s: '1000PEPEUSDT', t, p: '0.0120', q, X: 'MARKET', m },
  })
  const frames = [tradeOf(1, true, '3'), tradeOf(2, false, '4'), tradeOf(3, false, '0')]
  const report = await importTape([recording('sides', frames)], OUT, { from: 'usdm' })
  expect((await readTape(OUT)).map(({ coin, data }) => [coin, data])).toEqual([
    ['kPEPE', { side: 'A', px: '0.012', sz: '3', tid: 1 }],
    ['kPEPE', { side: 'B', px: '0.012', sz: '4', tid: 2 }],
  ] as never)
  expect([...report.leftOut]).toEqual([['trade of size 0 (MARKET)', 1]])
})

test('gzip, zstd and plain recordings, in several files, are one tape', async () => {
  const text = (ms: number) => Buffer.from(`${START_MS + ms}000000 ${JSON.stringify(l2Book(ms))}\n`)
  writeFileSync(at('1.gz'), gzipSync(text(0)))
  writeFileSync(at('2'), zstdCompressSync(text(1)))
  writeFileSync(at('3'), text(2))
  const report = await importTape([at('1.gz'), at('2'), at('3')], OUT)
  expect([report.lines, report.header.counts]).toEqual([3, { book: 3 }])
  expect(report.header.source).toBe('venue-native 1.gz 2 3')
})

test('an invalid import is refused with file and line', async () => {
  const refusalOf = (name: string, text: string) => {
    writeFileSync(at(name), text)
    return userErrorOf(() => importTape([at(name)], OUT))
  }
  const validLine = `1700000000000000000 ${JSON.stringify(l2Book(5))}\n`
  expect(await refusalOf('none', '')).toBe(`${at('none')}: is empty`)
  expect(await refusalOf('prose', 'hello\n')).toContain(
    'line 1 is of no form that is known: text, "hello"; name one with --from',
  )
  expect(await refusalOf('later', `${validLine}hello\n`)).toContain(
    'line 2 is not "<local clock, ns> <JSON frame>"',
  )
  expect(await refusalOf('form', '1700000000000000000 {}\n')).toContain('line 1 is of no form')
  expect(await refusalOf('cut', validLine + validLine.slice(0, 60))).toContain(
    'line 2 has a frame that is not whole',
  )
  expect(await refusalOf('px', validLine + validLine.replace('104.0', '1e9'))).toContain(
    'line 2 has "1e9"',
  )
  expect(await refusalOf('time', validLine + validLine.replace('"time"', '"t"'))).toContain(
    'line 2 has no time',
  )
  const request = { from: 'csv' }
  const why = await userErrorOf(() => importTape([at('px')], OUT, request))
  expect(why).toStartWith('there is no form "csv", there are: venue-archive, venue-native,')
})

function level(px: string) {
  return { px, sz: '2.0', n: 1 }
}

function level99(sz: string, n: number) {
  return ['99', sz, n]
}
