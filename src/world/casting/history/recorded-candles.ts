/** Candles of a user's file, as a part of an instrument's past that leads to the tape. */
import { raw } from '../../../decimal/quantity.ts'
import type { Candle } from '../../../market/candle-cut.ts'
import { BAR_MS } from '../../../market/minute-bar.ts'
import type { CandleRun } from '../../../market/recorded-past.ts'
import { UserError } from '../../../user-error.ts'
import { pxText } from '../../schema.ts'
import type { HistoryInput, InputCandle } from '../history-input.ts'
import type { MarketState } from '../market/market-state.ts'
import { parseNearest } from '../tape-values.ts'

const HOUR_MS = 60 * BAR_MS
/** How far the price may go in an hour without candles; it grows with the root of the time. */
const HOURLY_CHANGE_MAX = 0.05

/**
 * The candles that lie within the past.
 *
 * Prices are rounded to those that the instrument can have, volumes to its lots. Candles that end
 * too long before the tape, or at another price than the tape begins with, are a UserError.
 */
export function candleRun(
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
  const within = before.filter(({ timeMs }) => timeMs >= past.startMs)
  return {
    candles: within.map((candle) => unitsOf(market, candle)),
    minutesEach: lengthMs / BAR_MS,
    firstMinute: ((within[0] ?? last).timeMs - past.startMs) / BAR_MS,
  }
}

function checkEnd(
  market: MarketState,
  { file, lengthMs, coin }: HistoryInput,
  { line, timeMs, close }: InputCandle,
  endMs: number,
): void {
  const gapMs = endMs - (timeMs + lengthMs)
  // A candle that goes on while the tape begins is left out, so its length may be missing.
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
