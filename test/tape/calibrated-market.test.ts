/** Markets continue as observed: rates, sizes, volatility and books stay in proportion. */
import { expect, test } from 'bun:test'
import { type CoinMeasures, calibrate, measuresOf } from '../../src/market/synth/calibration.ts'
import type { CoinRecord } from '../../src/market/synth/instrument-profile.ts'
import { volatilityBp } from '../../src/market/synth/instrument-profile.ts'
import { openSynthesiser, Synthesiser } from '../../src/market/synth/synthesiser.ts'
import { eventTexts, synthesise, synthInstruments } from '../../src/tape/synth/synthesis.ts'
import type { EventDraft, Instrument } from '../../src/tape/tape-event.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { recordOf } from '../fixtures/market-recorder.ts'
import { BTC, readTape } from '../fixtures/sample-tape.ts'
import { sharedTape } from '../fixtures/shared-tapes.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const MINUTE_MS = 60_000
const at = temporaryFolder()

test('the synthesised market continues as before its cascade', () => {
  const events = [...synthesise({ seed: 1, minutes: 12 })]
  const startMs = events[0]?.time ?? 0
  const instruments = synthInstruments()
  const records = instruments.map((each) =>
    recordOf(events, each, [startMs, startMs + 12 * MINUTE_MS]),
  )
  const grown = grownFrom(records, instruments, 10)
  for (const [place, record] of records.entries()) {
    const [before, after] = [measuresOf(record), measuresOf(grown[place] as CoinRecord)]
    const isMajor = place < 3
    expect(perS(after) / perS(before)).toBeWithin(isMajor ? 0.5 : 0.3, isMajor ? 2 : 3)
    expect(ratio(after.orderUsd, before.orderUsd)).toBeWithin(isMajor ? 0.3 : 0.2, isMajor ? 3 : 5)
    expect(ratio(after.volatilityBp, before.volatilityBp)).toBeWithin(0.5, 2)
    expect(ratio(after.refreshMs, before.refreshMs)).toBeWithin(0.7, 1.4)
    booksAreAlike(before, after)
    expect(after.px / before.px).toBeWithin(0.95, 1.05)
  }
})

const native = sharedTape('venue-native/btcusd_20250126.gz')

test.skipIf(native.absent)(
  `a real tape of 25 seconds continues as it was${native.reason}`,
  async () => {
    await importTape([native.path], at('native.zst'))
    const { before, after } = await grownTape(at('native.zst'))
    expect(before.spanS).toBeLessThan(30)
    expect(perS(after) / perS(before)).toBeWithin(0.3, 3)
    expect(ratio(after.orderUsd, before.orderUsd)).toBeWithin(0.4, 2.5)
    // In 25 seconds, a price that hardly moves is weak evidence about the next minutes.
    expect(ratio(after.volatilityBp, before.volatilityBp)).toBeWithin(0.7, 9)
    expect(after.volatilityBp).toBeWithin(0.1, 1)
    booksAreAlike(before, after)
  },
)

const futures = sharedTape('usdm/usdm_btcusdt_20240808.gz')

test.skipIf(futures.absent)(`a busy real tape continues as it was${futures.reason}`, async () => {
  await importTape([futures.path], at('futures.zst'))
  const { before, after } = await grownTape(at('futures.zst'))
  expect(before.tickUnits).toBe(1)
  expect(perS(after) / perS(before)).toBeWithin(0.4, 2)
  expect(ratio(after.orderUsd, before.orderUsd)).toBeWithin(0.6, 1.7)
  expect(ratio(after.volatilityBp, before.volatilityBp)).toBeWithin(0.5, 2.2)
  booksAreAlike(before, after)
})

test('an instrument without observations gets the usual profile', () => {
  const profile = calibrate(recordOf([], BTC, [0, 25_000]))
  expect(volatilityBp(profile)).toBeWithin(0.9, 1.8)
  expect(profile.ordersPerS).toBeWithin(0.001, 1)
  expect(profile.levels).toBeGreaterThan(40)
  expect(Object.values(profile).filter((value) => Number.isNaN(value))).toEqual([])
  const spot: Instrument = { ...BTC, coin: '@7', kind: 'spot', pxDecimals: 6, szDecimals: 2 }
  expect(calibrate(recordOf([], spot, [0, 25_000]))).toMatchObject({
    interestUsd: 0,
    premium: 0,
    liquidations: 0,
  })
})

