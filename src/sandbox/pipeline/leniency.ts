/**
 * What a request has beyond what the contract literally allows: accepted by default and reported in
 * the journal, refused where the sandbox answers the question so (`strict`).
 */

import { parameterNames } from '../../contract/parameter-reader.ts'
import { parseQueryLists } from '../../contract/paths.ts'
import type { LENIENCY_QUESTIONS } from '../../contract/questions/leniency.ts'
import type { Answers, QuestionId } from '../../contract/questions.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { TObject } from '../../contract/schema.ts'
import { CREDENTIAL_NAMES } from '../../contract/signature.ts'
import { credentialsIn } from '../authorization.ts'
import type { OperationCall } from './operation-call.ts'

/** One thing that the contract does not show. */
export interface Leniency {
  question: keyof typeof LENIENCY_QUESTIONS
  /** The parameter, or the content type. */
  what: string
  /** What would be right, after "must be". */
  expected: string
}

/** The documents show the signature in the body of this operation's call. */
const SHOWN_IN_BODY = 'content.aiCoins'

/** The call with the signature that counts: in a strict sandbox that of the query. */
export function withCountedSignature(call: OperationCall, answers: Answers): OperationCall {
  const isCounted =
    !call.isSignedInBody ||
    answers['signature-in-body'] === 'accept' ||
    call.operation.id === SHOWN_IN_BODY
  return isCounted ? call : { ...call, signed: credentialsIn(call.query) }
}

/** All of a request. */
export function lenienciesOf(call: OperationCall): readonly Leniency[] {
  const { operation, request, query, body, isSignedInBody } = call
  // Most requests are plain reads with documented names, once each.
  if (operation.method === 'GET' && isAsShown(call)) return NOTHING
  const found: Leniency[] = []
  if (isSignedInBody && operation.id !== SHOWN_IN_BODY)
    found.push(of('signature-in-body', 'the signature', 'in the query string'))
  const { params } = operation
  namesIn(query, params.query, found)
  repeatedIn(call, found)
  if (operation.method !== 'GET') {
    if (isPlainObject(body) && params.body?.additionalProperties !== true)
      namesIn(body, params.body?.type === 'object' ? (params.body as TObject) : undefined, found)
    const { contentType, body: text } = request
    if (text !== '' && contentType !== undefined && !JSON_TYPE.test(contentType ?? ''))
      found.push(of('body-content-type', 'Content-Type', 'application/json'))
  }
  return found
}

/** The refusal of the first that the sandbox does not accept; null for none. */
export function strictRefusal(call: OperationCall, answers: Answers): Refusal<'invalid'> | null {
  if (!isStrict(answers)) return null
  for (const { question, what, expected } of lenienciesOf(call))
    if (question !== 'signature-in-body' && REFUSING.has(answers[question as QuestionId]))
      return { refused: 'invalid', parameter: what, expected, question }
  return null
}

const REFUSING: ReadonlySet<string> = new Set(['refuse', 'json'])

const isStrict = (answers: Answers): boolean =>
  answers['unknown-parameters'] === 'refuse' ||
  answers['repeated-parameters'] === 'refuse' ||
  answers['parameter-spelling'] === 'refuse' ||
  answers['body-content-type'] === 'json'

const of = (question: Leniency['question'], what: string, expected: string): Leniency => ({
  question,
  what,
  expected,
})

const JSON_TYPE = /^application\/(.+\+)?json\s*(;|$)/i

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names that the operation does not have, and other spellings. */
function namesIn(given: object, schema: TObject | undefined, found: Leniency[]): void {
  const names = schema ? parameterNames(schema) : NO_NAMES
  for (const name in given) {
    if (CREDENTIALS.has(name)) continue
    const documented = names.get(name)
    if (documented === name || isListName(name, documented, schema)) continue
    found.push(
      documented === undefined
        ? of('unknown-parameters', name, 'left out: the operation does not have it')
        : of('parameter-spelling', name, `spelled ${documented}`),
    )
  }
}

/** The contract repeats a list as `memberIds[]`. */
const isListName = (name: string, documented: string | undefined, schema?: TObject): boolean =>
  name === `${documented}[]` && schema?.properties[documented as string]?.['x-repeat'] === true

const NO_NAMES: ReadonlyMap<string, string> = new Map()
const CREDENTIALS: ReadonlySet<string> = new Set(CREDENTIAL_NAMES)

const NOTHING: readonly Leniency[] = []

/** Whether all names of a query are documented, and there are no more parameters than names. */
function isAsShown({ operation, request, query }: OperationCall): boolean {
  const schema = operation.params.query
  const names = schema ? parameterNames(schema) : NO_NAMES
  let count = 0
  for (const name in query) {
    if (names.get(name) !== name && !CREDENTIALS.has(name)) return false
    count++
  }
  const { query: text } = request
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) count--
  return count >= 1 || text === ''
}

function repeatedIn({ operation, request }: OperationCall, found: Leniency[]): void {
  const schema = operation.params.query
  const names = schema ? parameterNames(schema) : NO_NAMES
  for (const [name, values] of Object.entries(parseQueryLists(request.query))) {
    const isList = schema?.properties[names.get(name) ?? name]?.['x-repeat'] === true
    if (values !== undefined && values.length > 1 && !isList)
      found.push(of('repeated-parameters', name, 'there once'))
  }
}
