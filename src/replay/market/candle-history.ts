/** The candles of a recording as `--history` reads them: for the time before the tape. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock/durations.ts'
import { CandleSeries } from '../../tape/candles/candle-series.ts'
import { UserError } from '../../user-error.ts'
import type { Findings } from './findings.ts'
import type { CandleFact } from './market-fact.ts'

/** Worlds go back so far. */
const PAST_MS = 30 * DAY_MS
/** A last price that lies farther from the tape's first one belongs to another market. */
const SEAM_MAX = 0.05

/** The text of a file of candles; null where no coin has any that reach the tape. */
export function historyText(
  series: ReadonlyMap<string, readonly CandleFact[][]>,
  { startMs, firstPrices }: { startMs: number; firstPrices: ReadonlyMap<string, string> },
  contradictions: Findings,
): { text: string; coins: string[] } | null {
  const lines: string[] = []
  const coins: string[] = []
  for (const [coin, ofCoin] of series) {
    const first = firstPrices.get(coin)
    if (first === undefined) continue
    const best = bestRun(ofCoin.map((candles) => lastRun(candles, startMs)))
    if (!best || !meets(best, first, contradictions)) continue
    coins.push(coin)
    for (const { startMs: t, open, high, low, close, volume } of best)
      lines.push([t, open, high, low, close, volume, coin].join(','))
  }
  if (lines.length === 0) return null
  return { text: `time,open,high,low,close,volume,coin\n${lines.join('\n')}\n`, coins }
}

/** The one that goes back furthest, within what a world has; of two alike the finer one. */
function bestRun(runs: readonly CandleFact[][]): CandleFact[] | undefined {
  const [best] = runs
    .filter((run) => run.length >= 2)
    .sort((a, b) => reach(b) - reach(a) || length(a) - length(b))
  return best
}

const length = (run: readonly CandleFact[]): number => run[0]?.lengthMs ?? 0
const reach = (run: readonly CandleFact[]): number => Math.min(PAST_MS, run.length * length(run))

/** The last candles without a gap, if they reach the tape. */
function lastRun(candles: readonly CandleFact[], startMs: number): CandleFact[] {
  const lengthMs = candles[0]?.lengthMs ?? 0
  if (lengthMs < MINUTE_MS || lengthMs > DAY_MS || DAY_MS % lengthMs !== 0) return []
  const past = candles.filter((candle) => candle.startMs + lengthMs <= startMs)
  let run: CandleFact[] = []
  let series = new CandleSeries('', null)
  for (const [at, candle] of past.entries()) {
    const before = run.at(-1)
    const isNext = before === undefined || candle.startMs - before.startMs === lengthMs
    if (!isNext || !isTaken(series, candle, at)) {
      run = []
      series = new CandleSeries('', null)
      isTaken(series, candle, at)
    }
    run.push(candle)
  }
  const endMs = (run.at(-1)?.startMs ?? 0) + lengthMs
  return startMs - endMs <= Math.max(HOUR_MS, lengthMs) ? run : []
}

/** A gap, or prices that cannot follow one another, begin another run. */
function isTaken(series: CandleSeries, candle: CandleFact, line: number): boolean {
  const { startMs: timeMs, open, high, low, close, volume } = candle
  try {
    series.add({ line, timeMs, open, high, low, close, volume }, 'milliseconds')
    return true
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}

function meets(run: readonly CandleFact[], first: string, contradictions: Findings): boolean {
  const { coin, close } = run.at(-1) as CandleFact
  const isNear = Math.abs(Number(close) / Number(first) - 1) <= SEAM_MAX
  if (!isNear)
    contradictions.note(
      'candles that end far from the first price',
      `${coin}: the last one closed at ${close}, and the first price is ${first}`,
    )
  return isNear
}
