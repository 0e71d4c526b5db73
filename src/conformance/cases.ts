/** Handwritten cases: requirements beyond the declarations. */

import { CALLER_CASES, SIGNATURE_CASES } from './groups/authentication.ts'
import { COIN_CASES } from './groups/coin.ts'
import { CONTENT_CASES } from './groups/content.ts'
import { LEVEL_CASES } from './groups/distributor/levels.ts'
import { QUOTA_CASES, REGISTRATION_CASES, SUB_KEY_CASES } from './groups/distributor/sub-keys.ts'
import { ENVELOPE_CASES } from './groups/envelopes.ts'
import { ERROR_CASES } from './groups/errors.ts'
import { FUTURES_DEPTH_CASES, FUTURES_HISTORY_CASES } from './groups/futures/cases.ts'
import { IDENTITY_CASES } from './groups/identities.ts'
import { INDEX_CASES } from './groups/indexes.ts'
import { INDICATOR_CASES } from './groups/indicator.ts'
import { LIMIT_CASES } from './groups/limits.ts'
import { PERCENTAGE_CASES, PRICE_MEANING_CASES } from './groups/meaning.ts'
import { MIX_CASES } from './groups/mix.ts'
import { ACCOUNT_CASES } from './groups/perpdex/accounts.ts'
import { MARKET_CASES } from './groups/perpdex/market.ts'
import { ACCOUNT_MEANING_CASES, MARKET_MEANING_CASES } from './groups/perpdex/meaning.ts'
import { ORDER_CASES } from './groups/perpdex/orders.ts'
import { POSITION_CASES } from './groups/perpdex/positions.ts'
import { TRADE_CASES } from './groups/perpdex/trades.ts'
import { ALERT_CASES } from './groups/signal/alerts.ts'
import { MARKET_SIGNAL_CASES } from './groups/signal/market-signals.ts'
import { FRAME_CASES } from './groups/sockets/frames.ts'
import { MINUTE_CASES } from './groups/sockets/minutes.ts'
import { PUSH_CASES, SNAPSHOT_CASES } from './groups/sockets/pushes.ts'
import { SUBSCRIPTION_CASES } from './groups/sockets/subscriptions.ts'
import { IDLE_CASES, PUSH_TIMING_CASES } from './groups/sockets/timing.ts'
import { ADDRESS_CASES, USER_CASES } from './groups/sockets/user-channels.ts'
import { STOCK_CASES } from './groups/stock.ts'
import { TIME_CASES } from './groups/time.ts'
import type { Case } from './probe.ts'

/** Those that move the target's time come last. */
export const HAND_WRITTEN_CASES: readonly Case[] = [
  ...ENVELOPE_CASES,
  ...SIGNATURE_CASES,
  ...CALLER_CASES,
  ...ERROR_CASES,
  ...COIN_CASES,
  ...INDEX_CASES,
  ...STOCK_CASES,
  ...FUTURES_DEPTH_CASES,
  ...FUTURES_HISTORY_CASES,
  ...MIX_CASES,
  ...INDICATOR_CASES,
  ...MARKET_SIGNAL_CASES,
  ...ALERT_CASES,
  ...CONTENT_CASES,
  ...LIMIT_CASES,
  ...TRADE_CASES,
  ...ORDER_CASES,
  ...POSITION_CASES,
  ...ACCOUNT_CASES,
  ...MARKET_CASES,
  ...ACCOUNT_MEANING_CASES,
  ...MARKET_MEANING_CASES,
  ...PRICE_MEANING_CASES,
  ...PERCENTAGE_CASES,
  ...IDENTITY_CASES,
  ...SUBSCRIPTION_CASES,
  ...SNAPSHOT_CASES,
  ...USER_CASES,
  ...ADDRESS_CASES,
  ...FRAME_CASES,
  ...REGISTRATION_CASES,
  ...LEVEL_CASES,
  ...QUOTA_CASES,
  ...SUB_KEY_CASES,
  ...TIME_CASES,
  ...PUSH_CASES,
  ...IDLE_CASES,
  ...PUSH_TIMING_CASES,
  ...MINUTE_CASES,
]
