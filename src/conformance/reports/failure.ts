/** Failed cases for people: findings, differences, reproduction, and causes. */

import { diffArrays } from 'diff'
import { CHANNELS, OPERATIONS } from '../../contract/catalogue.ts'
import { type Said, type SaidAnswer, type SaidSocket, TEXT_MAX } from '../conversation.ts'
import type { Report } from '../report.ts'
import { isJsonObject } from '../responses.ts'
import type { Result } from '../runner.ts'
import { type Fetched, shellSample } from '../samples/shell.ts'

export interface Failure {
  id: string
  title: string
  /** Requirements of the contract: id and sentence. */
  expected: { id: string; text: string }[]
  found: string
  /** Empty where the message is complete. */
  evidence: string
  conversation: { text: string; again: string; isLatest: boolean }[]
  /** Command for the case alone. */
  again: string
}

/** Everything needed to understand and reproduce a failed case. */
export function failureOf({ requirements, command }: Report, result: Result): Failure {
  const { id, title, checks, message, evidence, conversation } = result
  return {
    id,
    title,
    expected: requirements.filter((one) => checks.includes(one.id)),
    found: message,
    evidence: evidenceText(evidence),
    conversation: conversation.map((said) => ({
      text: conversationText(said),
      again: shellCommand(said),
      isLatest: said === latestOf(conversation),
    })),
    again: onlyCommand(command, id),
  }
}

/** The latest exchange: a socket is opened long before a failure on it. */
export function latestOf(conversation: readonly Said[]): Said | undefined {
  const times = conversation.map((said) => {
    const frames = said.kind === 'socket' ? said.frames : []
    return Math.max(said.afterMs, said.answer?.afterMs ?? 0, frames.at(-1)?.afterMs ?? 0)
  })
  return conversation[times.lastIndexOf(Math.max(...times))]
}

/** Why the target answered the deciding request so, as lines; none where that is unknown. */
export const reasonOf = ({ conversation }: Result): readonly string[] =>
  latestOf(conversation)?.reason ?? []

/** The failures of a report. */
export const failuresOf = (report: Report): Failure[] =>
  report.results
    .filter(({ verdict }) => verdict === 'failed')
    .map((result) => failureOf(report, result))

/** A failure as plain text. */
export function failureText({ expected, found, evidence, conversation, again }: Failure): string {
  const parts = [
    ...expected.map(({ id, text }) => `Expected: ${text} [${id}]`),
    `Failed: ${found}`,
    ...(evidence === '' ? [] : [evidence]),
    ...conversation.map((said) => `${said.text}\n\n${said.again}`),
    again,
  ]
  return parts.join('\n\n')
}

// Text of a failure for people, without secrets and signatures.

export const shownText = (text: string, max = TEXT_MAX): string =>
  text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text

/** Evidence as text: expected and found values as a line difference. */
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

/** One request with its response, or one socket with every frame and its time. */
function conversationText(said: Said): string {
  const lines = said.kind === 'request' ? [...requested(said)] : [...spoken(said)]
  return lines.join('\n')
}

function* requested(said: Said & { kind: 'request' }): Generator<string> {
  yield `${timeText(said.afterMs)} ${said.method} ${said.address}`
  yield `  ${signatureText(said)}`
  if (said.body !== undefined) {
    yield '  content-type: application/json'
    yield shownText(said.body)
  }
  yield* answered(said.answer)
  yield* explained(said)
}

