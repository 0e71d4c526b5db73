/**
 * Every way in which the service says no (spec, Errors). What each looks like on the wire stands
 * in refusal-forms.ts.
 */
import type { Envelope } from './envelope.ts'
import { type Answers, byAnswer, CHOSEN } from './questions.ts'
import { REFUSALS, type RefusalForm } from './refusal-forms.ts'

/** A refusal: any of the closed list, or one of those that are named. */
export type Refusal<N extends RefusalName = RefusalName> = Extract<Listed, { refused: N }>

export type RefusalName = Listed['refused']

type Listed =
  | { refused: 'signature' }
  | { refused: 'permission'; name: string }
  | { refused: 'missing'; parameter: string }
  | { refused: 'invalid'; parameter: string; expected: string }
  | { refused: 'body'; expected: string }
  | { refused: 'symbol'; symbol: string }
  | { refused: 'bitcoinOnly' }
  | { refused: 'position' }
  | { refused: 'news' }
  | { refused: 'alert' }
  | { refused: 'alertAbsent' }
  | { refused: 'index' }
  | { refused: 'infoType'; type: string }
  | { refused: 'invite' }
  | { refused: 'resourceType' }
  | { refused: 'action'; name: string }
  | { refused: 'level'; name: string }
  | { refused: 'subKey'; why: string }
  | { refused: 'subKeyAbsent'; name: string }
  | { refused: 'rate'; perMinute: number; retryAfterS: number }
  | { refused: 'quota'; retryAfterS: number }
  | { refused: 'timeRange'; mostS: number }
  | { refused: 'connections'; most: number }
  | { refused: 'weight' }
  | { refused: 'path' }
  | { refused: 'method'; allowed: string[] }
  | { refused: 'tooLarge'; maxBytes: number }
  | { refused: 'fault' }

/** A pair that is not known. */
export const refuseSymbol = (symbol: string): Refusal<'symbol'> => ({ refused: 'symbol', symbol })

/** Tells a refusal from an answer. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value
}

/** The words of a refusal. */
export function refusalText(refusal: Refusal): string {
  return REFUSALS[refusal.refused].text(refusal as never)
}

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
  answers: Answers = CHOSEN,
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
