/**
 * How much a key may call: requests a minute, requests a month, and a distributor's month over all
 * its sub keys. All by the session clock (the service's documentation, Level config and Quota
 * summary).
 */

import { nextMonthMs } from '../clock/calendar.ts'
import type { Refusal } from '../contract/refusal.ts'
import type { Sandbox } from './sandbox.ts'
import type { ApiKey } from './tenancy/api-key.ts'

/** Counts a request that was let in; or says why it is one too many, and counts nothing. */
export function meter(sandbox: Sandbox, key: ApiKey): Refusal | null {
  const { tenancy, config } = sandbox
  const nowMs = sandbox.clock.nowMs()
  const over = config.metering === 'off' ? null : limitRefusal(sandbox, key, nowMs)
  if (!over) tenancy.count(key, nowMs)
  return over
}

/** Why one more request would be one too many; null when it would not. */
export function limitRefusal(sandbox: Sandbox, key: ApiKey, nowMs: number): Refusal | null {
  const { tenancy } = sandbox
  const { usage } = tenancy
  const { ratePerMinute, monthlyQuota } = sandbox.limitsOf(key)
  if (ratePerMinute !== null && usage.inMinute(key.accessKey, nowMs) >= ratePerMinute)
    return { refused: 'rate', perMinute: ratePerMinute, retryAfterS: secondsToNextMinute(nowMs) }
  const isUsedUp =
    (monthlyQuota !== null && usage.inMonth(key.accessKey, nowMs) >= monthlyQuota) ||
    tenancy.isDistributorExhausted(key, nowMs)
  if (!isUsedUp) return null
  return { refused: 'quota', retryAfterS: Math.ceil((nextMonthMs(nowMs) - nowMs) / 1000) }
}

const secondsToNextMinute = (nowMs: number) => 60 - (Math.floor(nowMs / 1000) % 60)
