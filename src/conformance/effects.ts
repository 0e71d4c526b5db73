/** Effects of every parameter of every operation. */

import type { EffectTable } from './effects/effect.ts'
import { COIN_EFFECTS } from './groups/coin.ts'
import { CONTENT_EFFECTS } from './groups/content.ts'
import { DISTRIBUTOR_EFFECTS } from './groups/distributor/levels.ts'
import { FUTURES_EFFECTS } from './groups/futures/requirements.ts'
import { INDEX_EFFECTS } from './groups/indexes.ts'
import { INDICATOR_EFFECTS } from './groups/indicator.ts'
import { MIX_EFFECTS } from './groups/mix.ts'
import { ACCOUNT_EFFECTS } from './groups/perpdex/accounts.ts'
import { INFO_EFFECTS } from './groups/perpdex/info.ts'
import { MARKET_EFFECTS } from './groups/perpdex/market.ts'
import { POSITION_EFFECTS } from './groups/perpdex/positions.ts'
import { SEARCH_EFFECTS } from './groups/perpdex/search.ts'
import { TRADE_EFFECTS } from './groups/perpdex/trades.ts'
import { SIGNAL_EFFECTS } from './groups/signal/market-signals.ts'
import { STOCK_EFFECTS } from './groups/stock.ts'

/** By operation and parameter; test/conformance/effects.test.ts enforces completeness. */
export const EFFECTS: EffectTable = {
  ...COIN_EFFECTS,
  ...CONTENT_EFFECTS,
  ...DISTRIBUTOR_EFFECTS,
  ...FUTURES_EFFECTS,
  ...INDEX_EFFECTS,
  ...INDICATOR_EFFECTS,
  ...MIX_EFFECTS,
  ...SIGNAL_EFFECTS,
  ...STOCK_EFFECTS,
  ...ACCOUNT_EFFECTS,
  ...INFO_EFFECTS,
  ...MARKET_EFFECTS,
  ...POSITION_EFFECTS,
  ...SEARCH_EFFECTS,
  ...TRADE_EFFECTS,
}
