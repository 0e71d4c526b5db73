import { absolute, add, times, ZERO } from '../../../decimal/quantity.ts'
import { BUSIEST } from '../../casting/personas/busiest.ts'
import type { PersonaDay } from './persona-day.ts'

/** Never stops: turns in one market, works a position in another, and sweeps money in and out. */
export function goOnAsBusiest(day: PersonaDay): void {
  const [first, second = first] = day.perps
  if (!first || !second) return
  const unit = (of: typeof first) => day.size(of, BUSIEST.value)
  if (second !== first)
    day.each('turn', { periodMs: BUSIEST.reversalMs, within: 0.8 }, (timeMs) => {
      const holding = day.holding(second)
      const sz = add(absolute(holding.sz), unit(second))
      day.take(holding, holding.sz > ZERO ? 'A' : 'B', sz, timeMs)
    })
  day.each('execution', { periodMs: BUSIEST.executionMs, within: 0.02 }, (timeMs, nth) => {
    const holding = day.holding(first)
    const isSmall = holding.sz < times(unit(first), BUSIEST.heldUnits / 2)
    const sz = isSmall ? times(unit(first), BUSIEST.heldUnits) : unit(first)
    day.take(holding, isSmall || nth % 2 === 0 ? 'B' : 'A', sz, timeMs)
  })
  day.each('sweep', { periodMs: BUSIEST.reversalMs, within: 0 }, (timeMs, nth) => {
    const { ledger } = day.context
    const account = ledger.account(day.agent, '')
    const dueMs = Math.max(timeMs, account.lastMs)
    if (nth % 2 === 0) ledger.deposit(account, BUSIEST.sweepUsd, dueMs)
    else if (account.cash > BUSIEST.sweepUsd) ledger.withdraw(account, BUSIEST.sweepUsd, dueMs)
  })
}
