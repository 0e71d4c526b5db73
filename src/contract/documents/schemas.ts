/** Schemas of the contract as documents show them: plain JSON, without our own symbols. */
import { type Envelope, wrap } from '../envelope.ts'
import type { TSchema } from '../schema.ts'

/** A JSON object of a document. */
export type Json = Record<string, unknown>

/** A schema in JSON Schema 2020-12, as OpenAPI 3.1 reads it. */
export function openapiSchema(schema: TSchema): Json {
  return withTuples(plainSchema(schema)) as Json
}

/** A schema in draft 07, as AsyncAPI 3 reads it; the contract's own are written in it. */
export function plainSchema(schema: TSchema): Json {
  // The schemas' symbols, which mark optional fields and kinds, do not survive the text.
  return JSON.parse(JSON.stringify(schema)) as Json
}

/** The schema of a whole answer: the data in its envelope. */
export function enveloped(envelope: Envelope, data: Json): Json {
  const body: unknown = JSON.parse(wrap(envelope, 'null'))
  return body === null ? data : shapeOf(body as Json, data)
}

/** The schema of a frame or a body whose other fields are fixed. `data` stands where theirs is. */
export function shapeOf(body: Json, data?: Json): Json {
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    name === 'data' && data !== undefined ? data : constantSchema(name, value),
  ])
  return { type: 'object', required: Object.keys(body), properties: Object.fromEntries(fields) }
}

/** Texts for people may be worded anew, everything else is what it is. */
const FREE_TEXT_FIELDS: ReadonlySet<string> = new Set(['msg', 'message', 'error'])

function constantSchema(name: string, value: unknown): Json {
  if (value === null) return { type: 'null' }
  if (FREE_TEXT_FIELDS.has(name) && value !== '') return { type: 'string', examples: [value] }
  return { type: typeof value, const: value }
}

/** A tuple is an array of `items` up to draft 07, and `prefixItems` from 2020-12 on. */
function withTuples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTuples)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withTuples(inner)]),
  )
  if (copy.type !== 'array' || !Array.isArray(copy.items)) return copy
  const { items, additionalItems, ...rest } = copy
  return { ...rest, prefixItems: items, items: additionalItems ?? true }
}
