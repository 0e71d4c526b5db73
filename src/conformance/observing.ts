/** How a target answers the open questions: read off, not judged, for a stand-in to do alike. */
import type { Machine } from '../clock/machine.ts'
import { Complaint } from '../complaint.ts'
import { QUESTIONS, type QuestionId } from '../contract/questions.ts'
import type { Carrier } from './carrier.ts'
import { ACCESS_OBSERVERS } from './observers/access.ts'
import { BEHAVIOUR_OBSERVERS } from './observers/behaviour.ts'
import { CONTENT_OBSERVERS } from './observers/content.ts'
import { DISTRIBUTOR_OBSERVERS } from './observers/distributor.ts'
import { FEATURE_OBSERVERS } from './observers/features.ts'
import { FORM_OBSERVERS } from './observers/forms.ts'
import { FUTURES_OBSERVERS } from './observers/futures.ts'
import { INDICATOR_OBSERVERS } from './observers/indicators.ts'
import { MARKET_OBSERVERS } from './observers/market.ts'
import type { Observers } from './observers/observer.ts'
import { SOCKET_OBSERVERS } from './observers/sockets.ts'
import { STOCK_OBSERVERS } from './observers/stocks.ts'
import { TIME_OBSERVERS } from './observers/time.ts'
import { TRADER_OBSERVERS } from './observers/traders.ts'
import { UNSEEN } from './observers/unseen.ts'
import { Finding, Probe, Skip } from './probe.ts'
import type { Target } from './target.ts'

export const OBSERVERS: Observers = {
  ...ACCESS_OBSERVERS,
  ...FORM_OBSERVERS,
  ...BEHAVIOUR_OBSERVERS,
  ...SOCKET_OBSERVERS,
  ...CONTENT_OBSERVERS,
  ...FUTURES_OBSERVERS,
  ...INDICATOR_OBSERVERS,
  ...STOCK_OBSERVERS,
  ...FEATURE_OBSERVERS,
  ...MARKET_OBSERVERS,
  ...TRADER_OBSERVERS,
  ...DISTRIBUTOR_OBSERVERS,
  ...TIME_OBSERVERS,
}

export interface Observed {
  /** As `serve --questions` and a new sandbox take them. */
  questions: Record<string, string>
  /** Questions that this target did not answer, and why. */
  unseen: Record<string, string>
}

/** How long it may take to look at one question, ms. */
const LOOK_MS = 120_000

/** Observes every question that can be seen from outside. */
export async function observe(target: Target, carrier: Carrier, by: Machine): Promise<Observed> {
  const start = `observe-${by.nowMs().toString(36)}`
  let count = 0
  const pen = {
    nowS: () => Math.floor(by.nowMs() / 1000),
    nonce: () => `${start}-${count++}`,
  }
  const ids = Object.keys(QUESTIONS) as QuestionId[]
  const seen = new Map<QuestionId, Seen>()
  // What lets the target's time pass comes last: others look at a market that they know.
  for (const id of [...ids.filter((one) => !(one in TIME_OBSERVERS)), ...timed]) {
    const probe = new Probe(target, carrier, pen)
    seen.set(id, await bounded(look(id, probe), by))
    probe.close()
  }
  return sorted(ids.map((id) => [id, seen.get(id) as Seen]))
}

const timed = Object.keys(TIME_OBSERVERS) as QuestionId[]

type Seen = { answer: string } | { why: string }

function sorted(seen: readonly (readonly [QuestionId, Seen])[]): Observed {
  const observed: Observed = { questions: {}, unseen: {} }
  for (const [id, one] of seen)
    if ('answer' in one) observed.questions[id] = one.answer
    else observed.unseen[id] = one.why
  return observed
}

async function bounded(seen: Promise<Seen>, by: Machine): Promise<Seen> {
  const late = Promise.withResolvers<Seen>()
  const cancel = by.timer(LOOK_MS, () => late.resolve({ why: `no answer in ${LOOK_MS} ms` }))
  return Promise.race([seen, late.promise]).finally(cancel)
}

async function look(id: QuestionId, probe: Probe): Promise<Seen> {
  const observer = OBSERVERS[id]
  if (!observer) return { why: UNSEEN[id] ?? 'it is not looked at from outside' }
  try {
    const answer = await observer(probe)
    if (answer === null) return { why: 'the target answers in none of the known ways' }
    return { answer }
  } catch (error) {
    if (error instanceof Skip || error instanceof Finding || error instanceof Complaint)
      return { why: error.message }
    // What an observer reads without asking first: the target has another form there.
    if (error instanceof TypeError)
      return { why: 'the target answers in a form that is not known here' }
    throw error
  }
}
