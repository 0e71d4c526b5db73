/** Cases written by hand: what no declaration holds. */
import type { Case } from './case.ts'
import { CALLER_CASES } from './cases/authentication/callers.ts'
import { SIGNATURE_CASES } from './cases/authentication/signatures.ts'
import { COIN_CASES } from './cases/coin.ts'
import { CONTENT_CASES } from './cases/content.ts'
import { LEVEL_CASES } from './cases/distributor/levels.ts'
import { QUOTA_CASES } from './cases/distributor/quota.ts'
import { REGISTRATION_CASES } from './cases/distributor/registration.ts'
import { SUB_KEY_CASES } from './cases/distributor/sub-keys.ts'
import { ENVELOPE_CASES } from './cases/envelopes.ts'
import { ERROR_CASES } from './cases/errors.ts'
import { FUTURES_DEPTH_CASES } from './cases/futures/depth.ts'
import { FUTURES_HISTORY_CASES } from './cases/futures/history.ts'
import { INDEX_CASES } from './cases/index.ts'
import { INDICATOR_CASES } from './cases/indicator.ts'
import { LIMIT_CASES } from './cases/limits.ts'
import { ACCOUNT_MEANING_CASES } from './cases/meaning/accounts.ts'
import { MARKET_MEANING_CASES } from './cases/meaning/market.ts'
import { PERCENTAGE_CASES } from './cases/meaning/percentages.ts'
import { PRICE_MEANING_CASES } from './cases/meaning/prices.ts'
import { MIX_CASES } from './cases/mix.ts'
import { ACCOUNT_CASES } from './cases/perpdex/accounts.ts'
import { MARKET_CASES } from './cases/perpdex/market.ts'
import { ORDER_CASES } from './cases/perpdex/orders.ts'
import { POSITION_CASES } from './cases/perpdex/positions.ts'
import { TRADE_CASES } from './cases/perpdex/trades.ts'
import { ALERT_CASES } from './cases/signal/alerts.ts'
import { MARKET_SIGNAL_CASES } from './cases/signal/market-signals.ts'
import { ADDRESS_CASES } from './cases/sockets/address-channels.ts'
import { FRAME_CASES } from './cases/sockets/frames.ts'
import { IDLE_CASES } from './cases/sockets/idle-timing.ts'
import { PUSH_TIMING_CASES } from './cases/sockets/push-timing.ts'
import { PUSH_CASES } from './cases/sockets/pushes.ts'
import { SNAPSHOT_CASES } from './cases/sockets/snapshots.ts'
import { SUBSCRIPTION_CASES } from './cases/sockets/subscriptions.ts'
import { USER_CASES } from './cases/sockets/user-channels.ts'
import { STOCK_CASES } from './cases/stock.ts'

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
  ...SUBSCRIPTION_CASES,
  ...SNAPSHOT_CASES,
  ...USER_CASES,
  ...ADDRESS_CASES,
  ...FRAME_CASES,
  ...REGISTRATION_CASES,
  ...LEVEL_CASES,
  ...QUOTA_CASES,
  ...SUB_KEY_CASES,
  ...PUSH_CASES,
  ...IDLE_CASES,
  ...PUSH_TIMING_CASES,
]
