/** Candles with the part that takers bought: the same buckets and trades as candleSnapshot. */

import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { TakerKlineQuery } from '../../../../contract/facts/perpdex/order-flow.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { TakerKline } from '../../../../contract/records/order-flow.ts'
import { spanMs } from '../../../../contract/span.ts'
import { perWorld } from '../../../per-world.ts'
import { columns } from '../../../rows/columns.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import type { TradeTally } from '../../../rows/trade-tally.ts'
import { type InstrumentRow, pxText, szText, trade } from '../../../schema.ts'
import { wholeStep } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world.ts'

/** Oldest first. Where more than `limit` follow the start, an open question says which. */
export function takerKlinesOf(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: TakerKlineQuery,
) {
  const { atMs, shiftMs, answers } = moment
  const lengthMs = spanMs(query.interval)
  const startOf = (timeMs: TapeMs) => wholeStep(timeMs, shiftMs, lengthMs)
  const toMs = later(startOf(tapeMs(Math.min(query.endTimeMs ?? atMs, atMs))), lengthMs)
  const fromMs = startOf(tapeMs(query.startTimeMs ?? world.meta.historyStartMs))
  const isForward = query.startTimeMs !== undefined && answers['history-excess'] === 'oldest'
  const scan = { world, of, startOf, lengthMs, atMs, fromMs, toMs, limit: query.limit }
  return isForward ? scanForward(scan) : scanBackward(scan).reverse()
}

interface KlineScan {
  world: World
  of: InstrumentRow
  /** Where the bucket around an instant begins. */
  startOf: (timeMs: TapeMs) => TapeMs
  lengthMs: number
  atMs: TapeMs
  fromMs: TapeMs
  toMs: TapeMs
  limit: number
}

/** From the newest bucket that holds a trade. */
function scanBackward(scan: KlineScan): TakerKline[] {
  const { world, of, startOf, lengthMs, atMs, fromMs, toMs, limit } = scan
  const hours = tradeHoursOf(world)
  const klines: TakerKline[] = []
  let startMs = later(toMs, -lengthMs)
  while (startMs >= fromMs && klines.length < limit) {
    const tally = tallyOf(scan, startMs)
    if (tally.n > 0) {
      klines.push(takerKline(of, startMs, tally))
      startMs = later(startMs, -lengthMs)
      continue
    }
    const last = hours.lastBefore(of.id, tapeMs(Math.min(startMs, atMs + 1)))
    if (last === null) break
    startMs = startOf(last.timeMs)
  }
  return klines
}

/** From the oldest one. */
function scanForward(scan: KlineScan): TakerKline[] {
  const { world, of, startOf, lengthMs, atMs, fromMs, toMs, limit } = scan
  const klines: TakerKline[] = []
  let startMs = fromMs
  while (startMs < toMs && klines.length < limit) {
    const tally = tallyOf(scan, startMs)
    if (tally.n > 0) {
      klines.push(takerKline(of, startMs, tally))
      startMs = later(startMs, lengthMs)
      continue
    }
    const next = nextTradeMs(world).get(of.id, later(startMs, lengthMs), atMs)
    if (next === null) break
    startMs = startOf(next.timeMs)
  }
  return klines
}

function tallyOf({ world, of, lengthMs, atMs }: KlineScan, startMs: TapeMs): TradeTally {
  const toMs = tapeMs(Math.min(startMs + lengthMs, atMs + 1))
  return tradeHoursOf(world).tally(of.id, startMs, toMs)
}

function takerKline(of: InstrumentRow, openTime: number, tally: TradeTally): TakerKline {
  return {
    openTime,
    tc: tally.n,
    size: szText(of, tally.size),
    amount: tally.amountText,
    tcBuyer: tally.buyN,
    sizeBuyer: szText(of, tally.buySize),
    amountBuyer: tally.buyAmountText,
    open: pxText(of, tally.open),
    high: pxText(of, tally.high),
    low: pxText(of, tally.low),
    close: pxText(of, tally.close),
  }
}

const nextTradeMs = perWorld(({ db }) =>
  columns({ timeMs: trade.timeMs }).prepare<[instrument: number, fromMs: TapeMs, atMs: TapeMs]>(
    db,
    `from trade where instrument = ? and timeMs between ? and ? order by timeMs limit 1`,
  ),
)
