/** Every operation by group and name. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import { COIN } from './operations/coin.ts'
import { CONTENT } from './operations/content.ts'
import { DISTRIBUTOR } from './operations/distributor.ts'
import { FUTURES } from './operations/futures.ts'
import { INDEX } from './operations/index.ts'
import { INDICATOR } from './operations/indicator.ts'
import { MIX } from './operations/mix.ts'
import { PERPDEX } from './operations/perpdex.ts'
import { SIGNAL } from './operations/signal.ts'
import { STOCK } from './operations/stock.ts'

export const CONTRACT = {
  coin: COIN,
  content: CONTENT,
  distributor: DISTRIBUTOR,
  futures: FUTURES,
  index: INDEX,
  indicator: INDICATOR,
  mix: MIX,
  perpdex: PERPDEX,
  signal: SIGNAL,
  stock: STOCK,
}
