/**
 * The last minutes before the tape: their bars are taken apart into single trades, which are cast
 * like the tape's own, so that lists of trades do not begin with the tape.
 */
import { sz } from '../../../decimal/quantity.ts'
import { BAR_MS } from '../../../market/minute-bar.ts'
import { minuteTrades } from '../../../market/minute-trades.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { pxText, szText } from '../../schema.ts'
import type { InputEvent } from '../tape-input.ts'
import type { MarketPast } from './past.ts'

export const DETAILED_MS = 5 * BAR_MS

/**
 * Trades from an instant on, in order of time, as events of a tape. Where the tape begins within a
 * minute, they are spread over what there is of that too.
 */
export function detailedMinutes(
  pasts: readonly MarketPast[],
  fromMs: number,
  untilMs: number,
  random: RandomSource,
): InputEvent[] {
  const events = pasts.flatMap((past) => {
    const own = random.fork(past.market.row.coin)
    const minutes = Array.from({ length: DETAILED_MS / BAR_MS }, (_, at) => fromMs + at * BAR_MS)
    return minutes.flatMap((minuteMs) => tradesOf(past, minuteMs, own))
  })
  const stretch = (untilMs - fromMs) / DETAILED_MS
  const spread = (time: number) => fromMs + Math.floor((time - fromMs) * stretch)
  return events
    .map((event) => ({ ...event, time: spread(event.time) }))
    .sort((a, b) => a.time - b.time)
}

function tradesOf(past: MarketPast, minuteMs: number, random: RandomSource): InputEvent[] {
  const { row, survey } = past.market
  const lot = Number(survey.lot)
  return minuteTrades(past.barAt(minuteMs), lot, random).map((trade) => ({
    kind: 'trade',
    coin: row.coin,
    seq: 0,
    time: minuteMs + trade.offsetMs,
    data: {
      side: trade.isBuy ? 'B' : 'A',
      px: pxText(row, past.market.onTick(trade.px)),
      sz: szText(row, sz(trade.size)),
    },
  }))
}
