/** Every type of `POST /info` with a maximum has more rows on the default world. */
import { expect, test } from 'bun:test'
import { requestedMarket } from '../../fixtures/requested-market.ts'
import { INFO_CAPS } from './cap.ts'

const { ask, persona } = await requestedMarket({ questions: { 'info-types': 'all' } })
const info = (body: Record<string, unknown>) => ask('POST', '/hl/info', { body }) as unknown[]

const busiest = { user: persona('busiest') }

/** The parameters besides the type. */
const TRIALS: Readonly<Record<string, Record<string, unknown>>> = {
  fundingHistory: { coin: 'BTC', startTime: 0 },
  historicalOrders: busiest,
  recentTrades: { coin: 'BTC' },
  userFills: busiest,
  userFillsByTime: { ...busiest, startTime: 0 },
  userFunding: { ...busiest, startTime: 0 },
  userNonFundingLedgerUpdates: { ...busiest, startTime: 0 },
  userTwapSliceFills: { user: persona('twapWorker') },
  userTwapSliceFillsByTime: { user: persona('twapWorker'), startTime: 0 },
}

test('every capped type has a trial', () => {
  expect(Object.keys(TRIALS).sort()).toEqual(INFO_CAPS.map(({ type }) => type).sort())
})

test.each(INFO_CAPS)('$type gives $most', ({ type, most = 0 }) => {
  expect(info({ type, ...TRIALS[type] })).toHaveLength(most)
})

test('candles of a span are the 5000 most recent', () => {
  const minutes = { coin: 'BTC', interval: '1m', startTime: 0 }
  expect(info({ type: 'candleSnapshot', req: minutes })).toHaveLength(5_000)
})
