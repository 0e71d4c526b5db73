/** Derivatives on all exchanges: history, present state and books of pairs. */

import { DAY_MS, HOUR_MS, later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type {
  EstimatedLiquidationQuery,
  FuturesFacts,
  HistoryQuery,
  Moment,
  OpenInterestListQuery,
} from '../../../contract/facts.ts'
import type { FullDepth, GroupedDepth, LatestDepth } from '../../../contract/records/depth.ts'
import type {
  FuturesInterest,
  HistoryCandle,
  LiquidationBucket,
} from '../../../contract/records/futures-history.ts'
import { plainText } from '../../../contract/shown-value.ts'
import {
  add,
  divide,
  format,
  pow10,
  raw,
  type Sz,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { Book, PriceLevel } from '../../books/book.ts'
import { bookCacheOf } from '../../books/book-cache.ts'
import { priceIntervals } from '../../books/price-intervals.ts'
import { contractLiquidations } from '../../exchanges/contract-liquidations.ts'
import { derivedBook } from '../../exchanges/derived-books.ts'
import {
  coinMarginCandles,
  interestAt,
  openInterestCandles,
} from '../../exchanges/exchange-open-interest.ts'
import {
  aggregateOf,
  type Contract,
  contractOf,
  contractsOf,
  exchangeName,
  exchangesListing,
  motionsOf,
  type Pair,
  pairsOf,
  perpOfCoin,
  saltsOf,
} from '../../exchanges/exchanges.ts'
import { pairTally } from '../../exchanges/pair-tallies.ts'
import { stressOf } from '../../exchanges/venue-stress.ts'
import { bigintText, CNY_TENTHS, roundOff } from '../../formatting/decimal-text.ts'
import { openInterestValue } from '../../rows/open-interest.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { lastPx } from '../../rows/trade-rows.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText, usdText } from '../../schema/schema.ts'
import { intervalEdges, wholeStep } from '../../shown-time/time-grid.ts'
import type { World } from '../../world/world.ts'
import { estimatedLiquidationsOf } from './estimated-liquidations.ts'
import { candlesOf, fundingRatesOf, weightedFundingRatesOf } from './funding-rates.ts'

// Open interest over all exchanges.

/** Contracts settled in stablecoins, in the coin. */
function* stablecoinOpenInterest(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
): Slices<HistoryCandle[]> {
  const edges = intervalEdges(query, moment, firstTradeMs(world, of))
  const candles = yield* openInterestCandles(world, of, exchangesListing(world, of), edges)
  return candlesOf(edges, candles, (sz) => szText(of, sz))
}

/** Contracts settled in the coin, in dollars, valued at the last trade. null if none is listed. */
function* coinMarginOpenInterest(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
): Slices<HistoryCandle[] | null> {
  const edges = intervalEdges(query, moment, firstTradeMs(world, of))
  const candles = yield* coinMarginCandles(world, of, edges)
  return candles && candlesOf(edges, candles, (usd) => format(divide(raw(usd), CENT), 2))
}

/** Open interest of a contract at the ends of 24 hours and at present, size units. */
function* openInterestTrend(
  world: World,
  { atMs, shiftMs }: Moment,
  { instrument, exchange }: Contract,
): Slices<{ timeMs: TapeMs; sz: Sz }[]> {
  const hourMs = wholeStep(atMs, shiftMs, HOUR_MS)
  const times = Array.from({ length: 24 }, (_, at) => later(hourMs, (at - 23) * HOUR_MS))
  if (hourMs < atMs) times.push(atMs)
  const edges = [later(hourMs, -24 * HOUR_MS), ...times].map((timeMs) => later(timeMs, 1))
  const candles = yield* openInterestCandles(world, instrument, [exchange], edges)
  return times.flatMap((timeMs, at) => {
    const sz = candles[at]?.close
    return sz === undefined ? [] : { timeMs, sz }
  })
}

const CENT = pow10(MONEY_DECIMALS - 2)

const firstTradeMs = (world: World, of: InstrumentRow) =>
  tradeHoursOf(world).firstMs(of.id) ?? Number.POSITIVE_INFINITY

// The list of perpetual pairs by open interest (the service's documentation, Futures interest
// item).

/** One page; pairs without a trade yet are left out. */
function* openInterestListOf(
  world: World,
  moment: Moment,
  query: OpenInterestListQuery,
): Slices<FuturesInterest[]> {
  const listed: ListedPair[] = []
  for (const [key, contract] of contractsOf(world)) {
    const shown = shownOf(world, moment, contract)
    if (shown) listed.push({ key, contract, ...shown })
    yield
  }
  const first = (query.page - 1) * query.pageSize
  listed.sort((a, b) => Number(b.value - a.value))
  const records: FuturesInterest[] = []
  for (const one of listed.slice(first, first + query.pageSize)) {
    records.push(yield* listRecord(world, moment, query, one))
    yield
  }
  return records
}

/** Shown values of a pair. */
interface ShownOpenInterest {
  /** Value of the open interest, micro-dollars. */
  value: bigint
  /** Shown as `trade` (micro-dollars) and `vol_coin` (size units). */
  usd: bigint
  sz: Sz
}

function shownOf(world: World, moment: Moment, contract: Pair): ShownOpenInterest | null {
  const { atMs, answers } = moment
  const { instrument } = contract
  const px = lastPx(world, instrument, atMs)
  if (px === null) return null
  const sz = interestAt(world, contract, atMs) ?? ZERO
  const value = openInterestValue(instrument, sz, px)
  if (answers['futures-interest-fields'] !== 'turnover') return { value, usd: value, sz }
  const day = pairTally(world, contract, later(atMs, 1 - DAY_MS), later(atMs, 1))
  return { value, usd: day?.amount ?? 0n, sz: day?.size ?? ZERO }
}

interface ListedPair extends ShownOpenInterest {
  key: string
  contract: Pair
}

function* listRecord(
  world: World,
  moment: Moment,
  query: OpenInterestListQuery,
  { key, contract, usd, sz }: ListedPair,
): Slices<FuturesInterest> {
  const { instrument, exchange } = contract
  const trend = yield* openInterestTrend(world, moment, contract)
  const rate = query.currency === 'cny' ? CNY_TENTHS : 10n
  // In tenths of the currency.
  const cents = roundOff(usd * rate, 1 + MONEY_DECIMALS - 2)
  return {
    key,
    show: instrument.base,
    currency: exchange === null ? instrument.quote : 'USDT',
    market_name: exchangeName(exchange, query.language),
    trade: bigintText(cents, 2, 2),
    vol_coin: szText(instrument, sz),
    trend: trend.map(({ timeMs, sz: then }) => ({
      time: String(Math.floor(timeMs / 1000)),
      close: szText(instrument, then),
    })),
  }
}

// Books of pairs, of the tape's venue and of the exchanges derived from it.

/** The best levels of a pair's book, `size` a side; empty for an unknown pair. */
function latestDepthOf(world: World, atMs: TapeMs, dbKey: string, size: number): LatestDepth {
  const pair = pairOf(world, dbKey)
  const book = pair && pairBook(world, atMs, pair)
  const asks = book ? levels(book.asks.slice(0, size), pair.instrument) : []
  const bids = book ? levels(book.bids.slice(0, size), pair.instrument) : []
  return {
    max: size,
    asks,
    bids,
    now: plainText(book?.timeMs ?? atMs),
    result: 'success',
    length: asks.length + bids.length,
    ds: 1,
  }
}

/** All levels of a pair's book; null for an unknown pair. */
function fullDepthOf(world: World, atMs: TapeMs, dbKey: string): FullDepth | null {
  const pair = pairOf(world, dbKey)
  if (!pair) return null
  const book = pairBook(world, atMs, pair)
  return {
    timestamp: book?.timeMs ?? atMs,
    action: 'partial',
    bids: levels(book?.bids ?? [], pair.instrument),
    asks: levels(book?.asks ?? [], pair.instrument),
  }
}

/** A pair's book in intervals of `groupSize` dollars; null for an unknown pair. */
function groupedDepthOf(
  world: World,
  atMs: TapeMs,
  dbKey: string,
  groupSize: number,
): GroupedDepth | null {
  const pair = pairOf(world, dbKey)
  if (!pair) return null
  const book = pairBook(world, atMs, pair)
  const sides = book ? priceIntervals(book, pair.instrument, groupSize) : { bids: [], asks: [] }
  return { timestamp: book?.timeMs ?? atMs, action: 'partial', ...sides, groupSize }
}

const pairOf = (world: World, dbKey: string) => pairsOf(world).get(dbKey.toLowerCase())

function pairBook(world: World, atMs: TapeMs, pair: Pair): Book | null {
  const { instrument, exchange, market } = pair
  const book = bookCacheOf(world).at(instrument, atMs)
  if (book === null || exchange === null) return book
  const endMs = later(atMs, 1)
  return derivedBook(book, instrument, {
    exchange,
    basis: motionsOf(world)(exchange, instrument, market).basisAt(endMs),
    ownPx: tradeHoursOf(world).pxBefore(instrument.id, endMs),
    salt: saltsOf(world)(`book of ${instrument.coin} on ${exchange.key}/${market}`),
    timeMs: atMs,
    spread: stressOf(world)(instrument).spreadAt(atMs),
  })
}

const levels = (side: readonly PriceLevel[], of: InstrumentRow) =>
  side.map(({ px, sz }): [string, string] => [pxText(of, px), szText(of, sz)])

export class FuturesQueries implements FuturesFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  symbols() {
    return [...new Set([...contractsOf(this.world).keys(), ...pairsOf(this.world).keys()])]
  }

  latestDepth(dbKey: string, size: number) {
    return latestDepthOf(this.world, this.moment.atMs, dbKey, size)
  }

  fullDepth(dbKey: string) {
    return fullDepthOf(this.world, this.moment.atMs, dbKey)
  }

  groupedDepth(dbKey: string, groupSize: number) {
    return groupedDepthOf(this.world, this.moment.atMs, dbKey, groupSize)
  }

  *fundingRates(query: HistoryQuery) {
    const contract = contractOf(this.world, query.symbol)
    if (!contract || this.isUncovered(contract.instrument, query)) return contract && []
    return yield* fundingRatesOf(this.world, this.moment, contract, query)
  }

  *weightedFundingRates(query: HistoryQuery) {
    const perp = aggregateOf(this.world, query.symbol)
    if (!perp || this.isUncovered(perp, query)) return perp && []
    return yield* weightedFundingRatesOf(this.world, this.moment, perp, query)
  }

  *stablecoinOpenInterest(query: HistoryQuery) {
    const perp = perpOfCoin(this.world, query.symbol)
    if (!perp || this.isUncovered(perp)) return perp && []
    return yield* stablecoinOpenInterest(this.world, this.moment, perp, query)
  }

  *coinMarginOpenInterest(query: HistoryQuery) {
    const perp = perpOfCoin(this.world, query.symbol)
    return perp && (yield* coinMarginOpenInterest(this.world, this.moment, perp, query))
  }

  *liquidations(query: HistoryQuery) {
    const contract = contractOf(this.world, query.symbol)
    return contract && (yield* liquidationHistoryOf(this.world, this.moment, contract, query))
  }

  *estimatedLiquidations(query: EstimatedLiquidationQuery) {
    const contract = contractOf(this.world, query.symbol)
    return contract && (yield* estimatedLiquidationsOf(this.world, this.moment, contract, query))
  }

  openInterestList(query: OpenInterestListQuery) {
    return openInterestListOf(this.world, this.moment, query)
  }

  /** Whether the service is observed to have no rows here (question `history-coverage`). */
  private isUncovered({ base }: InstrumentRow, funding?: HistoryQuery): boolean {
    if (this.moment.answers['history-coverage'] === 'all') return false
    return base !== 'BTC' || (funding !== undefined && !KNOWN_INTERVALS.includes(funding.interval))
  }
}

