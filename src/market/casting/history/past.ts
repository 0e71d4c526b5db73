/** The days before the tape: what every instrument did in each of their minutes. */
import coinMarkets from '../../../../seed/coin-markets.json' with { type: 'json' }
import { DAY_MS } from '../../../clock/instant.ts'
import { type Px, pow10, px as price, raw } from '../../../decimal/quantity.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { levelPath, openInterestPath } from '../../bars/level-path.ts'
import { activityAt, HOUR_EXPONENT, regimeLeft, unusualLeft } from '../../bars/market-regimes.ts'
import type { MarketTraits, MinuteMoves } from '../../bars/minute-moves.ts'
import {
  BAR_MS,
  type BarColumns,
  barAt,
  type MinuteBar,
  priceIn,
  reachedIn,
} from '../../bars/past-bars.ts'
import { type Candle, type CandleRun, recordedPast } from '../../bars/recorded-past.ts'
import { movesInTurn } from '../../bars/typical-month.ts'
import { type CrowdPath, crowdAlong } from '../../crowd/leveraged-crowd.ts'
import { type InstrumentRow, pxText } from '../../schema/schema.ts'
import type { MarketState } from '../market/market-state.ts'
import { type HistoryInput, type InputCandle, parseNearest } from '../tape-input.ts'
import { type BarSource, drawBars } from './drawn-bars.ts'

/** Default length of the history. */
export const HISTORY_MS = 30 * 86_400_000

/** Spot stays this close to the perpetual on the same asset, and reverts within minutes. */
const BASIS = [{ sd: 0.0006, halfLife: 20 }]

/** One instrument before the tape. */
export class MarketPast {
  constructor(
    readonly market: MarketState,
    /** Bars of all traders together. */
    readonly bars: BarColumns,
    /** Open interest of each minute, relative to the final one. */
    readonly interest: Float64Array,
    /** The crowd after each minute; null without positions. */
    readonly crowd: CrowdPath | null,
    /** Start of the tape. */
    private readonly endMs: number,
    /** The user's candles that the bars are cut from. */
    readonly run: CandleRun | null = null,
  ) {}

  /** The price at an instant before the tape. */
  pxAt(timeMs: number): Px {
    return this.market.onTick(priceIn(this.barAt(timeMs), this.offset(timeMs)))
  }

  /** A price, clamped to the range of an instant's minute. */
  within(px: Px, timeMs: number): Px {
    const { low, high } = this.barAt(timeMs)
    return price(Math.min(high, Math.max(low, raw(px))))
  }

  /** Time at which the price reaches another in the rest of an instant's minute; or undefined. */
  reachedMs(px: number, above: boolean, timeMs: number): number | undefined {
    const offsetMs = this.offset(timeMs)
    const reached = reachedIn(this.barAt(timeMs), px, above, offsetMs)
    return reached === undefined ? undefined : timeMs + Math.ceil(reached - offsetMs)
  }

  /** Taker buys' share in the volume of an instant's minute. */
  boughtShare(timeMs: number): number {
    const { bought, sold } = this.barAt(timeMs)
    return bought + sold > 0 ? bought / (bought + sold) : 0.5
  }

  /** Logarithmic returns from close to close. */
  returns(): Float64Array {
    const { close, open } = this.bars
    return close.map((px, at) => Math.log(px / ((at > 0 ? close[at - 1] : open[0]) as number)))
  }

  /** The bar of an instant's minute. */
  barAt(timeMs: number): MinuteBar {
    return barAt(this.bars, this.minuteOf(timeMs))
  }

  /** Index of an instant's minute. */
  minuteOf(timeMs: number): number {
    const minute = Math.floor((timeMs - this.startMs) / BAR_MS)
    return Math.min(this.minutes - 1, Math.max(0, minute))
  }

  private offset(timeMs: number): number {
    const sinceMs = Math.min(Math.max(0, timeMs - this.startMs), this.minutes * BAR_MS - 1)
    return sinceMs % BAR_MS
  }

  private get startMs(): number {
    return this.endMs - this.minutes * BAR_MS
  }

  private get minutes(): number {
    return this.bars.close.length
  }
}

