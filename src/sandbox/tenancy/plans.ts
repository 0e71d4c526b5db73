/** Limits of the plans that direct keys are sold with (shapes 5.1). */
import { type Limits, UNLIMITED } from './key.ts'

export const PLANS = ['free', 'basic', 'standard', 'advanced', 'pro'] as const
export type Plan = (typeof PLANS)[number]

const plan = (ratePerMinute: number, monthlyQuota: number): Limits => ({
  ...UNLIMITED,
  ratePerMinute,
  monthlyQuota,
})

/** Requests a minute and a month. */
export const PLAN_LIMITS: Record<Plan, Limits> = {
  free: plan(15, 20_000),
  basic: plan(30, 20_000),
  standard: plan(80, 500_000),
  advanced: plan(300, 1_500_000),
  pro: plan(1_200, 3_500_000),
}
