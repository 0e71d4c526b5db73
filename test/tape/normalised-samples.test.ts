/** Real recorded responses and frames of the venue are recognised. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { EventDraft } from '../../src/tape/tape-event.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { answered, recordedMarket } from '../fixtures/recorded-exchanges.ts'
import { readTape } from '../fixtures/sample-tape.ts'
import { sharedTape } from '../fixtures/shared-tapes.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const inFolder = temporaryFolder()

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

  test('each is recognised, or reported as no market data', async () => {
    const events = all.map(({ date, request, response, status }) => {
      const event = answered(date, request, response) as Extract<EventDraft, { kind: 'exchange' }>
      return { ...event, data: { ...event.data, status } }
    })
    const { report, historyFile } = await recordedMarket(inFolder, events)
    const names = (list: readonly { what: string }[]) => list.map(({ what }) => what)
    expect(names(report.recognised).sort()).toEqual([
      'info/allMids',
      'info/candleSnapshot',
      'info/clearinghouseState',
      'info/frontendOpenOrders',
      'info/fundingHistory',
      'info/historicalOrders',
      'info/l2Book',
      'info/meta',
      'info/openOrders',
      'info/userFills',
      'info/userFillsByTime',
      'info/userFunding',
      'info/userNonFundingLedgerUpdates',
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
  const requested = Object.entries(read).map(([type, response], at) =>
    answered(Date.UTC(2026, 3, 10, 12) + at, { type, user }, response),
  )
  const { report, events } = await recordedMarket(
    inFolder,
    requested,
    Math.min(...fills.map(({ time }) => time)),
  )
  const tids = new Set(events.flatMap(({ kind, data }) => (kind === 'trade' ? data.tid : [])))
  expect(fills.filter(({ tid }) => !tids.has(tid))).toEqual([])
  expect(report.leftOut.filter(({ what }) => what.includes('cannot be read'))).toEqual([])
})

const native = sharedTape('venue-native/btcusd_20250126.gz')

test.skipIf(native.absent)(
  `frames of the venue become the imported events${native.reason}`,
  async () => {
    const lines = gunzipSync(readFileSync(native.path)).toString().trim().split('\n')
    const socket = (time: number, data: object) =>
      ({ time, kind: 'connection', coin: '', data: { connection: 1, ...data } }) as EventDraft
    const startedMs = Number(lines[0]?.slice(0, 13))
    const opened = { event: 'open', startedMs, url: '/ws', requestHeaders: {}, protocols: [] }
    const { report, events } = await recordedMarket(inFolder, [
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
    // The first ones are from before the recording: the latest of them is placed at its start.
    expect(booksOf(events)).toEqual(booksOf(imported).slice(1))
    const startMs = events[0]?.time ?? 0
    const late = imported.filter(
      ({ kind, time, data }) =>
        kind === 'trade' && ((data as { sourceTimeMs?: number }).sourceTimeMs ?? time) >= startMs,
    )
    expect(events.filter(({ kind }) => kind === 'trade')).toHaveLength(late.length)
  },
)
