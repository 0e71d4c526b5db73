/** Failures by what they have in common: one fault of a target fails many cases. */
import { CHANNELS, OPERATIONS } from '../../contract/catalogue.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { Report } from '../report.ts'
import type { Result } from '../runner.ts'
import { type Failure, failureOf, latestOf } from './failure.ts'

/** What several failures have in common. */
export interface Cause {
  /** Without what differs from one to the other. */
  text: string
  /** Paths and channels at which it was found; a part of them. */
  places: string[]
  failures: Failure[]
}

/** Those with the most failures first, and of each those of answers and pushes as such. */
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
  return [...causes.values()].sort((a, b) => b.failures.length - a.failures.length)
}

/** Cases of answers and pushes as such tell of a fault more plainly than others that meet it. */
const rankOf = ({ id }: Failure): number => (/^(?:answer|channel)\./.test(id) ? 0 : 1)

/** Reasons that a reader looks through; those after them are told when asked for. */
export const CAUSES_MAX = 15

/** Places that are named; the others are counted. */
const PLACES_MAX = 5

/** `3 cases: /coin, /hl/ws`. */
export function extentText({ failures, places }: Cause): string {
  const cases = failures.length === 1 ? '1 case' : `${failures.length} cases`
  if (places.length === 0) return cases
  const more = places.length - PLACES_MAX
  const named = places.slice(0, PLACES_MAX).join(', ')
  return `${cases}: ${named}${more > 0 ? ` and ${more} more` : ''}`
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
    // A status says what is wrong, other numbers only where.
    .replaceAll(/(?<![\w.#])(?![1-5]\d\d\b)\d+(?:\.\d+)?(?![\w.])/g, '#')
    .replaceAll(/(^|\s)(?:\/[\w.{}:-]+)+/g, '$1…')
    .replaceAll(/\b0x[\da-f]+/gi, '0x…')
  // Most messages are sentences of what must hold, some of what was found.
  return IS_FOUND.test(message) ? text.trim() : `does not hold: ${text.trim()}`
}

/** What a flaw in the form begins with, and what is said where nothing came. */
const IS_FOUND = /^[\w-]+(?:\.[\w-]+)+: | is not answered|^nothing came of it/

const IDS = new Set<string>([...OPERATIONS, ...CHANNELS].map(({ id }) => id))

/** `401 Invalid signature`, where success was expected in its place; else null. */
function refusalIn(evidence: unknown): string | null {
  if (!isJsonObject(evidence) || !isJsonObject(evidence.expected)) return null
  const { expected, found } = evidence
  if (expected.said !== 'success' || !isJsonObject(found)) return null
  const words = found.msg ?? found.error ?? found.message ?? found.body
  return typeof words === 'string' && words !== ''
    ? `${found.status} "${words}"`
    : `${found.status}`
}

/** Where it was asked, below the prefix. */
function placeOf({ conversation }: Result): string | null {
  const address = latestOf(conversation)?.address
  if (address === undefined) return null
  const path = address.replace(/^\w+:\/\/[^/]+/, '').split('?')[0] ?? ''
  return path
    .replace(/^(?:\/s\/[^/]+)?\/api\/upgrade\/v2/, '')
    .replaceAll(/0x[\da-f]+/gi, '{address}')
    .replaceAll(/\/\d+/g, '/{id}')
}
