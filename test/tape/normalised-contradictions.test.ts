/** Contradictions in a recording are reported, and liquidations are assembled. */
import { expect, test } from 'bun:test'
import { answered, recordedMarket } from '../fixtures/recorded-exchanges.ts'
import { userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const inFolder = temporaryFolder()
const HOUR_MS = 3_600_000
const T = Date.UTC(2026, 5, 1, 12, 30)

const level = (px: string, sz = '1') => ({ px, sz, n: 1 })
const bookOf = (time: number, bid: string, ask: string) => ({
  coin: 'BTC',
  time,
  levels: [[level(bid)], [level(ask)]],
})
const trade = (time: number, tid: number, px: string, more = {}) => ({
  coin: 'BTC',
  side: 'B',
  px,
  sz: '0.5',
  time,
  hash: '0xab',
  tid,
  users: [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`],
  ...more,
})
const candle = (t: number, [o, h, l, c]: [string, string, string, string]) => ({
  t,
  T: t + HOUR_MS - 1,
  s: 'BTC',
  i: '1h',
  o,
  h,
  l,
  c,
  v: '10',
  n: 3,
})
const [book, trades] = [
  { type: 'l2Book', coin: 'BTC' },
  { type: 'recentTrades', coin: 'BTC' },
]
const candles = { type: 'candleSnapshot', req: { coin: 'BTC', interval: '1h', startTime: T } }

test('contradictions are named with their values, and no crossed book is in the tape', async () => {
  const [first, second] = [T - HOUR_MS / 2, T + HOUR_MS / 2]
  const { report, events } = await recordedMarket(inFolder, [
    answered(T, book, bookOf(T, '100.0', '101.0')),
    answered(T + 1000, book, bookOf(T + 1000, '102.0', '101.0')),
    answered(T + 2000, trades, [trade(T + 1500, 7, '100.5')]),
    answered(T + 3000, trades, [trade(T + 1500, 7, '100.6')]),
    answered(second + 1, candles, [candle(first, ['99', '100', '98', '100'])]),
    answered(second + 2, candles, [candle(first, ['99', '100', '97', '100'])]),
  ])
  const scheduled = report.contradictions.map(({ what, examples }) => `${what}: ${examples[0]}`)
  expect(scheduled).toEqual([
    'crossed book: BTC at 2026-06-01T12:30:01.000Z: bid 102, ask 101',
    'trade reported twice, differently: BTC tid 7: px 100.5 and 100.6',
    'closed candle reported twice, differently: ' +
      'BTC 60 min at 2026-06-01T12:00:00.000Z: low 98 and 97',
    'trade outside its candle: BTC tid 7 at 2026-06-01T12:30:01.500Z: 100.5, and the candle of ' +
      '60 min goes from 98 to 100',
  ])
  expect(events.map(({ kind }) => kind)).toEqual(['book', 'trade'])
})

test('a liquidation precedes its trades', async () => {
  const user = `0x${'a'.repeat(40)}`
  const fill = { liquidation: { liquidatedUser: user, markPx: '99.5', method: 'market' } }
  const own = { ...fill, side: 'A', crossed: true, users: undefined }
  const { events } = await recordedMarket(inFolder, [
    answered(T, book, bookOf(T, '100.0', '101.0')),
    answered(T + 2000, { type: 'userFills', user }, [
      trade(T + 1000, 9, '100.0', { ...own, sz: '0.25' }),
      trade(T + 1000, 8, '100.0', own),
    ]),
  ])
  expect(events.slice(1).map(({ kind, data }) => ({ kind, ...data }))).toMatchObject([
    { kind: 'liquidation', position: 'long', sz: '0.75', markPx: '99.5', tids: [9, 8] },
    { kind: 'trade', side: 'A', users: [null, user], tid: 9 },
    { kind: 'trade', side: 'A', users: [null, user], tid: 8 },
  ])
})

test('a recording without a market is refused', async () => {
  const message = await userErrorOf(() =>
    recordedMarket(inFolder, [
      answered(T, { type: 'userRole' }, {}),
      answered(T, book, { levels: 7 }),
    ]),
  )
  expect(message).toContain('says nothing of a market from 2026-06-01T12:30:00.000Z on')
  expect(message).toContain('; left out: 1 x info/userRole, 1 x info/l2Book that cannot be read')
  expect(message).toEndWith(' (event 2 has nothing for a coin)')
})