function* spoken(said: SaidSocket): Generator<string> {
  yield `${timeText(said.afterMs)} SOCKET ${said.address}`
  yield `  ${signatureText(said)}`
  if (said.answer !== null) yield* answered(said.answer)
  yield* explained(said)
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

function* explained({ reason = [] }: Said): Generator<string> {
  for (const [at, line] of reason.entries())
    yield at === 0 ? `  why, by the journal: ${line}` : `    ${line}`
}

/** Signature of a request, as text. */
function signatureText({ signature }: Said): string {
  const { by, in: place, ageS, isAltered } = signature
  if (place === 'nowhere') return '(not signed)'
  const age = ageS === 0 ? '' : `, ${Math.abs(ageS)} s ${ageS > 0 ? 'old' : 'ahead'}`
  const wrong = isAltered ? ', made wrong on purpose' : ''
  return `(signed by the ${by} key in the ${place}${age}${wrong})`
}

const timeText = (ms: number): string => `${Math.round(ms)} ms`.padStart(9)

// Command lines that repeat a case's requests, for a POSIX shell.

/** With curl or websocat; openssl computes the signature when it is run. */
export function shellCommand(said: Said): string {
  const { isAltered, sent } = said.signature
  const signed = signatureText(said).slice(1, -1)
  if (!isAltered) return shellSample(requestedBy(said), { by: signed })
  // Only the case itself can compute wrong credentials from the secret.
  if (sent === undefined) return shellSample(requestedBy(said), { by: `${signed}, rightly here` })
  return shellSample(requestedBy(said), { by: signed, sent })
}

/** The suite for one case only. */
export const onlyCommand = (run: string, id: string): string => `${run} --only ${id}`

function requestedBy(said: Said): Fetched {
  const { address, signature } = said
  const place = { address, signedIn: signature.in, ageS: signature.ageS }
  if (said.kind === 'request') {
    const { method, body } = said
    return { kind: 'request', method, ...place, ...(body === undefined ? {} : { body }) }
  }
  if (said.answer !== null) {
    const http = { ...place, address: address.replace(/^ws/, 'http') }
    return { kind: 'request', method: 'GET', ...http, opensSocket: true }
  }
  const sent = said.frames.filter(({ from, text }) => from === 'suite' && !text.startsWith('('))
  return { kind: 'socket', ...place, frames: sent.map(({ text }) => text) }
}

// Line differences between two texts.

/** Equal lines shown around a different one. */
const CONTEXT = 3
/** Maximum lines added and removed; beyond that all lines count as different. */
const EDITS_MAX = 1_000

type Line = readonly [sign: ' ' | '-' | '+', text: string]

/** Equal lines with two spaces, expected ones with `-`, found ones with `+`; few equal ones. */
export function lineDifferences(expected: readonly string[], found: readonly string[]): string[] {
  const lines = aligned(expected, found)
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(([sign]) => sign !== ' '),
  )
  const reported: string[] = []
  let left = 0
  for (const [at, [sign, text]] of lines.entries()) {
    if (!isNear[at]) {
      left++
      continue
    }
    if (left > 0) reported.push(omitted(left))
    left = 0
    reported.push(`${sign} ${text}`)
  }
  return left > 0 ? [...reported, omitted(left)] : reported
}

const omitted = (count: number): string =>
  count === 1 ? '  … (a common line)' : `  … (${count} common lines)`

/** Lines of both texts in order; all of them differ when the texts have too little in common. */
function aligned(expected: readonly string[], found: readonly string[]): Line[] {
  const changes = diffArrays([...expected], [...found], { maxEditLength: EDITS_MAX })
  if (!changes) return [...signed('-', expected), ...signed('+', found)]
  return changes.flatMap(({ added, removed, value }) =>
    signed(added ? '+' : removed ? '-' : ' ', value),
  )
}

const signed = (sign: Line[0], lines: readonly string[]) => lines.map((text): Line => [sign, text])

// Failures by cause: one fault of a target fails many cases.

/** Common cause of several failures. */
export interface Cause {
  /** Without the parts that differ between them. */
  text: string
  /** Some of the paths and channels where it was found. */
  places: string[]
  failures: Failure[]
}

/**
 * Causes that explain most failures first, then single failures of meaning, then those of form,
 * each by their number; within each cause those of responses and pushes as such.
 */
export function causesOf(report: Report): Cause[] {
  const causes = new Map<string, Cause>()
  for (const result of report.results.filter(({ verdict }) => verdict === 'failed')) {
    const text = causeText(result)
    const cause = causes.get(text) ?? { text, places: [], failures: [] }
    causes.set(text, cause)
    cause.failures.push(failureOf(report, result))
    const place = placeOf(result)
    if (place !== null && !cause.places.includes(place)) cause.places.push(place)
  }
  for (const { failures } of causes.values()) failures.sort((a, b) => rankOf(a) - rankOf(b))
  const all = report.results.filter(({ verdict }) => verdict === 'failed').length
  const order = (cause: Cause) => orderOf(cause, all)
  return [...causes.values()].sort(
    (a, b) => order(a) - order(b) || b.failures.length - a.failures.length,
  )
}

