/** Forced closings of a pair by interval: the same rows as everywhere else, summed. */

import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { HistoryQuery } from '../../../contract/facts/derivatives.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { LiquidationBucket } from '../../../contract/records/history.ts'
import { add, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { columns } from '../../rows/columns.ts'
import { liquidation, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import type { Contract } from './contracts.ts'
import { sharesOf } from './shares.ts'
import { edgesOf } from './window.ts'

/** Oldest first; what intervals without closings show is an open question. */
export function liquidationsOf(
  world: World,
  moment: Moment,
  { instrument, exchange }: Contract,
  query: HistoryQuery,
): LiquidationBucket[] {
  const edges = edgesOf(query, moment, world.meta.storyStartMs)
  const buckets = edges.slice(0, -1).map((timeMs) => ({
    timeMs,
    long: ZERO as Usd,
    short: ZERO as Usd,
    n: 0,
  }))
  const lengthMs = (edges[1] ?? 0) - (edges[0] ?? 0)
  const [fromMs, toMs] = [edges[0] ?? NEVER, edges.at(-1) ?? NEVER]
  const { liquidated } = sharesOf(world)
  for (const row of between(world).all(instrument.id, fromMs, toMs)) {
    const { id, timeMs, direction, notional } = row
    const bucket = buckets[Math.floor((timeMs - fromMs) / lengthMs)]
    if (!bucket) continue
    bucket[direction] = add(bucket[direction], liquidated(exchange, instrument, { id, notional }))
    bucket.n++
  }
  const shown = moment.answers['quiet-liquidations'] === 'zero' ? buckets : buckets.filter(has)
  return shown.map(({ timeMs, long, short }) => ({
    time: timeMs,
    long_liquidation_usd: usdText(long),
    short_liquidation_usd: usdText(short),
  }))
}

const NEVER = tapeMs(0)

const has = ({ n }: { n: number }) => n > 0

const { id, timeMs, direction, notional } = liquidation

const between = perWorld(({ db }) =>
  columns({ id, timeMs, direction, notional }).prepare<
    [instrument: number, fromMs: TapeMs, toMs: TapeMs]
  >(db, `from liquidation where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id`),
)
