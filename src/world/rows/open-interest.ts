/** Open interest of the own venue: the sum of all long positions after each trade. */
import type { TapeMs } from '../../clock/instant.ts'
import type { Quantity, Sz, Usd } from '../../decimal/quantity.ts'
import { positionValue } from '../accounting/margin.ts'
import { perWorld } from '../per-world.ts'
import { type InstrumentRow, trade } from '../schema.ts'
import type { World } from '../world.ts'
import { columns, type RowOf } from './columns.ts'
import { StepSeries } from './step-series.ts'

/** Open interest of the own venue; null before the first trade. */
export function openInterestAt(world: World, of: InstrumentRow, atMs: TapeMs): Sz | null {
  return openInterestSizes(world).at(of, atMs)
}

const STEPS = columns({ timeMs: trade.timeMs, px: trade.px, sz: trade.interestAfter })
type Step = RowOf<typeof STEPS>

/** Open interest after each trade. */
export const openInterestSizes = perWorld(
  (world) =>
    new StepSeries(
      world,
      stepSource<Sz>(world, (_, { sz }) => sz),
    ),
)

/** The same valued at the trade's price. */
export const openInterestValues = perWorld(
  (world) =>
    new StepSeries(
      world,
      stepSource<Usd>(world, (of, { px, sz }) => positionValue(sz, px, of)),
    ),
)

function stepSource<Q extends Quantity>({ db }: World, value: (of: InstrumentRow, row: Step) => Q) {
  const from = 'from trade where instrument = ?'
  return {
    between: STEPS.prepare<[instrument: number, fromMs: TapeMs, toMs: TapeMs]>(
      db,
      `${from} and timeMs >= ? and timeMs < ? order by timeMs, id`,
    ),
    before: STEPS.prepare<[instrument: number, atMs: TapeMs]>(
      db,
      `${from} and timeMs <= ? order by timeMs desc, id desc limit 1`,
    ),
    value,
  }
}
