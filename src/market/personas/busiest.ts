import { DAY_MS, MINUTE_MS } from '../../clock/instant.ts'
import { absolute, add, times, usd, ZERO } from '../../decimal/quantity.ts'
import type { MarketPast } from '../casting/history/past.ts'
import type { PersonaPlanner, PersonaTrader, PlannedOrder } from './persona-planner.ts'
import type { PersonaSchedule } from './personas.ts'

const VALUE = { ofHour: 0.0005, leastUsd: 100, mostUsd: 2_000 }
const DAYS = 29
/** More than any list of the contract returns for an account. */
const REVERSALS = 2_040
const REVERSAL_MS = (DAYS * DAY_MS) / REVERSALS
/** Two positions, each with executions in more intervals than a list returns. */
const EXECUTIONS = 1_030
/** No two executions lie within the same quarter of an hour. */
const EXECUTION_MS = 15.5 * MINUTE_MS
/** Constant extra position in units: gives days of gain and loss. */
const HELD_UNITS = 16
const SWEEP_USD = usd(25e6)

/**
 * A program that never stops: it turns from long to short and back in one market, keeps a position
 * of many executions in another, and sweeps money in and out of its account.
 */
export function planBusiest(planner: PersonaPlanner): void {
  const program = planner.trader('busiest', 'builderUser', 20_000, 5)
  const [first, second = first] = planner.perps
  if (!first || !second) return
  // With only one market, the reversals come before the long positions.
  program.plan(reversals(planner, second, second === first ? 6 : DAYS))
  const lastMs = planner.startMs - 5 * MINUTE_MS
  program.plan(manyExecutions(planner, first, lastMs, true))
  const untilMs = lastMs - executionMs(planner) * (EXECUTIONS + 40)
  program.plan(manyExecutions(planner, first, untilMs, false))
  planSweeps(planner, program)
}

/** Orders that each close a position and open the opposite one. */
function* reversals(
  planner: PersonaPlanner,
  past: MarketPast,
  days: number,
): Generator<PlannedOrder> {
  const unit = planner.size(past, VALUE)
  const stepMs = (days * planner.dayMs) / REVERSALS
  const firstMs = planner.startMs - DAYS * planner.dayMs
  for (let at = 0; at < REVERSALS; at++) {
    const timeMs = firstMs + Math.floor((at + 0.8 * planner.random.unit()) * stepMs)
    const isEnd = at === 0 || at === REVERSALS - 1
    yield { past, timeMs, side: at % 2 === 0 ? 'B' : 'A', sz: isEnd ? unit : times(unit, 2) }
  }
}

/** Orders that enlarge and reduce one position by turns; it may stay open. */
function* manyExecutions(
  planner: PersonaPlanner,
  past: MarketPast,
  lastMs: number,
  open: boolean,
): Generator<PlannedOrder> {
  const unit = planner.size(past, VALUE)
  for (let at = 0; at < EXECUTIONS; at++) {
    const timeMs = Math.floor(lastMs - (EXECUTIONS - 1 - at) * executionMs(planner))
    const isOpening = at === 0
    const isClosing = at === EXECUTIONS - 1 && !open
    // Alternates one unit up and down, then closes all.
    const side = isOpening || (at % 2 === 1 && !isClosing) ? 'B' : 'A'
    yield { past, timeMs, side, sz: isOpening || isClosing ? times(unit, HELD_UNITS) : unit }
  }
}

const executionMs = ({ dayMs }: PersonaPlanner) => (EXECUTION_MS * dayMs) / DAY_MS

function planSweeps({ startMs, dayMs, context }: PersonaPlanner, { agent }: PersonaTrader): void {
  const { tasks, ledger } = context
  const stepMs = Math.floor((DAYS * dayMs) / REVERSALS)
  for (let at = 0; at < REVERSALS; at++)
    tasks.put(startMs - (REVERSALS - at) * stepMs, (_, timeMs) => {
      const account = ledger.account(agent, '')
      const dueMs = Math.max(timeMs, account.lastMs)
      if (at % 2 === 0) ledger.deposit(account, SWEEP_USD, dueMs)
      else ledger.withdraw(account, SWEEP_USD, dueMs)
    })
}

/** Reverses constantly in one market, works a position in another, and sweeps money in and out. */
export function continueBusiest(schedule: PersonaSchedule): void {
  const [first, second = first] = schedule.perps
  if (!first || !second) return
  const unit = (of: typeof first) => schedule.size(of, VALUE)
  if (second !== first)
    schedule.each('turn', { periodMs: REVERSAL_MS, within: 0.8 }, (timeMs) => {
      const holding = schedule.holding(second)
      const sz = add(absolute(holding.sz), unit(second))
      schedule.take(holding, holding.sz > ZERO ? 'A' : 'B', sz, timeMs)
    })
  schedule.each('execution', { periodMs: EXECUTION_MS, within: 0.02 }, (timeMs, nth) => {
    const holding = schedule.holding(first)
    const isSmall = holding.sz < times(unit(first), HELD_UNITS / 2)
    const sz = isSmall ? times(unit(first), HELD_UNITS) : unit(first)
    schedule.take(holding, isSmall || nth % 2 === 0 ? 'B' : 'A', sz, timeMs)
  })
  schedule.each('sweep', { periodMs: REVERSAL_MS, within: 0 }, (timeMs, nth) => {
    const { ledger } = schedule.context
    const account = ledger.account(schedule.agent, '')
    const dueMs = Math.max(timeMs, account.lastMs)
    if (nth % 2 === 0) ledger.deposit(account, SWEEP_USD, dueMs)
    else if (account.cash > SWEEP_USD) ledger.withdraw(account, SWEEP_USD, dueMs)
  })
}
