/**
 * Schemas of a document as named components: each entity is there once, under its declared name, or
 * one derived from its place. Generators make types of them.
 */

import { isJsonObject } from '../../platform/json-object.ts'
import { INFO_TYPES } from '../info/index.ts'
import type { InfoType } from '../info/info-type.ts'
import type { Operation } from '../operation.ts'
import { type Envelope, wrap } from '../operation.ts'
import type { Parameter } from '../parameters.ts'
import type { TSchema } from '../schema.ts'

// The types of `POST /info` in OpenAPI: one request with one answer each, discriminated by the
// body's `type`.

/** Whether the type of the body determines the operation's answer. */
export const isInfo = ({ id }: Operation): boolean => id === 'perpdex.info'

/** Schemas of all requests and answers, by their component names. */
export function infoSchemas(): Json {
  return Object.fromEntries(
    INFO_TYPES.flatMap((info) => [
      [requestName(info), requestSchema(info)],
      [answerName(info), openapiSchema(info.data)],
    ]),
  )
}

/** The body: one of the requests. */
export function infoRequest(): Json {
  return {
    oneOf: INFO_TYPES.map((info) => reference(requestName(info))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(INFO_TYPES.map((info) => [info.type, pathOf(requestName(info))])),
    },
  }
}

/** The data: the answer of the requested type. */
export function infoAnswer(): Json {
  return {
    description: 'the data of the requested type',
    anyOf: INFO_TYPES.map((info) => reference(answerName(info))),
  }
}

function requestSchema({ type, title: description, request }: InfoType): Json {
  const { properties, required, ...rest } = openapiSchema(request)
  return {
    ...rest,
    description,
    required: ['type', ...((required as string[] | undefined) ?? [])],
    properties: { type: { type: 'string', const: type }, ...(properties as Json) },
  }
}

const requestName = ({ type }: InfoType): string => `Info${typeName(type)}Request`
const answerName = ({ type }: InfoType): string => `Info${typeName(type)}Answer`
const pathOf = (name: string): string => `#/components/schemas/${name}`
const reference = (name: string): Json => ({ $ref: pathOf(name) })

// Parameters in documents.

/** Description, silent limits and other spellings of a parameter, as text. */
export function notes(schema: TSchema): string {
  const aliases = schema['x-alias'] as string[] | undefined
  return [
    schema.description,
    cutNotes(schema),
    aliases && `also spelled ${aliases.map((alias) => `\`${alias}\``).join(', ')}`,
  ]
    .filter((part) => part)
    .join('; ')
}

/** Whether a value of it can be refused: free text in a path or a query cannot. */
export function canBeInvalid({ place, schema }: Parameter): boolean {
  return place === 'body' || !isFreeText(schema)
}

function cutNotes(schema: TSchema): string | undefined {
  const most = schema['x-cut'] as number | undefined
  if (most === undefined) return undefined
  return schema.type === 'integer'
    ? `more than ${most} is silently cut to ${most}`
    : `everything after the first ${most} is silently cut`
}

const LIMITS = ['enum', 'const', 'pattern', 'maxLength', 'x-span']

function isFreeText(schema: TSchema): boolean {
  const members = schema.anyOf as TSchema[] | undefined
  if (members) return members.some(isFreeText)
  return schema.type === 'string' && LIMITS.every((limit) => schema[limit] === undefined)
}

export class Components {
  readonly schemas: Record<string, Json> = {}
  readonly responses: Record<string, Json> = {}
  private readonly nameByText = new Map<string, string>()

  /**
   * A schema with references to its entities, itself included.
   * @param place a name for it when it has none: `TickersAnswer`
   */
  refer(schema: Json, place: string): Json {
    if (typeof schema.$ref === 'string') return schema
    const entity = isEntity(schema)
    const name = entity && typeof schema.title === 'string' ? schema.title : place
    const inner = mapSchemas(schema, (part, suffix) => this.refer(part, name + suffix))
    return entity ? { $ref: `#/components/schemas/${this.add(inner, place)}` } : inner
  }

  /** Gives a schema a name that others refer to already. */
  define(name: string, schema: Json): void {
    const reference = this.refer(schema, name)
    if (!(name in this.schemas)) this.schemas[name] = reference
  }

  /** A common response of many operations, as a reference. */
  share(name: string, response: Json): Json {
    const text = JSON.stringify(response)
    let free = name
    for (let number = 2; (this.responses[free] ?? response) !== response; number++) {
      if (JSON.stringify(this.responses[free]) === text) break
      free = `${name}${number}`
    }
    this.responses[free] ??= response
    return { $ref: `#/components/responses/${free}` }
  }

  private add({ title, ...shape }: Json, place: string): string {
    const text = JSON.stringify(shape)
    const known = this.nameByText.get(`${title ?? ''} ${text}`) ?? this.nameByText.get(text)
    if (known && (title === undefined || title === known)) return known
    const name = this.freeName(typeof title === 'string' ? title : place, place)
    this.schemas[name] = { title: name, ...shape }
    this.nameByText.set(`${title ?? ''} ${text}`, name)
    if (!this.nameByText.has(text)) this.nameByText.set(text, name)
    return name
  }

  /** Requests and answers may differ a little under one name. */
  private freeName(name: string, place: string): string {
    if (!(name in this.schemas)) return name
    if (!(place in this.schemas)) return place
    let number = 2
    while (`${place}${number}` in this.schemas) number++
    return `${place}${number}`
  }
}

