import type { Sz } from '../../decimal/quantity.ts'
import { type ForcedClosing, forcedClosings } from '../../market/forced-closings.ts'
import type { RandomSource } from '../../random/random-source.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import { liquidationsPerHour } from '../casting/history/crowd-liquidations.ts'
import type { MarketState } from '../casting/market/market-state.ts'

const MINUTE_MS = 60_000
/** Moves of an hour bear on a minute's, and the minutes before carry some of theirs on. */
const MINUTES = 75
/** Of what all are long, no liquidation of the crowd closes more. */
const SHARE_MOST = 0.004

/** Has a position of the crowd closed by force. */
type Close = (market: MarketState, position: 'long' | 'short', sz: Sz) => void

/** The crowd's liquidations: always some, many more when prices run against it. */
export class CrowdClosings {
  constructor(
    private readonly context: CastingContext,
    /** The least that is told, micro-dollars, by instrument.id. */
    private readonly leastUsd: readonly number[],
    private readonly random: RandomSource,
    private readonly close: Close,
  ) {}

  /** After a minute of the clock: plans what its move liquidates, within the next one. */
  planMinute(endMs: number): void {
    for (const market of this.context.markets) {
      if (!market.isPerp) continue
      const returns = market.memory.returns(MINUTES)
      if (returns.length === 0) continue
      const own = this.random.fork(`${market.row.coin} ${endMs}`)
      const sigma = new Float64Array(returns.length).fill(expected(market, returns))
      const perHour = liquidationsPerHour(market.survey.usdPerSecond)
      const all = forcedClosings(returns, sigma, perHour, own.fork('closings'))
      for (const closing of all)
        if (closing.minute === returns.length - 1) this.plan(market, closing, endMs, own)
    }
  }

  private plan(
    market: MarketState,
    { position, size }: ForcedClosing,
    endMs: number,
    random: RandomSource,
  ): void {
    const { tasks } = this.context
    tasks.put(endMs + random.between(1, MINUTE_MS - 1), () => {
      const wanted = size * (this.leastUsd[market.row.id] ?? 0)
      const most = SHARE_MOST * market.value(market.crowdLong)
      const usd = Math.min(wanted, most)
      if (usd > 0) this.close(market, position, market.sizeFor(usd))
    })
  }
}

/** The deviation of a minute as it was usual for long, and lately: who is left has borne that. */
function expected({ memory }: MarketState, returns: Float64Array): number {
  const lately = returns.reduce((sum, move) => sum + move ** 2, 0) / returns.length
  return Math.sqrt((memory.deviation(MINUTE_MS) ** 2 + lately) / 2)
}
