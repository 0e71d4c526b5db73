/** All rules over a whole run. */

import type { LedgerRule } from './ledger-rule.ts'
import { ANSWER_RULES } from './rules/answers.ts'
import { CANDLE_RULES } from './rules/candles.ts'
import { FILL_RULES } from './rules/fills.ts'
import { IDENTITY_RULES } from './rules/identities.ts'
import { PAST_RULES } from './rules/immutable-past.ts'
import { SUBSCRIPTION_RULES } from './rules/subscriptions.ts'
import { TRADE_RULES } from './rules/trades.ts'

export const LEDGER_RULES: readonly LedgerRule[] = [
  ...PAST_RULES,
  ...CANDLE_RULES,
  ...TRADE_RULES,
  ...FILL_RULES,
  ...SUBSCRIPTION_RULES,
  ...ANSWER_RULES,
  ...IDENTITY_RULES,
]
