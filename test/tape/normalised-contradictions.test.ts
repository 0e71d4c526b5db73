/** What a recording says twice and differently is reported, and real recordings are understood. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { normalise } from '../../src/replay/market/normalisation.ts'
import { RECORDED_ROUTES } from '../../src/session/recorded-routes.ts'
import type { EventDraft } from '../../src/tape/tape-event.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { createTape } from '../../src/tape/tape-writer.ts'
import { readTape, userErrorOf } from '../fixtures/sample-tape.ts'
import { sharedTape } from '../fixtures/shared-tapes.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const inFolder = temporaryFolder()
const HOUR_MS = 3_600_000
const T = Date.UTC(2026, 5, 1, 12, 30)
let count = 0

const answered = (time: number, request: object, response: unknown): EventDraft => ({
  time,
  kind: 'exchange',
  coin: '',
  data: {
    startedMs: time,
    method: 'POST',
    url: '/info',
    requestHeaders: {},
    requestBody: JSON.stringify(request),
    status: 200,
    headers: { 'content-type': 'application/json' },
    responseBody: JSON.stringify(response),
  },
})

async function market(events: readonly EventDraft[], fromMs?: number) {
  const [file, out] = [inFolder(`${++count}.tape.ndjson`), inFolder(`${count}.market.tape.ndjson`)]
  const tape = await createTape(file, { source: 'by hand', instruments: [] })
  for (const event of events) await tape.write(event)
  await tape.finish()
  const order = { files: [file], out, historyOut: inFolder(`${count}.history.csv`) }
  const from = fromMs === undefined ? {} : { fromMs }
  const report = await normalise({ ...order, ...from }, RECORDED_ROUTES)
  return { report, events: await readTape(out), historyFile: order.historyOut }
}

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

describe('contradictions', () => {
  test('each is named with what was told, and nothing crossed is in the tape', async () => {
    const [first, second] = [T - HOUR_MS / 2, T + HOUR_MS / 2]
    const { report, events } = await market([
      answered(T, book, bookOf(T, '100.0', '101.0')),
      answered(T + 1000, book, bookOf(T + 1000, '102.0', '101.0')),
      answered(T + 2000, trades, [trade(T + 1500, 7, '100.5')]),
      answered(T + 3000, trades, [trade(T + 1500, 7, '100.6')]),
      answered(second + 1, candles, [candle(first, ['99', '100', '98', '100'])]),
      answered(second + 2, candles, [candle(first, ['99', '100', '97', '100'])]),
    ])
    const told = report.contradictions.map(({ what, examples }) => `${what}: ${examples[0]}`)
    expect(told).toEqual([
      'crossed book: BTC at 2026-06-01T12:30:01.000Z: bid 102, ask 101',
      'trade told twice, differently: BTC tid 7: px 100.5 and 100.6',
      'closed candle told twice, differently: ' +
        'BTC 60 min at 2026-06-01T12:00:00.000Z: low 98 and 97',
      'trade outside its candle: BTC tid 7 at 2026-06-01T12:30:01.500Z: 100.5, and the candle of ' +
        '60 min goes from 98 to 100',
    ])
    expect(events.map(({ kind }) => kind)).toEqual(['book', 'trade'])
  })

  test('a liquidation stands before the trades that carry it out', async () => {
    const user = `0x${'a'.repeat(40)}`
    const fill = { liquidation: { liquidatedUser: user, markPx: '99.5', method: 'market' } }
    const own = { ...fill, side: 'A', crossed: true, users: undefined }
    const { events } = await market([
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

  test('a recording that says nothing of a market is refused', async () => {
    const message = await userErrorOf(() => market([answered(T, { type: 'userRole' }, {})]))
    expect(message).toContain('says nothing of a market from 2026-06-01T12:30:00.000Z on')
  })
})

const cassettes = sharedTape('info/cassettes')

describe.skipIf(cassettes.absent)(`recorded answers of the venue${cassettes.reason}`, () => {
  const all = cassettes.absent
    ? []
    : readdirSync(cassettes.path)
        .filter((name) => name.endsWith('.json'))
        .map((name) => JSON.parse(readFileSync(path.join(cassettes.path, name), 'utf8')))
        .map(({ date, status, request, response }) => ({
          date: Date.parse(date),
          status,
          request,
          response,
        }))
        .sort((a, b) => a.date - b.date)

  test('each is understood, or it is said that it is none of a market', async () => {
    const events = all.map(({ date, request, response, status }) => {
      const event = answered(date, request, response) as Extract<EventDraft, { kind: 'exchange' }>
      return { ...event, data: { ...event.data, status } }
    })
    const { report, historyFile } = await market(events)
    const names = (list: readonly { what: string }[]) => list.map(({ what }) => what)
    expect(names(report.recognised).sort()).toEqual([
      'info/allMids',
      'info/candleSnapshot',
      'info/fundingHistory',
      'info/l2Book',
      'info/meta',
      'info/userFills',
      'info/userFillsByTime',
      'info/userFunding',
      'info/userTwapSliceFills',
    ])
    expect(names(report.leftOut).filter((what) => what.includes('cannot be read'))).toEqual([])
    expect(report.header.counts.mark).toBeGreaterThan(0)
    expect(historyFile).toBeDefined()
  })
})

const samples = sharedTape('info/hyperliquid_info_samples_0x020ca66c_20260410.json.gz')

test.skipIf(samples.absent)(`fills of months become trades${samples.reason}`, async () => {
  const read = JSON.parse(gunzipSync(readFileSync(samples.path)).toString())
  const user = '0x020ca66c30bec2c4fe3861a94e4db4a498a35872'
  const fills = read.userFills as { time: number; tid: number; coin: string }[]
  const asked = Object.entries(read).map(([type, response], at) =>
    answered(Date.UTC(2026, 3, 10, 12) + at, { type, user }, response),
  )
  const { report, events } = await market(asked, Math.min(...fills.map(({ time }) => time)))
  const tids = new Set(events.flatMap(({ kind, data }) => (kind === 'trade' ? data.tid : [])))
  expect(fills.filter(({ tid }) => !tids.has(tid))).toEqual([])
  expect(report.leftOut.filter(({ what }) => what.includes('cannot be read'))).toEqual([])
})

const native = sharedTape('venue-native/btcusd_20250126.gz')

test.skipIf(native.absent)(
  `frames of the venue become what is imported${native.reason}`,
  async () => {
    const lines = gunzipSync(readFileSync(native.path)).toString().trim().split('\n')
    const socket = (time: number, data: object) =>
      ({ time, kind: 'connection', coin: '', data: { connection: 1, ...data } }) as EventDraft
    const startedMs = Number(lines[0]?.slice(0, 13))
    const opened = { event: 'open', startedMs, url: '/ws', requestHeaders: {}, protocols: [] }
    const { report, events } = await market([
      socket(startedMs, { ...opened, protocol: null }),
      ...lines.map((line): EventDraft => {
        const data = { connection: 1, direction: 'out', text: line.slice(20) } as const
        return { time: Number(line.slice(0, 13)), kind: 'frame', coin: '', data }
      }),
    ])
    expect(report.contradictions).toEqual([])
    const out = inFolder('imported.tape.ndjson')
    await importTape([native.path], out)
    const imported = await readTape(out)
    const booksOf = (list: typeof events) =>
      list.flatMap(({ kind, data }) => (kind === 'book' ? data : []))
    // The first ones were told from before the recording: the latest of them stands at its start.
    expect(booksOf(events)).toEqual(booksOf(imported).slice(1))
    const startMs = events[0]?.time ?? 0
    const late = imported.filter(
      ({ kind, time, data }) =>
        kind === 'trade' && ((data as { sourceTimeMs?: number }).sourceTimeMs ?? time) >= startMs,
    )
    expect(events.filter(({ kind }) => kind === 'trade')).toHaveLength(late.length)
  },
)