/**
 * Makes the past of each instrument that the tape prices, from its candles where there are some.
 *
 * @param source draws the other bars, possibly while the next moves are made
 */
export async function pastsOf(
  markets: readonly MarketState[],
  endMs: number,
  random: RandomSource,
  histories: readonly HistoryInput[] = [],
  historyMs: number = HISTORY_MS,
  source: BarSource = { draw: drawBars },
): Promise<MarketPast[]> {
  for (const { coin, file } of histories)
    if (!markets.some(({ row }) => row.coin === coin))
      throw new UserError(`${file}: the tape has no price of ${coin} to continue the candles`)
  const usualAt = movesInTurn(
    markets.map(({ row }) => traitsOf(row)),
    historyMs / BAR_MS,
    endMs,
    random.fork('moves'),
  )
  const left = Float64Array.from({ length: historyMs / BAR_MS }, (_, at) =>
    regimeLeft(historyMs / BAR_MS - at),
  )
  const led: MinuteMoves[] = []
  const movesAt = (place: number) => {
    led[place] ??= leadingTo(
      usualAt(place),
      left,
      unusualVolatility(markets[place] as MarketState, endMs),
    )
    return led[place]
  }
  const runs = markets.map((market) => {
    const history = histories.find(({ coin }) => coin === market.row.coin)
    return history ? candleRun(market, history, { startMs: endMs - historyMs, endMs }) : null
  })
  const recorded = markets.map((market, place) => {
    const run = runs[place]
    if (!run) return null
    const own = random.fork(market.row.coin).fork('recorded')
    return recordedPast(run, movesAt(place), scaleOf(market, endMs), own)
  })
  const pasts = markets.map(async (market, place) => {
    const known = recorded[place]
    const own = random.fork(market.row.coin)
    if (known) {
      const moves = moved(movesAt(place), known)
      const crowd = crowdOf(market, moves)
      const interest = openInterest(market, moves, crowd, own.fork('interest'))
      return new MarketPast(market, known, interest, crowd, endMs, runs[place])
    }
    const leader = leaderOf(market, markets)
    const leading = leader < 0 ? null : moved(movesAt(leader), recorded[leader])
    const moves = leading ? follow(movesAt(place), leading, own) : movesAt(place)
    const { onTick: _, ...scale } = scaleOf(market, endMs)
    const drawing = source.draw({ moves, scale, priced: market.row, source: own.key })
    const crowd = crowdOf(market, moves)
    const interest = openInterest(market, moves, crowd, own.fork('interest'))
    return new MarketPast(market, await drawing, interest, crowd, endMs)
  })
  return Promise.all(pasts)
}

/** So many minutes of a tape weigh as much as the usual volatility; and the bound of the excess. */
const EQUAL_MINUTES = 10
const UNUSUAL_MOST = 4

/** Volatility of an instrument's tape relative to the usual at its hour. */
function unusualVolatility({ row, survey: { volatility } }: MarketState, endMs: number): number {
  if (!volatility || volatility.ofMinute === 0) return 1
  const byHour = activityAt(traitsOf(row).trading, endMs) ** HOUR_EXPONENT
  const seen = volatility.ofMinute / minuteSigmaOf(row) / byHour
  const weight = volatility.minutes / (volatility.minutes + EQUAL_MINUTES)
  return Math.min(UNUSUAL_MOST, Math.max(1 / UNUSUAL_MOST, seen)) ** weight
}

/** The moves as they lead to a tape of unusual volatility. */
function leadingTo(
  { returns, sigma, turnover }: MinuteMoves,
  left: Float64Array,
  unusual: number,
): MinuteMoves {
  const scaled = (one: number, at: number) => one * unusualLeft(unusual, left[at] as number)
  return { returns: returns.map(scaled), sigma: sigma.map(scaled), turnover }
}

const crowdOf = ({ row, isPerp }: MarketState, { returns }: MinuteMoves): CrowdPath | null =>
  isPerp ? crowdAlong(returns, row.maxLeverage) : null

