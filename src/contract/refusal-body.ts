/** A refusal as it is sent. */
import type { Envelope } from './envelope.ts'
import { type Answers, byAnswer, DEFAULT_ANSWERS } from './questions.ts'
import type { Refusal, RefusalName } from './refusal.ts'
import { REFUSALS, type RefusalForm } from './refusal-forms.ts'

/** The words of a refusal. */
export function refusalText(refusal: Refusal): string {
  const text = REFUSALS[refusal.refused].text(refusal as never)
  // Some quote what was given, which is as long as the client likes.
  return text.length <= TEXT_LENGTH ? text : `${text.slice(0, TEXT_LENGTH)}…`
}

const TEXT_LENGTH = 2_000

/** What a refusal answers, as far as its form depends on it. */
interface Refusing {
  envelope: Envelope
}

/**
 * The envelope of a refusal: its own, but that of a distributor's request follows the question
 * `distributor-refusal`.
 */
export function refusalEnvelope(
  refused: RefusalName,
  operation?: Refusing,
  answers: Answers = DEFAULT_ANSWERS,
): RefusalForm['envelope'] {
  const { envelope } = REFUSALS[refused]
  if (operation?.envelope.kind !== 'C' || !OF_A_REQUEST.has(refused)) return envelope
  const answer = answers['distributor-refusal']
  return answer === 'C' || (answer === 'by-flaw' && refused !== 'missing') ? 'C' : 'B'
}

/** What can be wrong with what a distributor asks for. */
const OF_A_REQUEST: ReadonlySet<RefusalName> = new Set<RefusalName>([
  ...(['missing', 'invalid', 'body', 'resourceType', 'action'] as const),
])

/** What is sent: status and body, by an operation and under some answers to the open questions. */
export function refusalForm(
  refusal: Refusal,
  answers?: Answers,
  operation?: Refusing,
): { status: number; body: string } {
  const form = REFUSALS[refusal.refused]
  const { variants } = form
  const variant = answers && variants && byAnswer(variants, answers)
  const text = JSON.stringify(variant?.text ?? refusalText(refusal))
  return {
    status: variant?.status ?? form.status,
    body: BODIES[refusalEnvelope(refusal.refused, operation, answers)](
      variant?.code ?? form.code,
      text,
    ),
  }
}

/** The body of a refusal by an operation. */
export const refusalBody = (refusal: Refusal, operation?: Refusing): string =>
  refusalForm(refusal, undefined, operation).body

const BODIES: Record<RefusalForm['envelope'], (code: string, text: string) => string> = {
  A: (code, text) => `{"success":false,"errorCode":${code},"error":${text},"data":null}`,
  B: (code, text) => `{"code":"${code}","msg":${text},"data":null}`,
  C: (_, text) => `{"success":false,"error":${text}}`,
}
