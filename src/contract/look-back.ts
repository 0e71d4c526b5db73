/** Look-back periods of whole days. */

import { type MeaningDetails, meant } from './meaning.ts'
import type { QuestionId } from './questions.ts'
import { Type, WithDefault } from './schema.ts'

/** One of a few numbers of days. */
export const OneOfDays = (days: number[], description: string, usual?: QuestionId) => {
  const choice = Type.Union(
    days.map((day) => Type.Literal(day)),
    { description },
  )
  return meant('rangeLength', Type.Unsafe<number>(choice), daysBy(usual))
}

/** Any number of days. */
export const DaysBack = (description = 'days back, 0 for all time') =>
  meant('rangeLength', Type.Integer({ minimum: 0, description }), daysBy())

const daysBy = (usual?: QuestionId): MeaningDetails => ({
  'x-length': 'days',
  ...(usual ? { 'x-usual': usual } : {}),
})

/** Days of a PnL curve. */
export const PnlDays = WithDefault(OneOfDays([0, 1, 7, 30], 'days back, 0 for all time'), 0)

/** Days of the drawdown or net flow of one account. */
export const WindowDays = Type.Optional(OneOfDays([1, 7, 30, 60, 90], 'days back', 'window-days'))

/** Days of the drawdown or net flow of several accounts. */
export const BatchWindowDays = Type.Optional(
  OneOfDays([1, 7, 30, 60, 90, 0], 'days back, 0 for all time', 'window-days'),
)

/** Days of a trader's figures. */
export const TraderPeriod = Type.Optional(
  meant(
    'rangeLength',
    Type.Integer({ minimum: 0, maximum: 36_500, description: 'days back, 0 for all time' }),
    daysBy('trader-period'),
  ),
)
