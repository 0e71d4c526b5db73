/** How many days back count, where a request may leave them out. */
import type { Answers } from '../questions.ts'
import type { Refusal } from '../refusal.ts'

/** The days that count, or a refusal, where they may have been left out (`window-days`). */
export function windowDays(
  days: number | undefined,
  answers: Answers,
): number | Refusal<'missing'> {
  if (days !== undefined) return days
  const usual = answers['window-days']
  return usual === 'refuse' ? { refused: 'missing', parameter: 'days' } : Number(usual)
}

/** The days that count, or a refusal, where they may have been left out (`trader-period`). */
export function traderPeriod(
  days: number | undefined,
  answers: Answers,
): number | Refusal<'missing'> {
  if (days !== undefined) return days
  const usual = answers['trader-period']
  return usual === 'refuse' ? { refused: 'missing', parameter: 'period' } : Number(usual)
}
