/** OpenAPI 3.1 of the control plane, from its list. */
import { fieldsOf } from '../contract/parameters.ts'
import { notes } from '../specs/parameters.ts'
import { type Json, openapiSchema } from '../specs/schemas.ts'
import type { ControlOperation } from './control-operation.ts'

/** The document. */
export function controlOpenapi(operations: readonly ControlOperation[]): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = `/_control${operation.path.replace(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tapewright control plane',
      version: '1',
      description:
        'Open on loopback, elsewhere behind the bearer token of TAPEWRIGHT_CONTROL_TOKEN. ' +
        'Unknown fields are refused, and a refused call changes nothing.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{}, { token: [] }],
    paths,
    components: {
      schemas: { Refusal },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  }
}

const Refusal: Json = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string', description: 'what was wrong and what would be right' } },
}

const Link: Json = {
  description: 'address of the next page, as `<address>; rel="next"`; absent on the last page',
  schema: { type: 'string' },
}

const refusal = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
})

function describe(operation: ControlOperation): Json {
  const { id, method, title, about, params = {}, data, stream, isOpen, contentType } = operation
  const events = stream ? { 'text/event-stream': { schema: { type: 'string' } } } : {}
  return {
    operationId: id,
    tags: [id.split('.')[0]],
    summary: title,
    description: about ?? title,
    ...(isOpen ? { security: [{}] } : {}),
    parameters: [...pathParameters(operation), ...queryParameters(operation)],
    ...(params.body
      ? { requestBody: { content: { 'application/json': { schema: openapiSchema(params.body) } } } }
      : {}),
    responses: {
      200: {
        description: title,
        ...(params.query && 'cursor' in params.query.properties ? { headers: { link: Link } } : {}),
        content: {
          [contentType ?? 'application/json']: { schema: openapiSchema(data) },
          ...events,
        },
      },
      400: refusal('something in the request was wrong'),
      ...(operation.path.includes(':') ? { 404: refusal('there is nothing of that name') } : {}),
      ...(id === 'await' ? { 408: refusal('it did not happen in time') } : {}),
      ...(operation.movesTime || id === 'await'
        ? { 409: refusal('the sandbox was dropped, reset or restored before the call was done') }
        : {}),
      ...(method === 'GET' || operation.storesNothing
        ? {}
        : { 507: refusal('the state file cannot be written, and nothing was changed') }),
      ...(operation.endsOthers ? {} : { 429: refusal('too many calls are not answered yet') }),
    },
  }
}

function pathParameters({ path, params = {} }: ControlOperation): Json[] {
  const declared = (params.path?.properties ?? {}) as Record<string, Json>
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: declared[name] ? openapiSchema(declared[name] as never) : { type: 'string' },
  }))
}

function queryParameters({ params = {} }: ControlOperation): Json[] {
  return fieldsOf('query', params.query).map(({ name, schema, required }) => ({
    name,
    in: 'query',
    required,
    description: notes(schema),
    schema: openapiSchema(schema),
  }))
}
