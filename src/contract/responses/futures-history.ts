/** What the operations about histories of pairs ask and answer. */
import type { Slices } from '../../clock/turns.ts'
import type { Facts } from '../facts.ts'
import { type Refusal, refuseSymbol } from '../refusal.ts'

type OfMoment = Pick<Facts, 'moment'>

interface HistoryParameters {
  symbol: string
  interval: string
  limit: number
  start_time?: number
  end_time?: number
}

/** The parameters as the facts take them. */
export const historyQueryOf = ({ start_time, end_time, ...rest }: HistoryParameters) => ({
  ...rest,
  startTimeMs: start_time,
  endTimeMs: end_time,
})

/** A history, or what the question `unknown-symbol` says when the symbol is not known. */
export function* historyOf<T>(
  history: Slices<T[] | null>,
  symbol: string,
  { moment }: OfMoment,
): Slices<T[] | Refusal<'symbol'>> {
  const rows = yield* history
  if (rows !== null) return rows
  return moment.answers['unknown-symbol'] === 'refuse' ? refuseSymbol(symbol) : []
}

/** As `historyOf`, where only bitcoin may be asked for (question `coin-margin-coins`). */
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
