/** Every declaration in coin/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { Operation } from '../operation.ts'
import { coinConfig } from './coin/config.ts'
import { coinList } from './coin/list.ts'
import { coinTicker } from './coin/ticker.ts'

export const COIN = {
  config: coinConfig,
  list: coinList,
  ticker: coinTicker,
} satisfies Record<string, Operation>
