/** Liquidations of a pair by interval: the same rows as everywhere else, summed. */

import { tapeMs } from '../../../clock/instant.ts'
import type { HistoryQuery } from '../../../contract/facts/futures.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { LiquidationBucket } from '../../../contract/records/futures-history.ts'
import { add, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { contractLiquidations } from '../../exchanges/contract-liquidations.ts'
import type { Contract } from '../../exchanges/contracts.ts'
import { usdText } from '../../schema.ts'
import { intervalEdges } from '../../shown-time/interval-edges.ts'
import type { World } from '../../world.ts'

/** Oldest first; what intervals without liquidations show is an open question. */
export function liquidationHistoryOf(
  world: World,
  moment: Moment,
  contract: Contract,
  query: HistoryQuery,
): LiquidationBucket[] {
  const edges = intervalEdges(query, moment, world.meta.historyStartMs)
  const buckets = edges.slice(0, -1).map((timeMs) => ({
    timeMs,
    long: ZERO as Usd,
    short: ZERO as Usd,
    n: 0,
  }))
  const lengthMs = (edges[1] ?? 0) - (edges[0] ?? 0)
  const [fromMs, toMs] = [edges[0] ?? NEVER, edges.at(-1) ?? NEVER]
  for (const { timeMs, direction, value } of contractLiquidations(world, contract, fromMs, toMs)) {
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
