/** A request in the pipeline: operation, caller and parameters. */

import Memoirist from 'memoirist'
import type { Slices } from '../../clock/turns.ts'
import { CONTRACT_BOUNDS, jsonBoundFlaw, withoutMark } from '../../contract/fields/json-bounds.ts'
import {
  type Envelope,
  type Operation,
  type OperationInput,
  wrap,
} from '../../contract/operation.ts'
import { hasRepeatable, readBody, readTextParameters } from '../../contract/parameter-reader.ts'
import { decoded, operationPath, parseQueryLists } from '../../contract/paths.ts'
import { isRefusal, type Refusal } from '../../contract/refusal.ts'
import type { TObject, TSchema } from '../../contract/schema.ts'
import { routedPath, SERVED_OPERATIONS } from '../../contract/served-operations.ts'
import { type ShownAs, shownValue, tapeValue } from '../../contract/shown-value.ts'
import { CREDENTIAL_NAMES, type Credentials } from '../../contract/signature.ts'
import { credentialsIn } from '../authorization.ts'
import type { Admission } from '../sandbox-store.ts'
import { type HttpRequest, parseQuery } from './http-message.ts'

/** The operation that a method and a path mean, over every transport. */
export interface Route {
  operation: Operation
  params: Record<string, string>
  sandbox?: string | undefined
}

/**
 * The operation of a path, under every prefix and every sandbox's base; or the refusal of an
 * unknown path or a wrong method. HEAD is allowed where GET is.
 */
export function routeOf(method: string, fullPath: string): Route | Refusal {
  const { path, sandbox } = routedPath(fullPath)
  const found = ROUTES.find(method === 'HEAD' ? 'GET' : method, path)
  if (found) return { operation: found.store, params: allDecoded(found.params), sandbox }
  const allowed = METHODS.filter((other) => ROUTES.find(other, path))
  return allowed.length > 0 ? { refused: 'method', allowed } : unknownPath(fullPath)
}

/** Refuses an unknown path, and names the likely one where there is a slash too many. */
function unknownPath(fullPath: string): Refusal<'path'> {
  if (fullPath.length > NEAR_MAX) return { refused: 'path' }
  const near = fullPath.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  const { path } = routedPath(near)
  const isServed = near !== fullPath && METHODS.some((method) => ROUTES.find(method, path))
  return isServed ? { refused: 'path', near } : { refused: 'path' }
}

/** Maximum length of a path for which similar ones are searched. */
const NEAR_MAX = 1000

const ROUTES = new Memoirist<Operation>()
// With its history it searches all paths for each of them, which would delay the start.
for (const operation of SERVED_OPERATIONS)
  ROUTES.add(operation.method, operationPath(operation), operation, { ignoreHistory: true })

const METHODS = [...new Set(SERVED_OPERATIONS.map(({ method }) => method))]

function allDecoded(params: Record<string, string>): Record<string, string> {
  const read: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) read[name] = decoded(value)
  return read
}

export interface OperationCall {
  operation: Operation
  request: HttpRequest
  query: Record<string, string>
  /** The body as JSON without signature parameters, `{}` if empty; undefined for invalid JSON. */
  body: unknown
  signed: Partial<Credentials>
  /** Whether signature parameters are in the body. */
  isSignedInBody: boolean
  /** The access key or invite token that identifies the sandbox. */
  ownerName: string | undefined
  /** Whether it is answered while no other replica can change the sandbox. */
  isExclusive?: boolean
  /** The caller, where it was admitted before the work begins. */
  admission?: Admission | undefined
}

/** Parses a request. The signature may be in the query or in a JSON body. */
export function operationCallOf(operation: Operation, request: HttpRequest): OperationCall {
  const query = parseQuery(request.query)
  const { value, fields } = parseBody(operation, request.body)
  const signed = credentialsIn({ ...credentialsIn(fields), ...credentialsIn(query) })
  const ownerName = signed.AccessKeyId ?? inviteIn(fields)
  const isSignedInBody =
    operation.method !== 'GET' && CREDENTIAL_NAMES.some((name) => name in fields)
  return { operation, request, query, body: value, signed, isSignedInBody, ownerName }
}