/** `fillsOfAddress` as `FillsOfAddress`, `data_map` as `DataMap`. */
export const typeName = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Named schemas: objects, and those with a declared name. */
const isEntity = ({ type, properties, title }: Json): boolean =>
  (type === 'object' && properties !== undefined) || typeof title === 'string'

type MapPart = (part: Json, suffix: string) => Json

/** Maps each direct part of a schema. */
function mapSchemas(schema: Json, map: MapPart): Json {
  const mapped: Json = { ...schema }
  for (const list of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const)
    if (Array.isArray(schema[list])) mapped[list] = mapList(schema[list] as Json[], list, map)
  if (Array.isArray(schema.items)) mapped.items = mapList(schema.items, 'prefixItems', map)
  else if (isJsonObject(schema.items)) mapped.items = map(schema.items, 'Item')
  if (isJsonObject(schema.additionalProperties))
    mapped.additionalProperties = map(schema.additionalProperties, 'Value')
  for (const group of ['properties', 'patternProperties'] as const)
    if (isJsonObject(schema[group])) mapped[group] = mapFields(schema[group], group, map)
  return mapped
}

function mapList(list: readonly Json[], kind: string, map: MapPart): Json[] {
  const numbered = kind === 'prefixItems' || list.filter(({ type }) => type !== 'null').length > 1
  return list.map((part, index) => map(part, numbered ? String(index + 1) : ''))
}

function mapFields(fields: Json, group: string, map: MapPart): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, part]) => [
      name,
      map(part as Json, group === 'properties' ? typeName(name) : 'Value'),
    ]),
  )
}

// Schemas of the contract in documents: plain JSON, without our own symbols.

/** A JSON object of a document. */
export type Json = Record<string, unknown>

/** A schema in JSON Schema 2020-12, for OpenAPI 3.1. */
export function openapiSchema(schema: TSchema): Json {
  return withTuples(plainSchema(schema)) as Json
}

/** A schema in draft 07, for AsyncAPI 3; the contract's own are written in it. */
export function plainSchema(schema: TSchema): Json {
  // The schemas' symbols, which mark optional fields and kinds, do not survive serialisation.
  return JSON.parse(JSON.stringify(schema)) as Json
}

/** The schema of a whole answer: the data in its envelope. */
export function enveloped(envelope: Envelope, data: Json): Json {
  const body: unknown = JSON.parse(wrap(envelope, 'null'))
  return body === null ? data : shapeOf(body as Json, data)
}

/** The schema of a frame or a body with fixed fields. `data` replaces the schema of theirs. */
export function shapeOf(body: Json, data?: Json): Json {
  const fields = Object.entries(body).map(([name, value]) => [
    name,
    name === 'data' && data !== undefined ? data : constantSchema(name, value),
  ])
  return { type: 'object', required: Object.keys(body), properties: Object.fromEntries(fields) }
}

/** Texts for people may be reworded, all else is fixed. */
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
  // Linters take `items: false` for missing items.
  const others = additionalItems === false ? { not: {} } : (additionalItems ?? true)
  return { ...rest, prefixItems: items, items: others }
}
