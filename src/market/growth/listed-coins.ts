import { pow10, px as price, raw, sz as size } from '../../decimal/quantity.ts'
import { fundingDecimalsFor } from '../accounting/funding.ts'
import type { MarketSurvey } from '../casting/survey/tape-survey.ts'
import type { SettledListing } from '../events/event-kind.ts'
import type { TimedMarketEvent } from '../events/market-event.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { columnsOf } from '../schema/statements.ts'
import { calibrate } from '../synth/calibration.ts'
import type { InstrumentProfile } from '../synth/instrument-profile.ts'
import { usualMarket } from '../synth/instrument-profile.ts'
import type { Database } from '../world/database.ts'

/** A coin to be listed, and when. */
export interface Listing {
  event: SettledListing
  fromMs: number
}

/** The listings among events, in order of time. */
export const listingsAmong = (events: readonly TimedMarketEvent[]): Listing[] =>
  events
    .flatMap(({ event, fromMs }) => (event.kind === 'listing' ? { event, fromMs } : []))
    .sort((a, b) => a.fromMs - b.fromMs)

/** Adds instruments of future listings that are missing; they have no rows so far. */
export function addListed(db: Database, listings: readonly Listing[]): void {
  const names = columnsOf('instrument')
  const insert = db.query(
    `insert into instrument (${names.map((name) => `"${name}"`)})
     values (${names.map((name) => `$${name}`)})`,
  )
  for (const { event } of listings) {
    const all = db.query<InstrumentRow, []>('select * from instrument order by id').all()
    if (!all.some(({ coin }) => coin === event.coin)) insert.run(listedRow(event, all) as never)
  }
}

/** New coins get little leverage. */
const MAX_LEVERAGE = 5
/** Sum of the decimals of a perpetual's price and size. */
const PERP_DECIMALS = 6

function listedRow({ coin, px }: SettledListing, all: readonly InstrumentRow[]): InstrumentRow {
  const szDecimals = Math.max(0, Math.min(5, Math.floor(Math.log10(px)) + 1))
  const pxDecimals = PERP_DECIMALS - szDecimals
  const units = price(Math.max(1, Math.round(px * pow10(pxDecimals))))
  const main = all.filter(({ kind, dex }) => kind === 'perp' && dex === '')
  return {
    id: all.length,
    coin,
    kind: 'perp',
    dex: '',
    base: coin,
    quote: 'USDC',
    pxDecimals,
    szDecimals,
    maxLeverage: MAX_LEVERAGE,
    asset: 1 + Math.max(-1, ...main.map(({ asset }) => asset)),
    baseToken: null,
    quoteToken: null,
    fundingDecimals: fundingDecimalsFor(units, pxDecimals, szDecimals),
    tick: price(1),
    firstPx: units,
  }
}

/** Trading profile of a coin without any trades yet. */
export function listedMarket(
  { coin, kind, pxDecimals, szDecimals, tick, firstPx }: InstrumentRow,
  { event: { dayUsd }, fromMs }: Listing,
): { survey: MarketSurvey; profile: InstrumentProfile } {
  const instrument = { coin, kind, pxDecimals, szDecimals }
  const usdPerS = dayUsd / 86_400
  const { orderUsd } = usualMarket(instrument, usdPerS)
  const survey = {
    firstPx,
    tick,
    lot: size(1),
    tradeUsd: Math.round(orderUsd * 1e6),
    meanTradeUsd: Math.round(MEAN_TO_MEDIAN * orderUsd * 1e6),
    usdPerSecond: Math.round(usdPerS * 1e6),
    interest: null,
    premium: null,
  }
  const nothing = { trades: [], books: [], bookUpdates: 0, marks: [] }
  const profile = calibrate({
    instrument,
    fromMs,
    toMs: fromMs,
    ...nothing,
    openInterestLots: null,
    premium: null,
    lastPx: firstPx === null ? 0 : raw(firstPx),
    usual: { usdPerS },
  })
  return { survey, profile }
}

const MEAN_TO_MEDIAN = 3.4
