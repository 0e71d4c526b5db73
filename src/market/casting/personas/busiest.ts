import { DAY_MS, MINUTE_MS } from '../../../clock/instant.ts'
import { times, usd } from '../../../decimal/quantity.ts'
import type { MarketPast } from '../history/past.ts'
import type { PersonaPlanner, PersonaTrader, PlannedOrder } from './persona-planner.ts'

const VALUE = { ofHour: 0.0005, leastUsd: 100, mostUsd: 2_000 }
const DAYS = 29
/** More than any list of the contract returns for an account. */
const REVERSALS = 2_040
/** Two positions, each with executions in more intervals than a list returns. */
const EXECUTIONS = 1_030
/** No two executions lie within the same quarter of an hour. */
const EXECUTION_MS = 15.5 * MINUTE_MS
/** Constant extra position in units: gives days of gain and loss. */
const HELD_UNITS = 16
const SWEEP_USD = usd(25e6)
/** Parameters that its continuation after the tape uses. */
export const BUSIEST = {
  value: VALUE,
  reversalMs: (DAYS * DAY_MS) / REVERSALS,
  executionMs: EXECUTION_MS,
  heldUnits: HELD_UNITS,
  sweepUsd: SWEEP_USD,
}

/**
 * A program that never stops: it turns from long to short and back in one market, keeps a position
 * of many executions in another, and sweeps money in and out of its account.
 */
export function planBusiest(desk: PersonaPlanner): void {
  const program = desk.trader('busiest', 'builderUser', 20_000, 5)
  const [first, second = first] = desk.perps
  if (!first || !second) return
  // With only one market, the reversals come before the long positions.
  program.plan(reversals(desk, second, second === first ? 6 : DAYS))
  const lastMs = desk.startMs - 5 * MINUTE_MS
  program.plan(manyExecutions(desk, first, lastMs, true))
  const untilMs = lastMs - executionMs(desk) * (EXECUTIONS + 40)
  program.plan(manyExecutions(desk, first, untilMs, false))
  planSweeps(desk, program)
}

/** Orders that each close a position and open the opposite one. */
function* reversals(desk: PersonaPlanner, past: MarketPast, days: number): Generator<PlannedOrder> {
  const unit = desk.size(past, VALUE)
  const stepMs = (days * desk.dayMs) / REVERSALS
  const firstMs = desk.startMs - DAYS * desk.dayMs
  for (let at = 0; at < REVERSALS; at++) {
    const timeMs = firstMs + Math.floor((at + 0.8 * desk.random.unit()) * stepMs)
    const isEnd = at === 0 || at === REVERSALS - 1
    yield { past, timeMs, side: at % 2 === 0 ? 'B' : 'A', sz: isEnd ? unit : times(unit, 2) }
  }
}

/** Orders that enlarge and reduce one position by turns; it may stay open. */
function* manyExecutions(
  desk: PersonaPlanner,
  past: MarketPast,
  lastMs: number,
  open: boolean,
): Generator<PlannedOrder> {
  const unit = desk.size(past, VALUE)
  for (let at = 0; at < EXECUTIONS; at++) {
    const timeMs = Math.floor(lastMs - (EXECUTIONS - 1 - at) * executionMs(desk))
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
