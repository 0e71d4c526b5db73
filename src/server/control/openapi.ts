/** The OpenAPI 3.1 document of the control plane, from its list. */

import {
  Components,
  type Json,
  notes,
  openapiSchema,
  typeName,
} from '../../contract/documents/components.ts'
import { fieldsOf } from '../../contract/parameters.ts'
import type { ControlExample, ControlOperation } from './control-operation.ts'
import recorded from './example-answers.json' with { type: 'json' }

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
    operationId: memberName(id),
    tags: [controlGroupOf(operation)],
    summary: title,
    description: about ?? `${title}.`,
    ...(isOpen ? { security: [{}] } : {}),
    parameters,
    ...(params.body ? { requestBody: requestBody(operation, components) } : {}),
    responses: controlResponses(operation, components),
  }
}

/** Generators derive function names from these, which may not be reserved words. */
const memberName = (id: string): string => (RESERVED.test(id) ? `sandbox.${id}` : id)

const WORDS =
  'await break case class continue default delete do export for import in new return switch with'
const RESERVED = new RegExp(`^(?:${WORDS.replaceAll(' ', '|')})$`)

/** Undeclared fields are refused, unless the schema allows them. */
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

// Responses of a control call in OpenAPI: the successful one, and refusals.

/** By status. */
function controlResponses(operation: ControlOperation, components: Components): Json {
  const refused = REFUSED.filter(({ can }) => can(operation)).map(
    ({ status, name, means, error }) => [
      status,
      components.share(name, {
        description: means,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ControlRefusal' },
            example: { error },
          },
        },
      }),
    ],
  )
  return { 200: success(operation, components), ...Object.fromEntries(refused) }
}

/** The body of a refusal. */
const ControlRefusal: Json = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string', description: 'what is wrong, and what is allowed' } },
}

interface RefusedCall {
  status: number
  name: string
  means: string
  /** An example message. */
  error: string
  can: (operation: ControlOperation) => boolean
}

const isGuarded = ({ isOpen }: ControlOperation) => !isOpen
const waits = ({ movesTime, id }: ControlOperation) => movesTime === true || id === 'await'

const REFUSED: readonly RefusedCall[] = [
  {
    status: 400,
    name: 'WrongRequest',
    means: 'something in the request is wrong or unknown',
    error: 'unknown field "colour"; use at, speed, end',
    can: () => true,
  },
  {
    status: 401,
    name: 'NoToken',
    means: 'the token is missing or wrong',
    error: 'send the header "Authorization: Bearer <TAPEWRIGHT_CONTROL_TOKEN>"',
    can: isGuarded,
  },
  {
    status: 403,
    name: 'OtherOrigin',
    means:
      'the request comes from a page of another origin, or uses a host name that is not this ' +
      'machine’s',
    error: 'a page of another origin may not use the control plane',
    can: isGuarded,
  },
  {
    status: 404,
    name: 'NotThere',
    means: 'no such name',
    error: 'no sandbox "mine"; there are default',
    can: ({ path }) => path.includes(':'),
  },
  {
    status: 408,
    name: 'NotInTime',
    means: 'the condition was not met in time',
    error: 'not within 1000 ms: connections are 0',
    can: ({ id }) => id === 'await',
  },
  {
    status: 409,
    name: 'SandboxEnded',
    means: 'the sandbox was dropped, reset or restored before the call was done',
    error: 'sandbox "mine" was reset before the call was done',
    can: waits,
  },
  {
    status: 413,
    name: 'BodyTooLarge',
    means: 'the body is too large',
    error: 'a body has at most 1048576 bytes, this one 2000000',
    can: ({ params }) => params?.body !== undefined,
  },
  {
    status: 429,
    name: 'TooManyCalls',
    means: 'too many unanswered calls',
    error: 'sandbox "mine" has 256 calls that are not answered yet, and there may be no more',
    can: ({ endsOthers, isOpen }) => !endsOthers && !isOpen,
  },
  {
    status: 503,
    name: 'NotNow',
    means: 'the server is starting or shutting down',
    error: 'the server is starting, see /_control/health',
    can: isGuarded,
  },
  {
    status: 507,
    name: 'NotStored',
    means: 'the state file cannot be written, and nothing was changed',
    error: 'the state file cannot be written: no space is left on its disk',
    can: ({ method, storesNothing }) => method !== 'GET' && !storesNothing,
  },
]

