/** OpenAPI 3.1 of the control plane, from its list. */
import { fieldsOf } from '../contract/parameters.ts'
import { Components, typeName } from '../specs/components.ts'
import { notes } from '../specs/parameters.ts'
import { type Json, openapiSchema } from '../specs/schemas.ts'
import type { ControlOperation } from './control-operation.ts'
import { type ControlExampleRequest, exampleRequests } from './example-requests.ts'
import { CONTROL_GROUPS, controlGroupOf } from './groups.ts'
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
        'Open on loopback; on other addresses it needs the bearer token ' +
        'TAPEWRIGHT_CONTROL_TOKEN. Unknown fields are refused, and a refused call changes ' +
        'nothing. The examples use the default sandbox.',
      contact: { name: 'Tapewright' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'the server of this document' }],
    tags: Object.entries(CONTROL_GROUPS).map(([name, description]) => ({ name, description })),
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
    tags: [controlGroupOf(operation)],
    summary: title,
    description: about ?? `${title}.`,
    ...(isOpen ? { security: [{}] } : {}),
    parameters,
    ...(params.body ? { requestBody: requestBody(operation, components) } : {}),
    responses: controlResponses(operation, components),
  }
}

/** What is not declared is refused, unless the schema says otherwise. */
function requestBody(operation: ControlOperation, components: Components): Json {
  const { id, params = {} } = operation
  const schema = { additionalProperties: false, ...openapiSchema(params.body as never) }
  return {
    required: 'required' in schema,
    content: {
      'application/json': {
        schema: components.refer(schema, `${typeName(id)}Request`),
        ...namedExamples(operation, ({ body }) => body),
      },
    },
  }
}

function pathParameters(operation: ControlOperation): Json[] {
  const { path, params = {} } = operation
  const declared = (params.path?.properties ?? {}) as Record<string, Json>
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name] ?? name,
    schema: declared[name] ? openapiSchema(declared[name] as never) : { type: 'string' },
    ...namedExamples(operation, (example) => example.path[name]),
  }))
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  id: 'the sandbox',
  key: 'access key',
  bookmark: 'name of the bookmark',
}

function queryParameters(operation: ControlOperation): Json[] {
  return fieldsOf('query', operation.params?.query).map(({ name, schema, required }) => {
    const { description: _, ...plain } = openapiSchema(schema)
    return {
      name,
      in: 'query',
      required,
      description: notes(schema),
      schema: plain,
      ...namedExamples(operation, ({ query }) => (query as Json | undefined)?.[name]),
    }
  })
}

/** One value of each example that has it, by the names of the examples. */
function namedExamples(
  operation: ControlOperation,
  pick: (example: ControlExampleRequest) => unknown,
): Json {
  const values = exampleRequests(operation).flatMap((example) => {
    const value = pick(example)
    return value === undefined ? [] : [[example.name, { value }]]
  })
  return values.length === 0 ? {} : { examples: Object.fromEntries(values) }
}
