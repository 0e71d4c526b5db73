import type { EffectEntry, EffectTable } from '../../effect.ts'
import { headOf, intervalOf, timeOfPosition } from '../../positions.ts'
import { span } from '../../spans.ts'

const SPANS = [span('15m'), span('1h'), span('4h')]

const current = {
  address: { effect: headOf('open') },
  coin: { effect: headOf('open') },
} as const

const completed = {
  address: { effect: headOf('closed') },
  coin: { effect: headOf('closed') },
  startTime: { effect: timeOfPosition('startTime'), checks: ['perpdex.position.times'] },
  endTime: { effect: timeOfPosition('endTime'), checks: ['perpdex.position.times'] },
} as const

const interval = (isDense: boolean): EffectEntry => ({
  effect: intervalOf(SPANS, isDense),
  checks: ['perpdex.position.intervals'],
})

export const POSITION_EFFECTS: EffectTable = {
  'perpdex.completedPositionExecutions': {
    ...completed,
    interval: interval(false),
    limit: { counted: true },
  },
  'perpdex.completedPositionHistory': completed,
  'perpdex.completedPositionPnl': {
    ...completed,
    interval: interval(true),
    limit: { counted: true },
  },
  'perpdex.currentPositionExecutions': {
    ...current,
    interval: interval(false),
    limit: { counted: true },
  },
  'perpdex.currentPositionHistory': current,
  'perpdex.currentPositionPnl': { ...current, interval: interval(true), limit: { counted: true } },
}
