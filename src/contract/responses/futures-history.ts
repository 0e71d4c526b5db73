/** Parameters and answers of the operations for histories of pairs. */
import type { Slices } from '../../clock/turns.ts'
import type { Facts } from '../facts.ts'
import type { Answers } from '../questions.ts'
import { type Refusal, refuseSymbol } from '../refusal.ts'

type OfMoment = Pick<Facts, 'moment'>

interface HistoryParameters {
  symbol: string
  interval: string
  limit: number
  start_time?: number
  end_time?: number
}

/** The parameters as a query to the facts. */
export const historyQueryOf = ({ start_time, end_time, ...rest }: HistoryParameters) => ({
  ...rest,
  startTimeMs: start_time,
  endTimeMs: end_time,
})

/** A history, or the answer of the question `unknown-symbol` for an unknown symbol. */
export function* historyOf<T>(
  history: Slices<T[] | null>,
  symbol: string,
  { moment }: OfMoment,
): Slices<T[] | Refusal<'symbol'>> {
  const rows = yield* history
  if (rows !== null) return rows
  return moment.answers['unknown-symbol'] === 'refuse' ? refuseSymbol(symbol) : []
}

/** As `historyOf`, restricted to bitcoin by the question `coin-margin-coins`. */
export function* bitcoinHistoryOf<T>(
  history: Slices<T[] | null>,
  symbol: string,
  facts: OfMoment,
): Slices<T[] | Refusal<'symbol' | 'bitcoinOnly'>> {
  const isOther = !symbol.toUpperCase().startsWith('BTC')
  if (isOther && facts.moment.answers['coin-margin-coins'] === 'btc')
    return { refused: 'bitcoinOnly' }
  return yield* historyOf(history, symbol, facts)
}

// Answers of the operations for depth by pair.

/** The answer for an unknown pair, by the question `unknown-pair`: refused, or an empty book. */
export function unknownPair<T extends object>(
  symbol: string,
  { moment }: Pick<Facts, 'moment'>,
  rest: T,
) {
  if (moment.answers['unknown-pair'] === 'refuse') return refuseSymbol(symbol)
  return { timestamp: moment.atMs, action: 'partial', bids: [], asks: [], ...rest }
}

// The days of a look-back period with an open default.

/** The days in force, or a refusal, where they may be absent (`window-days`). */
export function windowDays(
  days: number | undefined,
  answers: Answers,
): number | Refusal<'missing'> {
  if (days !== undefined) return days
  const usual = answers['window-days']
  return usual === 'refuse' ? { refused: 'missing', parameter: 'days' } : Number(usual)
}

/** The days in force, or a refusal, where they may be absent (`trader-period`). */
export function traderPeriod(
  days: number | undefined,
  answers: Answers,
): number | Refusal<'missing'> {
  if (days !== undefined) return days
  const usual = answers['trader-period']
  return usual === 'refuse' ? { refused: 'missing', parameter: 'period' } : Number(usual)
}

/** Chinese for `cn`, `tc`, `zh` and the codes 0 and 10 of the content lists; else English. */
export function languageOf(lan: string | number): 'cn' | 'en' {
  return /^(cn|tc|zh.*|0|10)$/i.test(String(lan)) ? 'cn' : 'en'
}