/** The parameters parsed by their schemas, instants in tape time; or their errors. */
export function readParameters(
  call: OperationCall,
  shownAs: ShownAs,
): OperationInput<unknown, unknown, unknown> | Refusal {
  const { operation, request, query, body } = call
  const { params } = operation
  const valuesFor = (schema: TObject) =>
    hasRepeatable(schema) ? parseQueryLists(request.query) : query
  const path = params.path ? readTextParameters(params.path, request.params) : {}
  if (isRefusal(path)) return path
  const queryValues = params.query ? readTextParameters(params.query, valuesFor(params.query)) : {}
  if (isRefusal(queryValues)) return queryValues
  const bodyValue = params.body ? readBody(params.body, body) : undefined
  if (isRefusal(bodyValue)) return bodyValue
  return {
    path: tapeValue(params.path, path, shownAs),
    query: tapeValue(params.query, queryValues, shownAs),
    body: tapeValue(params.body, bodyValue, shownAs),
  }
}

/**
 * Serialises data as JSON, its instants shifted. Frozen data is serialised once for each shift, as
 * it is returned repeatedly.
 */
export function* serialiseData(schema: TSchema, data: unknown, as: ShownAs): Slices<string> {
  if (Array.isArray(data) && data.length > LONG_LIST)
    return yield* serialiseList(schema.items as TSchema | undefined, data, as)
  // The check for extensibility is cheap; that for frozen data visits every element.
  if (typeof data !== 'object' || data === null || Object.isExtensible(data))
    return JSON.stringify(shownValue(schema, data, as))
  const cached = serialisedData.get(data)
  if (cached?.byMs === as.shiftMs) return cached.text
  const text = JSON.stringify(shownValue(schema, data, as))
  serialisedData.set(data, { byMs: as.shiftMs, text })
  return text
}

/** Serialises a long list piece by piece. */
function* serialiseList(schema: TSchema | undefined, list: unknown[], as: ShownAs): Slices<string> {
  const pieces: string[] = []
  for (let at = 0; at < list.length; at += PIECE_LENGTH) {
    const piece = list.slice(at, at + PIECE_LENGTH)
    const shifted = piece.map((element) => shownValue(schema, element, as))
    pieces.push(JSON.stringify(shifted).slice(1, -1))
    yield
  }
  return `[${pieces.join(',')}]`
}

/** Lists up to this length are serialised at once. */
const LONG_LIST = 1000
const PIECE_LENGTH = 50

/** Frozen data as JSON for a shift, and the body that it was last given in. */
interface SerialisedData {
  byMs: number
  text: string
  envelope?: Envelope
  body?: string
}

const serialisedData = new WeakMap<object, SerialisedData>()

/** The body with that data; the same text again where frozen data is returned repeatedly. */
export function wrappedData(envelope: Envelope, data: unknown, json: string): string {
  const known = typeof data === 'object' && data !== null ? serialisedData.get(data) : undefined
  if (known?.text !== json) return wrap(envelope, json)
  if (known.body !== undefined && known.envelope === envelope) return known.body
  known.envelope = envelope
  known.body = wrap(envelope, json)
  return known.body
}

/** An invite token belongs to a sandbox, as keys do. */
function inviteIn({ invite_token }: Record<string, unknown>): string | undefined {
  return typeof invite_token === 'string' ? invite_token : undefined
}

interface Body {
  value: unknown
  /** Its fields when it is an object. */
  fields: Record<string, unknown>
}

function parseBody(operation: Operation, sent: string): Body {
  if (operation.method === 'GET') return { value: undefined, fields: {} }
  const text = withoutMark(sent)
  if (/^[ \t\r\n]*$/.test(text)) return { value: {}, fields: {} }
  if (jsonBoundFlaw(text, CONTRACT_BOUNDS)) return { value: undefined, fields: {} }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { value: undefined, fields: {} }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { value, fields: {} }
  const rest = { ...value } as Record<string, unknown>
  for (const name of CREDENTIAL_NAMES) delete rest[name]
  return { value: rest, fields: value as Record<string, unknown> }
}
