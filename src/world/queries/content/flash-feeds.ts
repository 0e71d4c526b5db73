/** All feeds of industry flashes. */
import type { ContentFeed } from './content-feed.ts'
import { LEVEL_FEEDS } from './flashes/chart-levels.ts'
import type { Flash } from './flashes/flash-feed.ts'
import { LIQUIDATION_FEEDS } from './flashes/liquidations.ts'
import { OUTLOOK_FEEDS } from './flashes/market-outlook.ts'
import { POSITION_FEEDS } from './flashes/open-positions.ts'
import { OPTION_FEEDS } from './flashes/options.ts'
import { PRICE_FEEDS } from './flashes/prices.ts'
import { TURNOVER_FEEDS } from './flashes/turnover.ts'
import { WHALE_FEEDS } from './flashes/whales.ts'

export const FLASH_FEEDS: readonly ContentFeed<Flash>[] = [
  ...PRICE_FEEDS,
  ...LEVEL_FEEDS,
  ...TURNOVER_FEEDS,
  ...POSITION_FEEDS,
  ...WHALE_FEEDS,
  ...LIQUIDATION_FEEDS,
  ...OPTION_FEEDS,
  ...OUTLOOK_FEEDS,
]
