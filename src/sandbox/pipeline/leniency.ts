/**
 * What a request has beyond what the contract literally allows: accepted by default and reported in
 * the journal, refused where the sandbox answers the question so (`strict`).
 */

import { isMarked } from '../../contract/fields/json-bounds.ts'
import { meaningOf } from '../../contract/meaning.ts'
import { isJsonType, type Operation } from '../../contract/operation.ts'
import { exceedsCut, parameterFields, parameterNames } from '../../contract/parameter-reader.ts'
import { parseQueryLists } from '../../contract/paths.ts'
import { type LENIENCY_QUESTIONS, STRICT_ANSWERS } from '../../contract/questions/leniency.ts'
import type { Answers } from '../../contract/questions.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { TObject, TSchema } from '../../contract/schema.ts'
import { CREDENTIAL_NAMES } from '../../contract/signature.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { credentialsIn } from '../authorization.ts'
import { beginningOf } from '../journal/journal.ts'
import type { OperationCall } from './operation-call.ts'

type LeniencyId = keyof typeof LENIENCY_QUESTIONS

/** One thing that the contract does not show. */
interface Leniency {
  question: LeniencyId
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

/**
 * The first of a request as text, `unknown-parameters: page`; and the values that are silently cut,
 * as the contract says, `value-cut: limit`.
 */
export function lenientNames(call: OperationCall): string[] {
  const all = lenienciesOf(call)
  const cut = cutNames(call)
  if (all.length === 0 && cut.length === 0) return NO_NAMES_KEPT
  return [...all.map(({ question, what }) => `${question}: ${what}`), ...cut]
}

/** Parameters of an operation that matter here, by their meaning. */
interface JudgedFields {
  /** With a maximum above which values are cut. */
  cut: readonly { name: string; schema: TSchema; isInBody: boolean }[]
  /** Names of pairs in the query. */
  pairs: readonly string[]
}

const judgedFields = new WeakMap<Operation, JudgedFields>()

function judgedFieldsOf(operation: Operation): JudgedFields {
  const known = judgedFields.get(operation)
  if (known) return known
  const { query, body } = operation.params
  const fieldsIn = (schema: TSchema | undefined, isInBody: boolean) =>
    schema?.type === 'object'
      ? parameterFields(schema as TObject).map((field) => ({ ...field, isInBody }))
      : []
  const inQuery = fieldsIn(query, false)
  const fields = [...inQuery, ...fieldsIn(body, true)]
  const made = {
    cut: fields.filter(({ schema }) => schema['x-cut'] !== undefined),
    pairs: inQuery.filter(({ schema }) => meaningOf(schema) === 'symbol').map(({ name }) => name),
  }
  judgedFields.set(operation, made)
  return made
}

function cutNames(call: OperationCall): string[] {
  const { cut } = judgedFieldsOf(call.operation)
  if (cut.length === 0) return NO_NAMES_KEPT
  const body = isJsonObject(call.body) ? call.body : NO_FIELDS
  const isCut = ({ name, schema, isInBody }: (typeof cut)[number]) => {
    const sent = (isInBody ? body : call.query)[name]
    return sent !== undefined && exceedsCut(schema, sent)
  }
  return cut.filter(isCut).map(({ name }) => `value-cut: ${name}`)
}

const NO_FIELDS: Readonly<Record<string, unknown>> = {}

/** A pair with a capital letter; indexes and stocks begin with `i:`. */
const CAPITAL_PAIR = /^(?!i:)(?=.*[A-Z])[^:,]{1,100}:[^:,]{1,100}$/

/** Names of pairs in the query that are in capital letters. */
const capitalPairs = ({ operation, query }: OperationCall): readonly string[] =>
  judgedFieldsOf(operation).pairs.filter((name) => CAPITAL_PAIR.test(query[name] ?? ''))

/** Of most requests: one for all of them. */
const NO_NAMES_KEPT: string[] = []

/** The refusal of the first that the sandbox does not accept; null for none. */
export function strictRefusal(call: OperationCall, answers: Answers): Refusal<'invalid'> | null {
  for (const id of JUDGED)
    if (answers[id] === REFUSING[id]) {
      const isRefused = (one: LeniencyId) => answers[one] === REFUSING[one as Judged]
      const [first] = lenienciesOf(call, isRefused)
      if (first === undefined) return null
      const { question, what, expected } = first
      return { refused: 'invalid', parameter: what, expected, question }
    }
  return null
}

// Signatures are judged with authentication: those answers decide which of them counts.
const { 'nonce-reuse': _nonce, 'signature-in-body': _place, ...REFUSING } = STRICT_ANSWERS
type Judged = keyof typeof REFUSING
const JUDGED = Object.keys(REFUSING) as Judged[]

/** Maximum number of found ones, and length of a name. */
const [MOST, NAME_LENGTH] = [10, 100]

const isAny = () => true

type Add = (question: LeniencyId, name: string, expected: string) => void

/** The first of a request that count; none of an operation that the contract does not have. */
function lenienciesOf(
  call: OperationCall,
  isCounted: (question: LeniencyId) => boolean = isAny,
): readonly Leniency[] {
  const { operation, request, query, body, isSignedInBody } = call
  if (operation.profile !== undefined) return NOTHING
  // Most requests are plain reads with documented names, once each.
  const capitals = capitalPairs(call)
  if (operation.method === 'GET' && capitals.length === 0 && isAsShown(call)) return NOTHING
  const found: Leniency[] = []
  const add: Add = (question, name, expected) => {
    if (found.length < MOST && isCounted(question))
      found.push({ question, what: beginningOf(name, NAME_LENGTH), expected })
  }
  if (isSignedInBody && operation.id !== SHOWN_IN_BODY)
    add('signature-in-body', 'the signature', 'in the query string')
  const { params } = operation
  namesIn(query, params.query, add)
  repeatedIn(call, add)
  for (const name of capitals) add('pair-letters', name, 'in small letters')
  if (operation.method !== 'GET') {
    if (isJsonObject(body) && params.body?.additionalProperties !== true)
      namesIn(body, params.body?.type === 'object' ? (params.body as TObject) : undefined, add)
    if (request.body !== '' && !isJsonType(request))
      add('body-content-type', 'Content-Type', 'application/json')
    if (isMarked(request.body)) add('byte-order-mark', 'the body', 'JSON without a byte order mark')
  }
  return found
}

/** Names that the operation does not have, and other spellings. */
function namesIn(given: object, schema: TObject | undefined, add: Add): void {
  const names = schema ? parameterNames(schema) : NO_NAMES
  for (const name in given) {
    if (CREDENTIALS.has(name)) continue
    const documented = names.get(name)
    if (documented === name || isListName(name, documented, schema)) continue
    if (documented === undefined)
      add('unknown-parameters', name, 'left out: the operation does not have it')
    else add('parameter-spelling', name, `spelled ${documented}`)
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

function repeatedIn({ operation, request }: OperationCall, add: Add): void {
  const schema = operation.params.query
  const names = schema ? parameterNames(schema) : NO_NAMES
  for (const [name, values] of Object.entries(parseQueryLists(request.query))) {
    const isList = schema?.properties[names.get(name) ?? name]?.['x-repeat'] === true
    if (values !== undefined && values.length > 1 && !isList)
      add('repeated-parameters', name, 'there once')
  }
}
