/** How a target answers the open questions: read off, not judged, for a stand-in to do alike. */
import type { Machine } from '../clock/machine.ts'
import { QUESTIONS, type QuestionId } from '../contract/questions.ts'
import type { Carrier } from './carrier.ts'
import { ACCESS_OBSERVERS } from './observers/access.ts'
import { BEHAVIOUR_OBSERVERS } from './observers/behaviour.ts'
import { CONTENT_OBSERVERS } from './observers/content.ts'
import { FEATURE_OBSERVERS } from './observers/features.ts'
import { FORM_OBSERVERS } from './observers/forms.ts'
import { FUTURES_OBSERVERS } from './observers/futures.ts'
import { INDICATOR_OBSERVERS } from './observers/indicators.ts'
import { MARKET_OBSERVERS } from './observers/market.ts'
import type { Observers } from './observers/observer.ts'
import { SOCKET_OBSERVERS } from './observers/sockets.ts'
import { STOCK_OBSERVERS } from './observers/stocks.ts'
import { TRADER_OBSERVERS } from './observers/traders.ts'
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
}

export interface Observed {
  /** As `serve --questions` and a new sandbox take them. */
  questions: Record<string, string>
  /** Questions that this target did not answer, and why. */
  unseen: Record<string, string>
}

/** Observes every question that can be seen from outside. */
export async function observe(target: Target, carrier: Carrier, by: Machine): Promise<Observed> {
  const observed: Observed = { questions: {}, unseen: {} }
  const start = `observe-${by.nowMs().toString(36)}`
  let count = 0
  const pen = {
    nowS: () => Math.floor(by.nowMs() / 1000),
    nonce: () => `${start}-${count++}`,
  }
  for (const id of Object.keys(QUESTIONS) as QuestionId[]) {
    const probe = new Probe(target, carrier, pen)
    const seen = await look(id, probe)
    probe.close()
    if ('answer' in seen) observed.questions[id] = seen.answer
    else observed.unseen[id] = seen.why
  }
  return observed
}

async function look(id: QuestionId, probe: Probe): Promise<{ answer: string } | { why: string }> {
  const observer = OBSERVERS[id]
  if (!observer) return { why: 'it is not looked at from outside' }
  try {
    const answer = await observer(probe)
    if (answer === null) return { why: 'the target answers in none of the known ways' }
    return { answer }
  } catch (error) {
    if (error instanceof Skip || error instanceof Finding) return { why: error.message }
    throw error
  }
}
