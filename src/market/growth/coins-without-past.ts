/** Coins without a past: listed after the tape, or known only by prices, which go on as prices. */
import { DAY_MS } from '../../clock/instant.ts'
import { pow10, px as price, raw, sz as size, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { fundingDecimalsFor } from '../accounting/funding.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import { traitsOf } from '../casting/history/past.ts'
import type { MarketState } from '../casting/market/market-state.ts'
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

/** Time between two prices, at whole multiples of it. */
const EVERY_MS = 10_000

/** Whether an instrument had a price when its world was cast, and no market: it has no past. */
export function isPriceOnly(db: Database, { id, firstPx }: InstrumentRow): boolean {
  if (firstPx === null) return false
  return db.query('select 1 from bars where instrument = ? limit 1').get(id) === null
}

/** Schedules the prices of coins from an instant on; each walks by itself. */
export function continuePrices(
  context: CastingContext,
  coins: readonly MarketState[],
  random: RandomSource,
  fromMs: number,
): void {
  const walks = coins.map((market) => new PriceWalk(market, random.fork(market.row.coin)))
  if (walks.length === 0) return
  const next = (timeMs: number) => {
    context.tasks.put(timeMs, () => {
      for (const walk of walks) walk.step(context, timeMs)
      next(timeMs + EVERY_MS)
    })
  }
  next((Math.floor(fromMs / EVERY_MS) + 1) * EVERY_MS)
}

class PriceWalk {
  private readonly sigma: number
  private log = 0
  private readonly mark: number
  private readonly oracle: number

  constructor(
    private readonly market: MarketState,
    private readonly random: RandomSource,
  ) {
    this.sigma = traitsOf(market.row).dailyVolatility * Math.sqrt(EVERY_MS / DAY_MS)
    this.mark = raw(market.mark ?? market.oracle)
    this.oracle = raw(market.oracle)
  }

  /** Writes the next price, if it has changed. */
  step({ markPrices }: CastingContext, timeMs: number): void {
    const { market, random, sigma } = this
    this.log += sigma * random.normal()
    const [mark, oracle] = [this.at(this.mark), this.at(this.oracle)]
    if (mark === market.mark && oracle === market.oracle) return
    market.mark = mark
    markPrices.mark(market, timeMs, mark, oracle)
  }

  private at(from: number) {
    const { market, log } = this
    const px = market.onTick(from * Math.exp(log))
    return px > ZERO ? px : price(1)
  }
}