/** Open interest of each minute, relative to the final one: the crowd's closings change it. */
function openInterest(
  { row }: MarketState,
  moves: MinuteMoves,
  crowd: CrowdPath | null,
  random: RandomSource,
): Float64Array {
  const path = openInterestPath(moves.returns, minuteSigmaOf(row), random)
  if (!crowd) return path
  const { held } = crowd
  const last = held.at(-1) ?? 1
  return path.map((one, at) => (one * (held[at] as number)) / last)
}

/** Moves of an instrument with known candles are taken from these. */
function moved(moves: MinuteMoves, known: BarColumns | null | undefined): MinuteMoves {
  if (!known) return moves
  const returns = known.close.map((close, at) => Math.log(close / (known.open[at] as number)))
  return { returns, sigma: moves.sigma, turnover: moves.turnover }
}

/** Index of the perpetual that a spot pair follows; -1 without one. */
function leaderOf({ row: { kind, base } }: MarketState, markets: readonly MarketState[]): number {
  if (kind !== 'spot') return -1
  return markets.findIndex(({ row }) => row.base === base && row.kind === 'perp')
}

function follow(own: MinuteMoves, leader: MinuteMoves, random: RandomSource): MinuteMoves {
  const { level } = levelPath(BASIS, own.returns.length, random.fork('basis'))
  // Arrives at 0 at the end, where the tape gives both prices.
  const change = (_: number, at: number) => (level[at + 1] ?? 0) - (level[at] as number)
  const returns = leader.returns.map((move, at) => move + change(move, at))
  return { returns, sigma: leader.sigma, turnover: own.turnover }
}

function scaleOf(market: MarketState, endMs: number) {
  const { row, survey } = market
  const unit = pow10(6) / pow10(row.pxDecimals) / pow10(row.szDecimals)
  return {
    endPx: raw(market.px),
    onTick: (px: number) => raw(market.onTick(px)),
    lot: raw(survey.lot),
    // The tape's turnover is that of its hour; bars are planned from the weekly mean.
    minuteWorth: (60 * survey.usdPerSecond) / activityAt(traitsOf(row).trading, endMs) / unit,
    tradeWorth: survey.meanTradeUsd / unit,
  }
}

/** Candles of a user's file, as the part of an instrument's past that leads to the tape. */
const HOUR_MS = 60 * BAR_MS
/** Largest price change in an hour without candles; it grows with the root of the time. */
const HOURLY_CHANGE_MAX = 0.05

/**
 * The candles within the past.
 *
 * Prices are rounded to valid ones, volumes to lots. Candles that end too long before the tape, or
 * at a price unlike the tape's first one, are a UserError.
 */
function candleRun(
  market: MarketState,
  history: HistoryInput,
  past: { startMs: number; endMs: number },
): CandleRun {
  const { candles, lengthMs, file } = history
  const before = candles.filter(({ timeMs }) => timeMs + lengthMs <= past.endMs)
  const last = before.at(-1)
  if (!last)
    throw new UserError(
      `${file}: line ${candles[0]?.line}, time: the candles begin at ` +
        `${isoOf(candles[0]?.timeMs)}, and the tape at ${isoOf(past.endMs)}: a history ends there`,
    )
  checkEnd(market, history, last, past.endMs)
  const within = flatFilled(
    before.filter(({ timeMs }) => timeMs >= past.startMs),
    lengthMs,
  )
  return {
    candles: within.map((candle) => unitsOf(market, candle)),
    minutesEach: lengthMs / BAR_MS,
    firstMinute: ((within[0] ?? last).timeMs - past.startMs) / BAR_MS,
  }
}

/** The candles, and in each gap flat ones without volume at the close before it. */
function flatFilled(candles: readonly InputCandle[], lengthMs: number): InputCandle[] {
  const filled: InputCandle[] = []
  for (const candle of candles) {
    const last = filled.at(-1)
    const { close: open, line } = last ?? candle
    const flat = { line, open, high: open, low: open, close: open, volume: '0' }
    for (
      let timeMs = (last ?? candle).timeMs + lengthMs;
      timeMs < candle.timeMs;
      timeMs += lengthMs
    )
      filled.push({ ...flat, timeMs })
    filled.push(candle)
  }
  return filled
}

