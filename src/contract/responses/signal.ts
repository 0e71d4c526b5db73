/** What the operations about signals ask. */
import type { StrategyKey } from '../records/signal.ts'

/** What is asked of a strategy. */
export const strategyQueryOf = (query: {
  coin_type: string
  signal_key: StrategyKey
  latest_time?: string | undefined
}) => ({
  coinType: query.coin_type,
  key: query.signal_key,
  afterMs: query.latest_time === undefined ? undefined : Number(query.latest_time),
})