/** One that explains so many failures, or this part of all, comes before single ones. */
const [EXPLAINED, EXPLAINED_PART] = [10, 0.25]

function orderOf({ failures: { length }, failures }: Cause, all: number): number {
  if (length >= EXPLAINED && length >= all * EXPLAINED_PART) return 0
  return failures.some(({ id }) => OF_MEANING.test(id)) ? 1 : 2
}

/** Cases and rules about what values mean, rather than how they are written. */
const OF_MEANING = /^(ledger|identities|meaning|effects|run)\./

/** Cases of responses and pushes as such show a fault more directly than others. */
const rankOf = ({ id }: Failure): number => (/^(?:answer|channel)\./.test(id) ? 0 : 1)

/** Number of causes shown first; the rest are shown on request. */
export const CAUSES_MAX = 15

/** Number of named places; the others are counted. */
const PLACES_MAX = 5

/** `3 cases: /coin, /hl/ws`. */
export function extentText({ failures, places }: Cause): string {
  const cases = failures.length === 1 ? '1 case' : `${failures.length} cases`
  if (places.length === 0) return cases
  const more = places.length - PLACES_MAX
  const named = places.slice(0, PLACES_MAX).join(', ')
  const rest = more > 0 ? `, and on ${more} other paths of the failures below` : ''
  return `${cases}: ${named}${rest}`
}

function causeText({ message, evidence }: Result): string {
  const refusal = refusalIn(evidence)
  if (refusal !== null) return `refused with ${refusal} where success is expected`
  const isClosed = isJsonObject(evidence) && typeof evidence.closeCode === 'number'
  if (isClosed) return `a socket is closed with ${evidence.closeCode} while an answer is awaited`
  const text = message
    .replace(/^[\w-]+(?:\.[\w-]+)+: /, '')
    .replaceAll(/[\w.]+/g, (word) => (IDS.has(word) ? '…' : word))
    .replaceAll(/\.\d+(?=[.:])|\[\d+\]/g, '[]')
    .replace(/(?:, found |: [{[]).*$/s, '')
    // Status codes matter, other numbers do not.
    .replaceAll(/(?<![\w.#])(?![1-5]\d\d\b)\d+(?:\.\d+)?(?![\w.])/g, '#')
    .replaceAll(/(^|\s)(?:\/[\w.{}:-]+)+/g, '$1…')
    .replaceAll(/\b0x[\da-f]+/gi, '0x…')
  // Most messages are requirements, some are findings.
  return IS_FOUND.test(message) ? text.trim() : `does not hold: ${text.trim()}`
}

/** Beginning of a flaw's message, and messages without a response. */
const IS_FOUND = /^[\w-]+(?:\.[\w-]+)+: | is not answered|^nothing came of it/

const IDS = new Set<string>([...OPERATIONS, ...CHANNELS].map(({ id }) => id))

/** `401 Invalid signature`, where success was expected; else null. */
function refusalIn(evidence: unknown): string | null {
  if (!isJsonObject(evidence) || !isJsonObject(evidence.expected)) return null
  const { expected, found } = evidence
  if (expected.said !== 'success' || !isJsonObject(found)) return null
  const words = found.msg ?? found.error ?? found.message ?? found.body
  return typeof words === 'string' && words !== ''
    ? `${found.status} "${words}"`
    : `${found.status}`
}

/** Path of the request, below the prefix. */
function placeOf({ conversation }: Result): string | null {
  const address = latestOf(conversation)?.address
  if (address === undefined) return null
  const path = address.replace(/^\w+:\/\/[^/]+/, '').split('?')[0] ?? ''
  return path
    .replace(/^(?:\/s\/[^/]+)?\/api\/upgrade\/v2/, '')
    .replaceAll(/0x[\da-f]+/gi, '{address}')
    .replaceAll(/\/\d+/g, '/{id}')
}