function checkEnd(
  market: MarketState,
  { file, lengthMs, coin }: HistoryInput,
  { line, timeMs, close }: InputCandle,
  endMs: number,
): void {
  const gapMs = endMs - (timeMs + lengthMs)
  // A candle still open when the tape begins is left out, so its length may be missing.
  const gapMaxMs = Math.max(HOUR_MS, lengthMs)
  if (gapMs > gapMaxMs)
    throw new UserError(
      `${file}: line ${line}, time: the candles of ${coin} end at ${isoOf(timeMs + lengthMs)}, ` +
        `${text(gapMs / HOUR_MS)} h before the tape begins at ${isoOf(endMs)}: at most ` +
        `${text(gapMaxMs / HOUR_MS)} h may be missing`,
    )
  const [closePx, firstPx] = [raw(pxOf(market, close)), raw(market.px)]
  const change = firstPx / closePx - 1
  const changeMax = HOURLY_CHANGE_MAX * Math.sqrt(Math.max(1, gapMs / HOUR_MS))
  if (Math.abs(change) > changeMax)
    throw new UserError(
      `${file}: line ${line}, close: the candles of ${coin} end at ${close}, and the tape begins ` +
        `at ${pxText(market.row, market.px)}, ${text(100 * change)} % away: at most ` +
        `${text(100 * changeMax)} % is taken for one market in one unit`,
    )
}

function unitsOf(market: MarketState, { open, high, low, close, volume }: InputCandle): Candle {
  const lot = raw(market.survey.lot)
  const size = parseNearest(volume, market.row.szDecimals)
  return {
    open: raw(pxOf(market, open)),
    high: raw(pxOf(market, high)),
    low: raw(pxOf(market, low)),
    close: raw(pxOf(market, close)),
    volume: Math.round(size / lot) * lot,
  }
}

const pxOf = (market: MarketState, decimal: string) =>
  market.onTick(parseNearest(decimal, market.row.pxDecimals))

const isoOf = (timeMs = Number.NaN): string => new Date(timeMs).toISOString()

const text = (value: number): string => String(Number(value.toPrecision(3)))

/** Meme coins have a common factor of their own. */
const MEMES = [
  'DOGE',
  'kPEPE',
  'kSHIB',
  'kBONK',
  'PEPE',
  'SHIB',
  'BONK',
  'WIF',
  'TRUMP',
  'FARTCOIN',
]
/** Correlation of other coins with the market, and of memes with one another. */
const SHARES = { market: 0.74, memesMarket: 0.7, memes: 0.38 }

interface KnownMarket {
  dailyVolatility: number
  marketShare: number
  sector?: string
  sectorShare?: number
}

const KNOWN: Record<string, KnownMarket> = coinMarkets

/** Moves of an instrument: known ones, else estimated from the venue's metadata. */
export function traitsOf({ coin, kind, base, dex, maxLeverage }: InstrumentRow): MarketTraits {
  // The venue grants high leverage to quiet instruments, so its limit implies the volatility.
  const byLeverage = Math.min(0.06, 0.013 + 0.56 / Math.max(maxLeverage, 8))
  if (dex !== '')
    return {
      ...NO_SECTOR,
      coin,
      dailyVolatility: 0.4 * byLeverage,
      marketShare: 0.25,
      trading: 'stock',
    }
  const { dailyVolatility, ...shares } = KNOWN[base] ?? {
    dailyVolatility: kind === 'spot' ? 0.05 : byLeverage,
    ...(MEMES.includes(base) ? MEME : { marketShare: SHARES.market }),
  }
  return { ...NO_SECTOR, coin, dailyVolatility, ...shares, trading: 'always' }
}

const NO_SECTOR = { sectorShare: 0, sector: '' }
const MEME = { marketShare: SHARES.memesMarket, sector: 'memes', sectorShare: SHARES.memes }

/** Usual standard deviation of a minute's return. */
export const minuteSigmaOf = (row: InstrumentRow): number =>
  traitsOf(row).dailyVolatility / Math.sqrt(DAY_MS / BAR_MS)
