/**
 * What a request asks for, field by field: by the schemas of its operation, so that a default and
 * the same value written out are one, and signatures, nonces and keys are not there at all.
 */
import { bodyOf, type Operation } from '../../contract/operation.ts'
import { readBody, readFields, readTextParameters } from '../../contract/parameter-reader.ts'
import { parseQueryLists } from '../../contract/query-text.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { TObject, TSchema } from '../../contract/schema.ts'
import { type ShownAs, tapeValue } from '../../contract/shown-value.ts'
import { CREDENTIAL_NAMES } from '../../contract/signature.ts'

/** A request apart from how it was carried. */
export interface GivenRequest {
  operation: Operation
  /** Parameters of the path, decoded. */
  params: Readonly<Record<string, string>>
  /** Without `?`. */
  query: string
  /** The body as JSON; undefined where there is none. */
  body: unknown
}

export interface AskedField {
  /** `coin`; `req.interval` of an object in a body. */
  name: string
  value: unknown
  /** null for what no schema knows. */
  schema: TSchema | null
}

export interface AskedRequest {
  operation: Operation
  /** The `type` of a body that has one. */
  type: string | null
  /** Sorted by name; what was left out and has no default is not there. */
  fields: readonly AskedField[]
}

/** A place of the playhead at which nothing is moved: times are those of the recording. */
export const AS_RECORDED: ShownAs = { shiftMs: 0 }

/**
 * Reads a request, its times put back into those of the tape. One that the schemas do not let in is
 * read as it was given.
 */
export function askedRequest(given: GivenRequest, shownAs: ShownAs): AskedRequest {
  const { operation, params, query, body } = given
  const { path, query: querySchema, body: bodySchema } = operation.params
  const ofType = bodyOf(operation, body)?.request
  const fields = [
    ...readPart(path, params, shownAs, textsIn),
    ...readPart(querySchema, parseQueryLists(query), shownAs, textsIn),
    ...(bodySchema ? readPart(ofType ?? bodySchema, body ?? {}, shownAs, bodyIn) : []),
  ]
  const { type } = (body ?? {}) as { type?: unknown }
  return {
    operation,
    type: operation.bodies && typeof type === 'string' ? type : null,
    fields: fields.sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** The values by their names, as far as they stand at the top. */
export const askedValues = ({ fields }: AskedRequest): Record<string, unknown> =>
  Object.fromEntries(fields.map(({ name, value }) => [name, value]))

type Read = (schema: TSchema, given: unknown) => unknown

const textsIn: Read = (schema, given) =>
  readTextParameters(schema as TObject, given as Record<string, string | string[]>)

const bodyIn: Read = (schema, given) =>
  schema.type === 'object' && typeof given === 'object' && given !== null && !Array.isArray(given)
    ? readFields(schema as TObject, given)
    : readBody(schema, given)

function readPart(
  schema: TSchema | undefined,
  given: unknown,
  shownAs: ShownAs,
  read: Read,
): AskedField[] {
  if (schema === undefined) return []
  const values = read(schema, given)
  if (isRefusal(values)) return unread(given)
  return fieldsIn(schema, tapeValue(schema, values, shownAs), '')
}

function fieldsIn(schema: TSchema, value: unknown, prefix: string): AskedField[] {
  if (typeof value !== 'object' || value === null) return []
  const properties = (schema.properties ?? {}) as Record<string, TSchema>
  return Object.entries(value).flatMap(([key, inner]): AskedField[] => {
    const own = properties[key] ?? null
    const name = prefix + key
    if (inner === null || inner === undefined) return []
    if (own?.type === 'object' && own.properties) return fieldsIn(own, inner, `${name}.`)
    return [{ name, value: inner, schema: own }]
  })
}

/** As it was given, without what signs it. */
function unread(given: unknown): AskedField[] {
  if (typeof given !== 'object' || given === null)
    return given === undefined ? [] : [{ name: 'body', value: given, schema: null }]
  const names = new Set<string>(CREDENTIAL_NAMES)
  return Object.entries(given)
    .filter(([name]) => !names.has(name))
    .map(([name, value]) => ({ name, value, schema: null }))
}