const NextPage: Json = {
  description: 'address of the next page, as `<address>; rel="next"`; absent on the last page',
  schema: { type: 'string' },
}

function success(operation: ControlOperation, components: Components): Json {
  const { id, title, params, data, stream, contentType } = operation
  const schema = components.refer(openapiSchema(data), `${typeName(id)}Answer`)
  const answers = controlAnswersOf(id).map(({ name, answer }) => [name, { value: answer }])
  const examples = answers.length > 0 ? { examples: Object.fromEntries(answers) } : {}
  const events = stream ? { 'text/event-stream': { schema: { type: 'string' } } } : {}
  const isPaged = params?.query !== undefined && 'cursor' in params.query.properties
  return {
    description: title,
    ...(isPaged ? { headers: { Link: NextPage } } : {}),
    content: { [contentType ?? 'application/json']: { schema, ...examples }, ...events },
  }
}

// Examples of the control plane as requests of the default sandbox.

/** Default values of path parameters in examples. */
const USUAL_PATH: Readonly<Record<string, string>> = {
  id: 'default',
  key: 'demo-sub',
  bookmark: 'start',
}

/** An example with its path parameters and its address. */
export interface ControlExampleRequest extends ControlExample {
  path: Readonly<Record<string, string>>
  /** From the root on, with its query. */
  url: string
}

/** The requests that documents show; one with defaults where none is declared. */
export function exampleRequests(operation: ControlOperation): ControlExampleRequest[] {
  const { examples = [{ name: 'plain' }] } = operation
  return examples.map((example) => {
    const path = pathOf(operation, example)
    const query = new URLSearchParams(
      Object.entries(example.query ?? {}).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
    )
    const filled = operation.path.replace(/:(\w+)/g, (_, name) =>
      encodeURIComponent(path[name] ?? ''),
    )
    return { ...example, path, url: `/_control${filled}${query.size > 0 ? `?${query}` : ''}` }
  })
}

function pathOf({ path }: ControlOperation, example: ControlExample) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return Object.fromEntries(
    names.map((name) => [name, example.path?.[name] ?? USUAL_PATH[name] ?? '']),
  )
}

// Groups of control calls, in the order of the documents.

export const CONTROL_GROUPS: Readonly<Record<string, string>> = {
  sandbox: 'A sandbox has its own market, keys, clock and journal.',
  clock: 'The session clock, on which signatures, quotas and idle connections depend.',
  market: 'Market events.',
  playhead: 'The position of the market in the tape, and its speed.',
  claim: 'What clients believe, judged by the truth.',
  bookmark: 'Named positions of the tape.',
  scenario: 'Faults on demand.',
  story: 'Demonstrations that the console can play.',
  await: 'Wait for clients without sleeping.',
  journal: 'Every request and frame, with the reason for each answer.',
  coverage: 'What clients have met of the contract.',
  digest: 'One line for everything a sandbox has sent.',
  connection: 'Open sockets.',
  usage: 'Usage of keys.',
  key: 'Sub keys, direct keys and distributors.',
  invite: 'Invite tokens.',
  snapshot: 'The whole state of a sandbox as JSON.',
  cast: 'The coins, accounts and ids that you can ask for.',
  reconcile: 'Whether the answers about an account or a coin agree.',
  explain: 'Why a request is refused.',
  conformance: 'Runs of the conformance suite on the server.',
  guest: 'Read-only access.',
  health: 'Whether the server is ready.',
  metrics: 'Metrics for Prometheus.',
}

/** The group of a call, by its id. */
export const controlGroupOf = ({ id }: ControlOperation): string => id.split('.')[0] ?? id

// Recorded responses of the control plane over the default recording, for its document. `bun run
// generate` records them in example-answers.json; lists in them are cut.

export interface ControlAnswer {
  name: string
  answer: unknown
}

/** The recorded responses of a call. */
function controlAnswersOf(id: string): readonly ControlAnswer[] {
  return (recorded as Record<string, ControlAnswer[]>)[id] ?? []
}
