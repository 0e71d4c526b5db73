/** OpenAPI 3.1 of every operation, generated from the contract's list. */
import { OPERATIONS } from '../catalogue.ts'
import type { Example, Operation } from '../operation.ts'
import { type Parameter, parametersOf } from '../parameters.ts'
import { PREFIXES } from '../prefixes.ts'
import type { TSchema } from '../schema.ts'
import {
  Components,
  infoRequest,
  infoSchemas,
  isInfo,
  type Json,
  notes,
  openapiSchema,
  typeName,
} from './components.ts'
import { description, groupOf, groupTag, INTRODUCTION, SIGNATURE } from './description.ts'
import { ExamplePlaces, examplesOf, type MakeExamples } from './example-places.ts'
import { refusalSchemas, responses } from './responses.ts'

/**
 * The document as text, under the documented prefix. Instants in its examples are shifted against
 * those of the tape.
 */
export function openapiText(shiftMs = 0): string {
  writeDocument ??= documentWriter()
  return writeDocument(shiftMs)
}

let writeDocument: ((shiftMs: number) => string) | null = null

function documentWriter(): (shiftMs: number) => string {
  const places = new ExamplePlaces()
  return places.writer(documentWith(places))
}

function documentWith(places: ExamplePlaces): Json {
  const components = new Components()
  for (const [name, schema] of Object.entries({ ...refusalSchemas(), ...infoSchemas() }))
    components.define(name, schema as Json)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Crypto market data, content, perpetual-DEX data and distributor management',
      version: PREFIXES[0].split('/').at(-1),
      description: INTRODUCTION,
      contact: { name: 'Tapewright' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/', description: 'the sandbox of the key, or else the default one' },
      {
        url: '{origin}/s/{sandbox}',
        description: 'one sandbox by its id',
        variables: {
          origin: { default: 'http://127.0.0.1:4010' },
          sandbox: { default: 'default' },
        },
      },
    ],
    tags: [...new Set(OPERATIONS.map(groupOf))].map(groupTag),
    security: [Object.fromEntries(Object.keys(SIGNATURE).map((name) => [name, []]))],
    paths: paths(components, places),
    components: {
      schemas: components.schemas,
      responses: components.responses,
      securitySchemes: securitySchemes(),
    },
  }
}

/** All four parameters together are one signature. */
function securitySchemes(): Json {
  return Object.fromEntries(
    Object.entries(SIGNATURE).map(([name, meaning]) => [
      name,
      { type: 'apiKey', in: 'query', name, description: meaning },
    ]),
  )
}

function paths(components: Components, places: ExamplePlaces): Json {
  const found: Record<string, Json> = {}
  for (const operation of OPERATIONS) {
    const path = `${PREFIXES[0]}${operation.path.replace(/:(\w+)/g, '{$1}')}`
    const described = describe(operation, components, places)
    found[path] = { ...found[path], [operation.method.toLowerCase()]: described }
  }
  return found
}

function describe(operation: Operation, components: Components, places: ExamplePlaces): Json {
  const { access, aliases, params } = operation
  const parameters = parametersOf(operation).filter(({ place }) => place !== 'body')
  return {
    operationId: operation.id,
    tags: [groupOf(operation)],
    summary: operation.title,
    description: description(operation),
    'x-source': operation.source,
    'x-envelope': operation.envelope.kind,
    ...(access.kind === 'public' ? { security: [] } : {}),
    ...(access.kind === 'permission' ? { 'x-permission': access.name } : {}),
    ...(aliases.length > 0 ? { 'x-aliases': aliases.map((path) => PREFIXES[0] + path) } : {}),
    ...(parameters.length > 0
      ? { parameters: parameters.map((one) => parameter(one, operation, places)) }
      : {}),
    ...(params.body
      ? { requestBody: requestBody(operation, params.body, components, places) }
      : {}),
    responses: responses(operation, components, places),
  }
}

function parameter(
  { place, name, schema, required }: Parameter,
  operation: Operation,
  places: ExamplePlaces,
): Json {
  const { description: _, ...rest } = openapiSchema(schema)
  const text = notes(schema)
  const valueIn = (example: Example) => (place === 'path' ? example.path : example.query)?.[name]
  const shown: MakeExamples = (examples) =>
    Object.fromEntries(
      examples.flatMap((example) => {
        const value = valueIn(example)
        return value === undefined ? [] : [[example.name, { value: parsedValue(schema, value) }]]
      }),
    )
  return {
    name,
    in: place,
    required: required || place === 'path',
    ...(text === '' ? {} : { description: text }),
    schema: rest,
    ...(examplesOf(operation).some((one) => valueIn(one) !== undefined)
      ? { examples: places.add(operation, shown) }
      : {}),
  }
}

/** The value of a text in a query, by its schema. */
function parsedValue({ type, items, anyOf }: TSchema, text: string): unknown {
  const literal = (anyOf as TSchema[] | undefined)?.find((one) => String(one.const) === text)
  if (literal) return literal.const
  if (type === 'integer' || type === 'number') return Number(text)
  if (type === 'array') return text.split(',').map((part) => parsedValue(items as TSchema, part))
  return type === 'boolean' ? text === 'true' : text
}

function requestBody(
  operation: Operation,
  body: TSchema,
  components: Components,
  places: ExamplePlaces,
): Json {
  const shown: MakeExamples = (examples) =>
    Object.fromEntries(
      examples
        .filter((example) => example.body !== undefined)
        .map(({ name, body: value }) => [name, { value }]),
    )
  const parameters = parametersOf(operation).filter(({ place }) => place === 'body')
  const given = isInfo(operation) ? infoRequest() : bodySchema(body, parameters)
  const schema = components.refer(given, `${typeName(operation.id)}Request`)
  return {
    required: true,
    content: { 'application/json': { schema, examples: places.add(operation, shown) } },
  }
}

/** A field with a default is optional, whatever its schema says. */
function bodySchema(body: TSchema, parameters: readonly Parameter[]): Json {
  const schema = openapiSchema(body)
  if (schema.type !== 'object') return schema
  const fields = parameters.map(({ name, schema: field }) => [
    name,
    { ...openapiSchema(field), description: notes(field) },
  ])
  const required = parameters.filter((field) => field.required).map(({ name }) => name)
  return { ...schema, required, properties: Object.fromEntries(fields) }
}
