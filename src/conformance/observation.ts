/**
 * Observes a target's answers to the open questions, without judging, for a stand-in to reproduce.
 */

import type { SystemClock } from '../clock/system-clock.ts'
import { QUESTIONS, type QuestionId } from '../contract/questions.ts'
import { deferred } from '../platform/deferred.ts'
import { UserError } from '../platform/user-error.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import { AUTHENTICATION_OBSERVERS } from './groups/authentication.ts'
import { COIN_OBSERVERS } from './groups/coin.ts'
import { CONTENT_OBSERVERS } from './groups/content.ts'
import { DISTRIBUTOR_OBSERVERS } from './groups/distributor/requirements.ts'
import { ERRORS_OBSERVERS } from './groups/errors.ts'
import { FUTURES_OBSERVERS } from './groups/futures/requirements.ts'
import { INDEX_OBSERVERS } from './groups/indexes.ts'
import { INDICATOR_OBSERVERS } from './groups/indicator.ts'
import { LIMITS_OBSERVERS } from './groups/limits.ts'
import { MIX_OBSERVERS } from './groups/mix.ts'
import { PERPDEX_TRADER_OBSERVERS } from './groups/perpdex/accounts.ts'
import {
  PERPDEX_LIQUIDATION_OBSERVERS,
  PERPDEX_MARKET_OBSERVERS,
  PERPDEX_WHALE_OBSERVERS,
} from './groups/perpdex/market.ts'
import { PERPDEX_ORDER_OBSERVERS } from './groups/perpdex/orders.ts'
import { PERPDEX_POSITION_OBSERVERS } from './groups/perpdex/positions.ts'
import { PERPDEX_FILL_OBSERVERS } from './groups/perpdex/trades.ts'
import { SIGNAL_OBSERVERS, SIGNAL_TIMING_OBSERVERS } from './groups/signal/market-signals.ts'
import { SOCKET_OBSERVERS } from './groups/sockets/frames.ts'
import { SOCKET_TIMING_OBSERVERS } from './groups/sockets/timing.ts'
import { STOCK_OBSERVERS } from './groups/stock.ts'
import { Probe } from './probe.ts'
import type { Observers } from './requirement.ts'
import type { Target } from './target.ts'
import type { TargetTransport } from './target-transport.ts'
import type { Traffic } from './traffic.ts'

/** Observers that let the target's time pass. */
const TIMED_OBSERVERS: Observers = { ...SOCKET_TIMING_OBSERVERS, ...SIGNAL_TIMING_OBSERVERS }

export const OBSERVERS: Observers = {
  ...AUTHENTICATION_OBSERVERS,
  ...ERRORS_OBSERVERS,
  ...LIMITS_OBSERVERS,
  ...DISTRIBUTOR_OBSERVERS,
  ...STOCK_OBSERVERS,
  ...FUTURES_OBSERVERS,
  ...INDEX_OBSERVERS,
  ...COIN_OBSERVERS,
  ...MIX_OBSERVERS,
  ...SIGNAL_OBSERVERS,
  ...CONTENT_OBSERVERS,
  ...INDICATOR_OBSERVERS,
  ...PERPDEX_FILL_OBSERVERS,
  ...PERPDEX_LIQUIDATION_OBSERVERS,
  ...PERPDEX_MARKET_OBSERVERS,
  ...PERPDEX_ORDER_OBSERVERS,
  ...PERPDEX_POSITION_OBSERVERS,
  ...PERPDEX_TRADER_OBSERVERS,
  ...PERPDEX_WHALE_OBSERVERS,
  ...SOCKET_OBSERVERS,
  ...TIMED_OBSERVERS,
}

export interface Observations {
  /** In the format of `serve --questions` and a new sandbox. */
  questions: Record<string, string>
  /** Unobserved questions, with reasons. */
  unseen: Record<string, string>
}

/** Timeout of one question, ms. */
const OBSERVATION_TIMEOUT_MS = 120_000

const ALL = Object.keys(QUESTIONS) as QuestionId[]

/** Observes all or some observable questions. */
export async function observe(
  target: Target,
  transport: TargetTransport,
  systemClock: SystemClock,
  traffic?: Traffic,
  ids: readonly QuestionId[] = ALL,
): Promise<Observations> {
  const start = `observe-${systemClock.nowMs().toString(36)}`
  let count = 0
  const signing = {
    nowS: () => Math.floor(systemClock.nowMs() / 1000),
    nonce: () => `${start}-${count++}`,
  }
  const seen = new Map<QuestionId, Observation>()
  // Observers that let time pass come last: others depend on the present market.
  const isTimed = (id: QuestionId) => id in TIMED_OBSERVERS
  for (const id of [...ids.filter((one) => !isTimed(one)), ...ids.filter(isTimed)]) {
    const probe = new Probe(target, transport, signing, traffic ? { gate: traffic.gate(0) } : {})
    seen.set(id, await withTimeout(observeQuestion(id, probe), systemClock))
    probe.close()
  }
  return sortedObservations(ids.map((id) => [id, seen.get(id) as Observation]))
}

type Observation = { answer: string } | { why: string }

/** Sorts observed and unobserved questions. */
export function sortedObservations(
  seen: readonly (readonly [QuestionId, Observation])[],
): Observations {
  const observed: Observations = { questions: {}, unseen: {} }
  for (const [id, one] of seen)
    if ('answer' in one) observed.questions[id] = one.answer
    else observed.unseen[id] = one.why
  return observed
}

async function withTimeout(
  seen: Promise<Observation>,
  systemClock: SystemClock,
): Promise<Observation> {
  const late = deferred<Observation>()
  const cancel = systemClock.startTimer(OBSERVATION_TIMEOUT_MS, () =>
    late.resolve({ why: `no answer in ${OBSERVATION_TIMEOUT_MS} ms` }),
  )
  return Promise.race([seen, late.promise]).finally(cancel)
}

/** One observation of a question, or the reason for none. */
export async function observeQuestion(id: QuestionId, probe: Probe): Promise<Observation> {
  const observer = OBSERVERS[id]
  if (!observer) return { why: UNOBSERVABLE[id] ?? 'it is not observable from outside' }
  try {
    const answer = await observer(probe)
    if (answer === null) return { why: 'the target shows none of the known answers' }
    return { answer }
  } catch (error) {
    if (error instanceof SkipCase || error instanceof CheckFailure || error instanceof UserError)
      return { why: error.message }
    // An observer assumes the form of data: the target has another one there.
    if (error instanceof TypeError) return { why: 'the target answers in an unknown form' }
    throw error
  }
}

// Questions that cannot be observed from outside, with reasons.

export const UNOBSERVABLE: Partial<Record<QuestionId, string>> = {
  'disabled-key': 'No operation of the contract disables a key.',
  'other-key-limits':
    'It would take more than a thousand requests in a minute, and lock the key out.',
  'repeated-parameters': 'The suite sends each name once.',
  'body-content-type': 'The suite sends bodies as application/json only.',
  'byte-order-mark': 'The suite sends bodies without one.',
  'venue-rate-limit': 'It concerns the perpetual venue, which the suite does not call.',
  'venue-connections': 'It concerns the perpetual venue, which the suite does not call.',
  'venue-absent-subscription': 'It concerns the perpetual venue, which the suite does not call.',
  'venue-greeting': 'It concerns the perpetual venue, which the suite does not call.',
}
