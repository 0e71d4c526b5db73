/** What every parameter of every operation changes. */
import type { EffectTable } from '../effect.ts'
import { COIN_EFFECTS } from './coin.ts'
import { CONTENT_EFFECTS } from './content.ts'
import { DISTRIBUTOR_EFFECTS } from './distributor.ts'
import { FUTURES_EFFECTS } from './futures.ts'
import { INDEX_EFFECTS } from './index.ts'
import { INDICATOR_EFFECTS } from './indicator.ts'
import { MIX_EFFECTS } from './mix.ts'
import { ACCOUNT_EFFECTS } from './perpdex/accounts.ts'
import { INFO_EFFECTS } from './perpdex/info.ts'
import { MARKET_EFFECTS } from './perpdex/market.ts'
import { POSITION_EFFECTS } from './perpdex/positions.ts'
import { SEARCH_EFFECTS } from './perpdex/search.ts'
import { TRADE_EFFECTS } from './perpdex/trades.ts'
import { SIGNAL_EFFECTS } from './signal.ts'
import { STOCK_EFFECTS } from './stock.ts'

/** By operation and parameter; test/conformance/effects.test.ts holds that none is missing. */
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
