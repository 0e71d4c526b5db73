/** All columns of industry flashes. */
import type { Column } from './column.ts'
import type { Flash } from './flashes/flash.ts'
import { LEVEL_FLASHES } from './flashes/levels.ts'
import { LIQUIDATION_FLASHES } from './flashes/liquidations.ts'
import { OPTION_FLASHES } from './flashes/options.ts'
import { OUTLOOK_FLASHES } from './flashes/outlook.ts'
import { POSITION_FLASHES } from './flashes/positions.ts'
import { PRICE_FLASHES } from './flashes/price.ts'
import { TURNOVER_FLASHES } from './flashes/turnover.ts'
import { WHALE_FLASHES } from './flashes/whales.ts'

export const FLASHES: readonly Column<Flash>[] = [
  ...PRICE_FLASHES,
  ...LEVEL_FLASHES,
  ...TURNOVER_FLASHES,
  ...POSITION_FLASHES,
  ...WHALE_FLASHES,
  ...LIQUIDATION_FLASHES,
  ...OPTION_FLASHES,
  ...OUTLOOK_FLASHES,
]
