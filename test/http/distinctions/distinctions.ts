/** The probes of the contract's distinctions, by place. */
import { ACCOUNTS_DISTINCTIONS } from './accounts.ts'
import { CONTENT_DISTINCTIONS } from './content.ts'
import { LIMITS_DISTINCTIONS } from './limits.ts'
import type { Distinctions } from './looks.ts'
import { MARKET_DISTINCTIONS } from './market.ts'
import { PARAMETERS_DISTINCTIONS } from './parameters.ts'
import { TENANTS_DISTINCTIONS } from './tenants.ts'

export const DISTINCTIONS: Distinctions = {
  ...MARKET_DISTINCTIONS,
  ...CONTENT_DISTINCTIONS,
  ...ACCOUNTS_DISTINCTIONS,
  ...TENANTS_DISTINCTIONS,
  ...LIMITS_DISTINCTIONS,
  ...PARAMETERS_DISTINCTIONS,
}
