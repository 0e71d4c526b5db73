/** Limits of the plans that direct keys are sold with. */
import { type KeyLimits, UNLIMITED } from './api-key.ts'

export const PLANS = ['free', 'basic', 'standard', 'advanced', 'pro'] as const
export type Plan = (typeof PLANS)[number]

const planLimits = (ratePerMinute: number, monthlyQuota: number): KeyLimits => ({
  ...UNLIMITED,
  ratePerMinute,
  monthlyQuota,
})

/** Requests a minute and a month. */
export const PLAN_LIMITS: Record<Plan, KeyLimits> = {
  free: planLimits(15, 20_000),
  basic: planLimits(30, 20_000),
  standard: planLimits(80, 500_000),
  advanced: planLimits(300, 1_500_000),
  pro: planLimits(1_200, 3_500_000),
}
