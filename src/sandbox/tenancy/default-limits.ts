/** Limits of keys that nothing of their own limits, as the open questions say. */
import type { Answers } from '../../contract/questions.ts'
import type { KeyLimits } from './api-key.ts'
import { PLAN_LIMITS } from './plans.ts'

/** Connections and subscriptions that the perpetual venue allows. */
const VENUE_SOCKET_LIMITS = { maxConnections: 10, maxSubscriptions: 1_000 }

/** A key's own limits, and what the sandbox's answers say where it has none. */
export function withDefaultLimits(own: KeyLimits, answers: Answers): KeyLimits {
  const plan = answers['other-key-limits']
  const rates = plan === 'none' ? null : PLAN_LIMITS[plan]
  const sockets = answers['socket-limits'] === 'venue' ? VENUE_SOCKET_LIMITS : null
  if (!rates && !sockets) return own
  return {
    ...own,
    ratePerMinute: own.ratePerMinute ?? rates?.ratePerMinute ?? null,
    monthlyQuota: own.monthlyQuota ?? rates?.monthlyQuota ?? null,
    maxConnections: own.maxConnections ?? sockets?.maxConnections ?? null,
    maxSubscriptions: own.maxSubscriptions ?? sockets?.maxSubscriptions ?? null,
  }
}
