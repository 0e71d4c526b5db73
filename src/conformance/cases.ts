/** Cases written by hand: what no declaration holds. */
import type { Case } from './case.ts'
import { AUTHENTICATION_CASES } from './cases/authentication.ts'
import { CALLER_CASES } from './cases/callers.ts'
import { COIN_CASES } from './cases/coins.ts'
import { CONTENT_CASES } from './cases/content.ts'
import { DEPTH_CASES } from './cases/depth.ts'
import { LEVEL_CASES } from './cases/distributor/levels.ts'
import { QUOTA_CASES } from './cases/distributor/quota.ts'
import { REGISTRATION_CASES } from './cases/distributor/registration.ts'
import { SUB_KEY_CASES } from './cases/distributor/sub-keys.ts'
import { ENVELOPE_CASES } from './cases/envelopes.ts'
import { ERROR_CASES } from './cases/errors.ts'
import { FEATURE_CASES } from './cases/features.ts'
import { HISTORY_CASES } from './cases/history.ts'
import { LIMIT_CASES } from './cases/limits.ts'
import { ACCOUNT_CASES } from './cases/perpdex/accounts.ts'
import { MARKET_CASES } from './cases/perpdex/market.ts'
import { ORDER_CASES } from './cases/perpdex/orders.ts'
import { POSITION_CASES } from './cases/perpdex/positions.ts'
import { TRADE_CASES } from './cases/perpdex/trades.ts'
import { SIGNAL_CASES } from './cases/signals.ts'
import { ADDRESS_CASES } from './cases/sockets/addresses.ts'
import { FRAME_CASES } from './cases/sockets/frames.ts'
import { PUSH_CASES } from './cases/sockets/pushes.ts'
import { SNAPSHOT_CASES } from './cases/sockets/snapshots.ts'
import { SUBSCRIPTION_CASES } from './cases/sockets/subscriptions.ts'
import { TIME_CASES } from './cases/sockets/time.ts'
import { USER_CASES } from './cases/sockets/users.ts'
import { STOCK_CASES } from './cases/stocks.ts'

/** Those that move the target's time come last. */
export const HAND_WRITTEN: readonly Case[] = [
  ...ENVELOPE_CASES,
  ...AUTHENTICATION_CASES,
  ...CALLER_CASES,
  ...ERROR_CASES,
  ...COIN_CASES,
  ...STOCK_CASES,
  ...DEPTH_CASES,
  ...HISTORY_CASES,
  ...FEATURE_CASES,
  ...SIGNAL_CASES,
  ...CONTENT_CASES,
  ...LIMIT_CASES,
  ...TRADE_CASES,
  ...ORDER_CASES,
  ...POSITION_CASES,
  ...ACCOUNT_CASES,
  ...MARKET_CASES,
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
  ...TIME_CASES,
]
