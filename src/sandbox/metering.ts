/**
 * How much a key may ask: requests a minute, requests a month, and a distributor's month over all
 * its sub keys. All by the session clock (spec, Level config and Quota summary).
 */
import { nextMonthMs } from '../clock/calendar.ts'
import type { Refusal } from '../contract/refusal.ts'
import type { Sandbox } from './sandbox.ts'
import type { Key } from './tenancy/key.ts'

/** Counts a request that was let in; or says why it is one too many, and counts nothing. */
export function meter(sandbox: Sandbox, key: Key): Refusal | null {
  const { tenancy, terms } = sandbox
  const nowMs = sandbox.clock.nowMs()
  const over = terms.metering === 'off' ? null : excess(sandbox, key, nowMs)
  if (!over) tenancy.count(key, nowMs)
  return over
}

/** Why one more request would be one too many; null when it would not. */
export function excess(sandbox: Sandbox, key: Key, nowMs: number): Refusal | null {
  const { tenancy } = sandbox
  const { usage } = tenancy
  const { ratePerMinute, monthlyQuota } = sandbox.limitsOf(key)
  if (ratePerMinute !== null && usage.inMinute(key.accessKey, nowMs) >= ratePerMinute)
    return { refused: 'rate', perMinute: ratePerMinute, retryAfterS: untilNextMinuteS(nowMs) }
  const isUsedUp =
    (monthlyQuota !== null && usage.inMonth(key.accessKey, nowMs) >= monthlyQuota) ||
    tenancy.isExhausted(key, nowMs)
  if (!isUsedUp) return null
  return { refused: 'quota', retryAfterS: Math.ceil((nextMonthMs(nowMs) - nowMs) / 1000) }
}

const untilNextMinuteS = (nowMs: number) => 60 - (Math.floor(nowMs / 1000) % 60)
