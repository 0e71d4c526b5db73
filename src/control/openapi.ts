/** OpenAPI 3.1 of the control plane, from its list. */
import { fieldsOf } from '../contract/parameters.ts'
import { Components, typeName } from '../specs/components.ts'
import { notes } from '../specs/parameters.ts'
import { type Json, openapiSchema } from '../specs/schemas.ts'
import { callExamplesOf, PATH_EXAMPLES } from './call-examples.ts'
import { callGroupOf, callGroupTag } from './call-groups.ts'
import type { ControlOperation } from './control-operation.ts'
import { ControlRefusal, controlResponses } from './openapi-responses.ts'

/** The document. */
export function controlOpenapi(operations: readonly ControlOperation[]): Json {
  const components = new Components()
  components.define('ControlRefusal', ControlRefusal)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = `/_control${operation.path.replace(/:(\w+)/g, '{$1}')}`
    const described = describe(operation, components)
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tapewright control plane',
      version: '1',
      description:
        'Open on loopback, elsewhere behind the bearer token of TAPEWRIGHT_CONTROL_TOKEN. ' +
        'Unknown fields are refused, and a refused call changes nothing.',
      contact: { name: 'Tapewright' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'the server that gave this document' }],
    tags: [...new Set(operations.map(callGroupOf))].map(callGroupTag),
    security: [{}, { token: [] }],
    paths,
    components: {
      schemas: components.schemas,
      responses: components.responses,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'TAPEWRIGHT_CONTROL_TOKEN of the server; not needed on loopback',
        },
      },
    },
  }
}

function describe(operation: ControlOperation, components: Components): Json {
  const { id, title, about, params = {}, isOpen } = operation
  const parameters = [...pathParameters(operation), ...queryParameters(operation)]
  return {
    operationId: id,
    tags: [callGroupOf(operation)],
    summary: title,
    description: about ?? `${title}.`,
    ...(isOpen ? { security: [{}] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(params.body ? { requestBody: requestBody(operation, components) } : {}),
    responses: controlResponses(operation, components),
  }
}

/** What is not declared is refused, unless the schema says otherwise. */
function requestBody({ id, params = {} }: ControlOperation, components: Components): Json {
  const schema = { additionalProperties: false, ...openapiSchema(params.body as never) }
  const examples = callExamplesOf(id).map(({ name, body }) => [name, { value: body }])
  return {
    required: 'required' in schema,
    content: {
      'application/json': {
        schema: components.refer(schema, `${typeName(id)}Request`),
        ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
      },
    },
  }
}

function pathParameters({ path, params = {} }: ControlOperation): Json[] {
  const declared = (params.path?.properties ?? {}) as Record<string, Json>
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name] ?? name,
    schema: declared[name] ? openapiSchema(declared[name] as never) : { type: 'string' },
    example: PATH_EXAMPLES[name],
  }))
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  id: 'the sandbox',
  key: 'access key',
  bookmark: 'name of the bookmark',
}

function queryParameters({ id, params = {} }: ControlOperation): Json[] {
  return fieldsOf('query', params.query).map(({ name, schema, required }) => {
    const { description: _, ...plain } = openapiSchema(schema)
    const examples = callExamplesOf(id).flatMap((example) => {
      const value = example.query?.[name]
      if (value === undefined) return []
      return [[example.name, { value: plain.type === 'integer' ? Number(value) : value }]]
    })
    return {
      name,
      in: 'query',
      required,
      description: notes(schema),
      schema: plain,
      ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}),
    }
  })
}