test('a few trades of a coin move its rate a little, many settle it', () => {
  const rate = (count: number) => {
    const trades: EventDraft[] = Array.from({ length: count }, (_, nth) => {
      const time = Math.floor((nth * 60_000) / count)
      return { time, kind: 'trade', coin: 'BTC', data: { side: 'B', px: '100', sz: '10' } }
    })
    const { ordersPerS, unusual } = calibrate(recordOf(trades, BTC, [0, 60_000]))
    return ordersPerS * (unusual?.activity ?? 1)
  }
  expect(rate(120) / rate(60)).toBeWithin(1.8, 2.2)
  expect(rate(2) / rate(1)).toBeWithin(1, 2)
})

test('weeks before a tape say what is usual, and its minutes what is not', () => {
  const trades: EventDraft[] = Array.from({ length: 600 }, (_, nth) => {
    const data = { side: nth % 2 ? 'A' : 'B', px: '100', sz: '10' } as const
    return { time: nth * 1000, kind: 'trade', coin: 'BTC', data }
  })
  const record = recordOf(trades, BTC, [0, 600_000])
  for (const usdPerS of [500, 4000]) {
    const { ordersPerS, orderUsd, unusual } = calibrate({ ...record, usual: { usdPerS } })
    expect((ordersPerS * orderUsd * 3.3) / usdPerS).toBeWithin(0.95, 1.05)
    expect((unusual?.activity ?? 1) * ordersPerS).toBeWithin(0.8, 2.2)
  }
})

test('coins have as much of the whole market as was found, and the rest of their own', () => {
  const own = (shared: number) => {
    const record = recordOf([], BTC, [0, 25_000])
    const moves = { dailyVolatility: 0.03, shared }
    const profile = calibrate({ ...record, instrument: { ...record.instrument, moves } })
    return (profile.ownBp / volatilityBp(profile)) ** 2
  }
  expect(own(0.89)).toBeWithin(0.2, 0.35)
  expect(own(0.72)).toBeWithin(0.48, 0.66)
  expect(own(0.98)).toBeWithin(0.04, 0.1)
})

/** Measures of instruments over so many minutes after a recording. */
function grownFrom(
  records: readonly CoinRecord[],
  instruments: readonly Instrument[],
  minutes: number,
): CoinRecord[] {
  const startMs = records[0]?.toMs ?? 0
  const openings = records.map((record) => ({
    profile: calibrate(record),
    book: record.books.at(-1) ?? { bids: [], asks: [] },
    lastPx: record.lastPx,
    oraclePx: null,
    premium: record.premium ?? 0,
    openInterestLots: record.openInterestLots ?? 0,
  }))
  const wandering = { key: 'line', sinceMs: startMs }
  const synthesiser = new Synthesiser(openSynthesiser('grown', startMs, openings, wandering))
  const textOf = eventTexts(instruments)
  const events = openings.map(({ profile: { coin }, book: { bids, asks } }) =>
    textOf({ kind: 'book', timeMs: startMs, coin, bids: [...bids], asks: [...asks] }),
  )
  for (let step = 0; step < minutes * 600; step++)
    for (const event of synthesiser.step()) events.push(textOf(event))
  return instruments.map((each) => recordOf(events, each, [startMs, startMs + minutes * 60_000]))
}

async function grownTape(file: string): Promise<{ before: CoinMeasures; after: CoinMeasures }> {
  const { header } = await openTape(file)
  const events = await readTape(file)
  const records = header.instruments.map((each) =>
    recordOf(events, each, [header.startMs, header.endMs]),
  )
  const [before, after] = [records, grownFrom(records, header.instruments, 10)].map(([record]) =>
    measuresOf(record as CoinRecord),
  )
  return { before: before as CoinMeasures, after: after as CoinMeasures }
}

function booksAreAlike(before: CoinMeasures, after: CoinMeasures): void {
  expect(ratio(after.book?.spreadTicks, before.book?.spreadTicks)).toBeWithin(0.6, 1.7)
  expect(ratio(after.book?.gapTicks, before.book?.gapTicks)).toBeWithin(0.5, 2.5)
  expect(ratio(after.book?.near.usd, before.book?.near.usd)).toBeWithin(0.4, 3.5)
  // Truncated books are completed.
  if ((before.book?.levels ?? 0) > 30)
    expect(ratio(after.book?.levels, before.book?.levels)).toBeWithin(0.7, 1.5)
}

function perS({ orders, spanS }: CoinMeasures): number {
  return orders / spanS
}

function ratio(one: number | null | undefined, other: number | null | undefined): number {
  return (one ?? Number.NaN) / (other ?? Number.NaN)
}
