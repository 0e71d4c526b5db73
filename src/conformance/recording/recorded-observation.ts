import { QUESTIONS, type QuestionId } from '../../contract/questions.ts'
import { type Observations, observeQuestion, sortedObservations } from '../observation.ts'
import { Probe } from '../probe.ts'
import type { RecordedAnswers } from './recorded-answers.ts'
import { NOBODY, RecordedTransport } from './recorded-transport.ts'

/** How the recorded service answers the open questions, as far as its recording shows it. */
export async function observeRecording(answers: RecordedAnswers): Promise<Observations> {
  const seen: (readonly [QuestionId, Awaited<ReturnType<typeof observeQuestion>>])[] = []
  for (const id of Object.keys(QUESTIONS) as QuestionId[]) {
    // A target of its own for each: what one question has used up, another may ask.
    let nonces = 0
    const signing = { nowS: () => NOW_S, nonce: () => String(nonces++) }
    const target = { keys: { full: NOBODY }, patienceMs: 0 }
    const probe = new Probe(target, new RecordedTransport(answers, signing.nowS), signing, {
      retries: 0,
    })
    seen.push([id, await observeQuestion(id, probe)])
    probe.close()
  }
  return sortedObservations(seen)
}

/** Any will do: nothing of it is compared with recorded times. */
const NOW_S = 1_700_000_000
