/** A refusal as it is sent. */
import type { Answers } from './questions.ts'
import type { Refusal } from './refusal.ts'
import { REFUSALS, type RefusalForm } from './refusal-forms.ts'

/** The words of a refusal. */
export function refusalText(refusal: Refusal): string {
  return REFUSALS[refusal.refused].text(refusal as never)
}

/** What is sent: status and body, under some answers to the open questions. */
export function refusalForm(refusal: Refusal, answers?: Answers): { status: number; body: string } {
  const form = REFUSALS[refusal.refused]
  const { variants } = form
  const variant = answers && variants?.is[answers[variants.question]]
  const text = JSON.stringify(variant?.text ?? refusalText(refusal))
  return {
    status: variant?.status ?? form.status,
    body: BODIES[form.envelope](variant?.code ?? form.code, text),
  }
}

/** The body of a refusal. */
export const refusalBody = (refusal: Refusal): string => refusalForm(refusal).body

const BODIES: Record<RefusalForm['envelope'], (code: string, text: string) => string> = {
  A: (code, text) => `{"success":false,"errorCode":${code},"error":${text},"data":null}`,
  B: (code, text) => `{"code":"${code}","msg":${text},"data":null}`,
  C: (_, text) => `{"success":false,"error":${text}}`,
}
