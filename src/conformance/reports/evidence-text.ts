/** What a failure shows, as people read it. No secret and no signature is in it. */

import { type Said, type SaidAnswer, type SaidSocket, TEXT_MAX } from '../conversation.ts'
import { isJsonObject } from '../parsed-json.ts'
import { lineDifferences } from './line-differences.ts'

export const shownText = (text: string, max = TEXT_MAX): string =>
  text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text

/** Evidence as text: what was expected and what was found as the lines in which they differ. */
export function evidenceText(evidence: unknown): string {
  if (isJsonObject(evidence) && 'expected' in evidence)
    return shownText(differenceText(linesOf(evidence.expected), linesOf(evidence.found)))
  const text = typeof evidence === 'string' ? evidence : JSON.stringify(evidence, null, 2)
  return shownText(text ?? '')
}

/** Without commas: the last field of an object has none. */
const linesOf = (value: unknown): string[] =>
  (JSON.stringify(value, null, 2) ?? '(nothing)').replaceAll(/,$/gm, '').split('\n')

const differenceText = (expected: readonly string[], found: readonly string[]): string =>
  ['--- expected', '+++ found', ...lineDifferences(expected, found)].join('\n')

/** One request with its answer, or one socket with every frame and its time. */
export function conversationText(said: Said): string {
  const lines = said.kind === 'request' ? [...asked(said)] : [...spoken(said)]
  return lines.join('\n')
}

function* asked(said: Said & { kind: 'request' }): Generator<string> {
  yield `${timeText(said.afterMs)} ${said.method} ${said.address}`
  yield `  ${signatureText(said)}`
  if (said.body !== undefined) {
    yield '  content-type: application/json'
    yield shownText(said.body)
  }
  yield* answered(said.answer)
}

function* spoken(said: SaidSocket): Generator<string> {
  yield `${timeText(said.afterMs)} SOCKET ${said.address}`
  yield `  ${signatureText(said)}`
  if (said.answer !== null) yield* answered(said.answer)
  if (said.omitted > 0) yield `  (${said.omitted} earlier frames are left out)`
  for (const { afterMs, from, text } of said.frames)
    yield `${timeText(afterMs)} ${from === 'suite' ? '>' : '<'} ${shownText(text)}`
  if (said.closeCode !== null) yield `  closed by the target with ${said.closeCode}`
}

function* answered(answer: SaidAnswer | null): Generator<string> {
  if (answer === null) return yield '  (no answer)'
  yield `${timeText(answer.afterMs)} ${answer.status}`
  yield `  content-type: ${answer.contentType || '(none)'}`
  if (answer.retryAfter !== undefined) yield `  retry-after: ${answer.retryAfter}`
  yield shownText(answer.text)
}

/** How it was signed, in words. */
export function signatureText({ signature }: Said): string {
  const { by, in: place, ageS, isAltered } = signature
  if (place === 'nowhere') return '(not signed)'
  const age = ageS === 0 ? '' : `, ${Math.abs(ageS)} s ${ageS > 0 ? 'old' : 'ahead'}`
  const wrong = isAltered ? ', made wrong on purpose' : ''
  return `(signed by the ${by} key in the ${place}${age}${wrong})`
}

const timeText = (ms: number): string => `${Math.round(ms)} ms`.padStart(9)
