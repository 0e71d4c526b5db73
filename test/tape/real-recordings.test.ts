import { expect, test } from 'bun:test'
import { OrderBook } from '../../src/tape/order-book.ts'
import type { TapeEvent } from '../../src/tape/tape-event.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { inspectTape } from '../../src/tape/tape-inspection.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { readTape } from '../fixtures/sample-tape.ts'
import { sharedTape } from '../fixtures/shared-tapes.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const venue = sharedTape('venue-native/btcusd_20250126.gz')
const futures = sharedTape('usdm/usdm_btcusdt_20240808.gz')

test.skipIf(venue.absent)(`the venue's recording becomes a valid tape${venue.reason}`, async () => {
  const report = await importTape([venue.path], at('venue.zst'))
  expect(report.header.counts).toEqual({ book: 46, trade: 64 })
  expect(report.leftOut.size).toBe(0)
  expect(report.header.instruments).toMatchObject([{ coin: 'BTC', pxDecimals: 1, szDecimals: 5 }])
  const result = await inspectTape(await openTape(at('venue.zst')))
  expect([result.events, result.findings]).toEqual([110, []])
  const events = await readTape(at('venue.zst'))
  const trades = events.filter((event) => event.kind === 'trade')
  for (const { data } of trades) expect([data.users?.length, data.hash?.length]).toEqual([2, 66])
  const older = trades.filter(({ data, time }) => (data.sourceTimeMs ?? time) < time)
  expect(older.length).toBeGreaterThan(0)
})

test.skipIf(futures.absent)(
  `the futures recording becomes a valid tape${futures.reason}`,
  async () => {
    const report = await importTape([futures.path], at('futures.zst'))
    const { header, lines, leftOut } = report
    expect(header.counts).toEqual({ bbo: 66089, book: 1, delta: 6547, trade: 21313 })
    expect([lines, ...leftOut]).toEqual([93954, ['depthUpdate older than the book', 4]])
    expect(header.instruments).toMatchObject([{ coin: 'BTC', pxDecimals: 1, szDecimals: 3 }])
    const result = await inspectTape(await openTape(at('futures.zst')))
    expect([result.events, result.findings]).toEqual([93950, []])
    expect(mismatchedTops(await readTape(at('futures.zst')))).toBe(0)
  },
)

/**
 * Number of times that the rebuilt book's best prices and sizes are not in the exchange's own
 * stream of best prices around that moment: the two streams are independent.
 */
function mismatchedTops(events: TapeEvent[]): number {
  const around = 400
  const seen = new Map<string, number>()
  const count = (event: TapeEvent | undefined, by: number) => {
    if (event?.kind !== 'bbo') return
    const top = topText(event.data.bid, event.data.ask)
    seen.set(top, (seen.get(top) ?? 0) + by)
  }
  for (const event of events.slice(0, around)) count(event, 1)
  const book = new OrderBook()
  let mismatches = 0
  for (const [i, event] of events.entries()) {
    count(events[i + around], 1)
    count(events[i - around - 1], -1)
    if (event.kind !== 'book' && event.kind !== 'delta') continue
    book.apply(event)
    if (!seen.get(topText(book.bestBid(), book.bestAsk()))) mismatches++
  }
  return mismatches
}

function topText(bid: unknown, ask: unknown): string {
  return JSON.stringify([bid, ask])
}