/** Intervals of funding rates with observed rows. */
const KNOWN_INTERVALS = ['5m', '15m', '30m', '8h']

// Liquidations of a pair by interval: sums of the same rows as elsewhere.

/** Oldest first; intervals without liquidations follow an open question. */
function* liquidationHistoryOf(
  world: World,
  moment: Moment,
  contract: Contract,
  query: HistoryQuery,
): Slices<LiquidationBucket[]> {
  const edges = intervalEdges(query, moment, firstTradeMs(world, contract.instrument))
  const buckets = edges.slice(0, -1).map((timeMs) => ({
    timeMs,
    long: ZERO as Usd,
    short: ZERO as Usd,
    n: 0,
  }))
  const lengthMs = (edges[1] ?? 0) - (edges[0] ?? 0)
  const [fromMs, toMs] = [edges[0] ?? NEVER, edges.at(-1) ?? NEVER]
  const found = yield* contractLiquidations(world, contract, fromMs, toMs)
  for (const { timeMs, direction, value } of found) {
    const bucket = buckets[Math.floor((timeMs - fromMs) / lengthMs)]
    if (!bucket) continue
    bucket[direction] = add(bucket[direction], value)
    bucket.n++
  }
  const shown = moment.answers['quiet-liquidations'] === 'zero' ? buckets : buckets.filter(hasAny)
  return shown.map(({ timeMs, long, short }) => ({
    time: timeMs,
    long_liquidation_usd: usdText(long),
    short_liquidation_usd: usdText(short),
  }))
}

const NEVER = tapeMs(0)

const hasAny = ({ n }: { n: number }) => n > 0
