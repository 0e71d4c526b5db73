import { MINUTE_MS } from '../../../clock/durations.ts'
import { ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { TwapProgram } from '../../casting/agents/twap-program.ts'
import type { CastingContext } from '../../casting/casting-context.ts'
import type { MarketState } from '../../casting/market/market-state.ts'
import type { Database } from '../../database.ts'
import type { TwapRow } from '../../schema.ts'
import type { ToldWhales } from '../told-whales.ts'

const SLICE_MS = 30_000

/** Takes in the TWAPs that run at an instant; each goes on to its end. */
export function restoreTwaps(
  db: Database,
  context: CastingContext,
  atMs: number,
  random: RandomSource,
  whales: ToldWhales,
): void {
  const running = db.query<TwapRow, [number]>(
    `select * from twap where timeMs <= ?1 and (endMs is null or endMs > ?1) order by id`,
  )
  const executed = db.query<Executed, [number, number]>(
    `select coalesce(sum(sz), 0) as sz, coalesce(sum(notional), 0) as notional,
       max(timeMs) as lastMs from fill where twap = ? and timeMs <= ?`,
  )
  for (const row of running.all(atMs)) {
    const market = context.markets[row.instrument] as MarketState
    const holding = market.holdings.get(row.trader)
    if (!holding) continue
    const { sz, notional, lastMs } = executed.get(row.id, atMs) as Executed
    const program: TwapProgram = Object.assign(row, {
      holding,
      reduceOnly: Boolean(row.reduceOnly),
      randomize: Boolean(row.randomize),
      endMs: null,
      endStatus: null,
      executedSz: sz ?? ZERO,
      executedNotional: notional ?? ZERO,
      stopMs: Math.max(row.timeMs + row.minutes * MINUTE_MS, atMs + 1),
      stopStatus: 'finished' as const,
      isFed: whales.isTold(row, market),
    })
    const drawnMs = atMs + random.fork(String(row.id)).between(1, SLICE_MS)
    const dueMs = lastMs === null ? drawnMs : lastMs + SLICE_MS
    context.twaps.restore(program, dueMs > atMs ? dueMs : drawnMs)
  }
}

interface Executed {
  sz: TwapRow['executedSz']
  notional: TwapRow['executedNotional']
  lastMs: number | null
}
