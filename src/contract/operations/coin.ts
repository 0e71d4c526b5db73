/** Operations of the coin group. */
import type { Operation } from '../operation.ts'
import { coinConfig } from './coin/config.ts'
import { coinList } from './coin/list.ts'
import { coinTicker } from './coin/ticker.ts'

export const COIN = {
  list: coinList,
  ticker: coinTicker,
  config: coinConfig,
} satisfies Record<string, Operation>
