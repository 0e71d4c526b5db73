/** How a target answers the open questions: read off, not judged, for a stand-in to do alike. */
import type { SystemClock } from '../clock/system-clock.ts'
import { QUESTIONS, type QuestionId } from '../contract/questions.ts'
import { UserError } from '../user-error.ts'
import { AUTHENTICATION_OBSERVERS } from './observers/authentication.ts'
import { CONTENT_OBSERVERS } from './observers/content.ts'
import { DISTRIBUTOR_OBSERVERS } from './observers/distributor.ts'
import { FUTURES_OBSERVERS } from './observers/futures.ts'
import { INDICATOR_OBSERVERS } from './observers/indicator.ts'
import { MIX_OBSERVERS } from './observers/mix.ts'
import type { Observers } from './observers/observer.ts'
import { PERPDEX_MARKET_OBSERVERS } from './observers/perpdex/market.ts'
import { PERPDEX_TRADER_OBSERVERS } from './observers/perpdex/traders.ts'
import { RECORD_FORM_OBSERVERS } from './observers/record-forms.ts'
import { SOCKET_OBSERVERS } from './observers/sockets.ts'
import { STOCK_OBSERVERS } from './observers/stock.ts'
import { TIMING_OBSERVERS } from './observers/timing.ts'
import { UNOBSERVABLE } from './observers/unobservable.ts'
import { UNSPECIFIED_CASE_OBSERVERS } from './observers/unspecified-cases.ts'
import { CheckFailure, Probe, SkipCase } from './probe.ts'
import type { Target } from './target.ts'
import type { TargetTransport } from './target-transport.ts'

export const OBSERVERS: Observers = {
  ...AUTHENTICATION_OBSERVERS,
  ...RECORD_FORM_OBSERVERS,
  ...UNSPECIFIED_CASE_OBSERVERS,
  ...SOCKET_OBSERVERS,
  ...CONTENT_OBSERVERS,
  ...FUTURES_OBSERVERS,
  ...INDICATOR_OBSERVERS,
  ...STOCK_OBSERVERS,
  ...MIX_OBSERVERS,
  ...PERPDEX_MARKET_OBSERVERS,
  ...PERPDEX_TRADER_OBSERVERS,
  ...DISTRIBUTOR_OBSERVERS,
  ...TIMING_OBSERVERS,
}

export interface Observations {
  /** As `serve --questions` and a new sandbox take them. */
  questions: Record<string, string>
  /** Questions that this target did not answer, and why. */
  unseen: Record<string, string>
}

/** How long it may take to look at one question, ms. */
const OBSERVATION_TIMEOUT_MS = 120_000

/** Observes every question that can be seen from outside. */
export async function observe(
  target: Target,
  carrier: TargetTransport,
  by: SystemClock,
): Promise<Observations> {
  const start = `observe-${by.nowMs().toString(36)}`
  let count = 0
  const pen = {
    nowS: () => Math.floor(by.nowMs() / 1000),
    nonce: () => `${start}-${count++}`,
  }
  const ids = Object.keys(QUESTIONS) as QuestionId[]
  const seen = new Map<QuestionId, Observation>()
  // What lets the target's time pass comes last: others look at a market that they know.
  for (const id of [...ids.filter((one) => !(one in TIMING_OBSERVERS)), ...timedQuestions]) {
    const probe = new Probe(target, carrier, pen)
    seen.set(id, await withTimeout(observeQuestion(id, probe), by))
    probe.close()
  }
  return sorted(ids.map((id) => [id, seen.get(id) as Observation]))
}

const timedQuestions = Object.keys(TIMING_OBSERVERS) as QuestionId[]

type Observation = { answer: string } | { why: string }

function sorted(seen: readonly (readonly [QuestionId, Observation])[]): Observations {
  const observed: Observations = { questions: {}, unseen: {} }
  for (const [id, one] of seen)
    if ('answer' in one) observed.questions[id] = one.answer
    else observed.unseen[id] = one.why
  return observed
}

async function withTimeout(seen: Promise<Observation>, by: SystemClock): Promise<Observation> {
  const late = Promise.withResolvers<Observation>()
  const cancel = by.startTimer(OBSERVATION_TIMEOUT_MS, () =>
    late.resolve({ why: `no answer in ${OBSERVATION_TIMEOUT_MS} ms` }),
  )
  return Promise.race([seen, late.promise]).finally(cancel)
}

async function observeQuestion(id: QuestionId, probe: Probe): Promise<Observation> {
  const observer = OBSERVERS[id]
  if (!observer) return { why: UNOBSERVABLE[id] ?? 'it is not looked at from outside' }
  try {
    const answer = await observer(probe)
    if (answer === null) return { why: 'the target answers in none of the known ways' }
    return { answer }
  } catch (error) {
    if (error instanceof SkipCase || error instanceof CheckFailure || error instanceof UserError)
      return { why: error.message }
    // What an observer reads without asking first: the target has another form there.
    if (error instanceof TypeError)
      return { why: 'the target answers in a form that is not known here' }
    throw error
  }
}
