/** Periods of whole days back from now. */
import type { Answers } from './questions.ts'
import type { Refusal } from './refusal.ts'
import { Type, Usual } from './schema.ts'

/** One of a few numbers of days. */
export const DaysOf = (days: number[], description: string) =>
  Type.Unsafe<number>(
    Type.Union(
      days.map((day) => Type.Literal(day)),
      { description },
    ),
  )

/** Days of a curve of PnL. */
export const PnlDays = Usual(DaysOf([0, 1, 7, 30], 'days back, 0 for all time'), 0)

/** Days of the drawdown or net flow of one account. */
export const WindowDays = Type.Optional(DaysOf([1, 7, 30, 60, 90], 'days back'))

/** The same of several accounts. */
export const BatchWindowDays = Type.Optional(
  DaysOf([1, 7, 30, 60, 90, 0], 'days back, 0 for all time'),
)

/** The days that count, or a refusal, where they may have been left out (`window-days`). */
export function windowDays(
  days: number | undefined,
  answers: Answers,
): number | Refusal<'missing'> {
  if (days !== undefined) return days
  const usual = answers['window-days']
  return usual === 'refuse' ? { refused: 'missing', parameter: 'days' } : Number(usual)
}

/** Days of a trader's figures. */
export const Period = Type.Optional(
  Type.Integer({ minimum: 0, maximum: 36_500, description: 'days back, 0 for all time' }),
)

/** The days that count, or a refusal, where they may have been left out (`trader-period`). */
export function traderPeriod(
  days: number | undefined,
  answers: Answers,
): number | Refusal<'missing'> {
  if (days !== undefined) return days
  const usual = answers['trader-period']
  return usual === 'refuse' ? { refused: 'missing', parameter: 'period' } : Number(usual)
}
