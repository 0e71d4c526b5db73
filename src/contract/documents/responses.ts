/** The responses of an operation in OpenAPI: the successful one, and refusals by status. */

import { expectedText } from '../expected-text.ts'
import type { Operation } from '../operation.ts'
import { parametersOf } from '../parameters.ts'
import type { Refusal, RefusalName } from '../refusal.ts'
import {
  REFUSALS,
  type RefusalForm,
  refusalBody,
  refusalEnvelope,
  refusalText,
} from '../refusal-forms.ts'
import {
  type Components,
  canBeInvalid,
  enveloped,
  infoAnswer,
  isInfo,
  type Json,
  openapiSchema,
  typeName,
} from './components.ts'
import type { ShownExample } from './example-answers.ts'
import type { ExamplePlaces } from './example-places.ts'

// The refusals of an operation, each with sample values.

/** Every refusal of an operation, in the order in which they are checked. */
export function refusalsOf(operation: Operation): Refusal[] {
  return [...namesOf(operation)].map((name) => sample(name, operation))
}

function namesOf(operation: Operation): Set<RefusalName> {
  const { access, method, params, refuses } = operation
  const parameters = parametersOf(operation)
  const names: (RefusalName | false)[] = [
    method !== 'GET' && 'tooLarge',
    access.kind !== 'public' && 'signature',
    access.kind !== 'public' && 'rate',
    access.kind !== 'public' && 'quota',
    (access.kind === 'permission' || access.kind === 'distributor') && 'permission',
    params.body !== undefined && 'body',
    parameters.some(({ place, required }) => required && place !== 'path') && 'missing',
    parameters.some(canBeInvalid) && 'invalid',
    ...refuses,
  ]
  return new Set(names.filter((name) => name !== false))
}

/** A sample refusal of this operation. */
function sample(name: RefusalName, operation: Operation): Refusal {
  const samples: { [N in RefusalName]: () => Refusal<N> } = {
    signature: () => ({ refused: 'signature' }),
    permission: () => ({ refused: 'permission', name: permissionOf(operation) }),
    missing: () => ({ refused: 'missing', parameter: missingOf(operation) }),
    invalid: () => ({ refused: 'invalid', ...invalidOf(operation) }),
    body: () => ({ refused: 'body', expected: 'a JSON object' }),
    symbol: () => ({ refused: 'symbol', symbol: 'btcswapusdt:nowhere' }),
    bitcoinOnly: () => ({ refused: 'bitcoinOnly' }),
    position: () => ({ refused: 'position' }),
    news: () => ({ refused: 'news' }),
    alert: () => ({ refused: 'alert' }),
    alertAbsent: () => ({ refused: 'alertAbsent' }),
    index: () => ({ refused: 'index' }),
    infoType: () => ({ refused: 'infoType', type: 'orderUpdates' }),
    market: () => ({ refused: 'market' }),
    invite: () => ({ refused: 'invite' }),
    resourceType: () => ({ refused: 'resourceType' }),
    action: () => ({ refused: 'action', name: 'HL_NOTHING' }),
    level: () => ({ refused: 'level', name: 'gold' }),
    levelCount: () => ({ refused: 'levelCount', why: 'there are 500 levels, at most 500' }),
    subKey: () => ({ refused: 'subKey', why: 'level "gold" does not exist' }),
    subKeyAbsent: () => ({ refused: 'subKeyAbsent', name: 'unknown' }),
    rate: () => ({ refused: 'rate', perMinute: 60, retryAfterS: 60 }),
    quota: () => ({ refused: 'quota', retryAfterS: 86_400 }),
    timeRange: () => ({ refused: 'timeRange', maxS: 604_800 }),
    connections: () => ({ refused: 'connections', most: 10 }),
    weight: () => ({ refused: 'weight' }),
    mediaType: () => ({ refused: 'mediaType' }),
    path: () => ({ refused: 'path' }),
    method: () => ({ refused: 'method', allowed: [operation.method] }),
    tooLarge: () => ({ refused: 'tooLarge', maxBytes: 1 << 20 }),
    fault: () => ({ refused: 'fault' }),
    storage: () => ({ refused: 'storage' }),
    notRecorded: () => ({ refused: 'notRecorded', why: `not recorded: ${operation.id}` }),
    upstream: () => ({ refused: 'upstream', why: 'no answer' }),
  }
  return samples[name]()
}

function permissionOf({ access }: Operation): string {
  return access.kind === 'permission' ? access.name : 'DISTRIBUTOR'
}

function missingOf(operation: Operation): string {
  // A path without its parameter is another path. Some answers require an optional parameter.
  const parameters = parametersOf(operation).filter(({ place }) => place !== 'path')
  const missed =
    parameters.find(({ required }) => required) ??
    parameters.find(({ schema }) => schema.default === undefined)
  return missed?.name ?? 'parameter'
}

function invalidOf(operation: Operation): { parameter: string; expected: string } {
  const candidates = parametersOf(operation).filter(canBeInvalid)
  // "must be text" is of little use: a parameter with a form is preferred.
  const withForm =
    candidates.find(({ schema }) => !expectedText(schema).startsWith('text')) ?? candidates[0]
  if (!withForm) return { parameter: 'parameter', expected: 'of the documented form' }
  return { parameter: withForm.name, expected: expectedText(withForm.schema) }
}

/** OpenAPI responses by status, each refusal with its body. */
export function responses(
  operation: Operation,
  components: Components,
  places: ExamplePlaces,
): Json {
  const byStatus = Map.groupBy(refusalsOf(operation), ({ refused }) => REFUSALS[refused].status)
  const refused = [...byStatus].filter(([status]) => status !== 200)
  return {
    200: successResponse(operation, byStatus.get(200) ?? [], components, places),
    ...Object.fromEntries(
      refused.map(([status, refusals]) => [
        status,
        SHARED_STATUSES.has(status)
          ? sharedResponse(refusals, operation, components)
          : refusalResponse(refusals, operation),
      ]),
    ),
  }
}

/** Refusals that are the same for all requests. */
const SHARED_STATUSES: ReadonlySet<number> = new Set([401, 403, 413, 429, 500])

function sharedResponse(
  refusals: readonly Refusal[],
  operation: Operation,
  components: Components,
): Json {
  const name = refusals.map(({ refused }) => typeName(refused)).join('Or')
  const general = refusals.map((one) =>
    one.refused === 'permission' ? { ...one, name: 'NAME_OF_THE_PERMISSION' } : one,
  )
  return components.share(`Refused${name}`, refusalResponse(general, operation))
}

/** The schemas of a refusal's body, one for each envelope that refuses. */
export function refusalSchemas(): Json {
  const bodies: Record<RefusalForm['envelope'], Refusal> = {
    A: { refused: 'path' },
    B: { refused: 'signature' },
    C: { refused: 'invite' },
  }
  return Object.fromEntries(
    Object.entries(bodies).map(([envelope, example]) => [
      `Refusal${envelope}`,
      refusalSchema(JSON.parse(refusalBody(example)) as Json),
    ]),
  )
}

function refusalSchema(body: Json): Json {
  const properties = Object.entries(body).map(([name, value]) => [
    name,
    value === null
      ? { type: 'null' }
      : typeof value === 'boolean'
        ? { type: 'boolean', const: value }
        : { type: typeof value === 'number' ? 'integer' : 'string' },
  ])
  return {
    type: 'object',
    required: Object.keys(body),
    properties: Object.fromEntries(properties),
  }
}

/** Some refusals have HTTP 200, so the successful response's description includes them. */
function successResponse(
  operation: Operation,
  refusals: readonly Refusal[],
  components: Components,
  places: ExamplePlaces,
): Json {
  const data = isInfo(operation) ? infoAnswer() : openapiSchema(operation.data)
  const name = `${typeName(operation.id)}Answer`
  const answer = components.refer(enveloped(operation.envelope, data), name)
  const refused = examplesOf(refusals, operation)
  const examples = places.add(operation, (shown) => ({ ...shownAnswers(shown), ...refused }))
  if (refusals.length === 0)
    return {
      description: operation.title,
      content: { 'application/json': { schema: answer, examples } },
    }
  const schema = { anyOf: [answer, ...schemasOf(refusals, operation)] }
  return {
    description: [operation.title, ...refusals.map(refusalText)].join('; or '),
    content: { 'application/json': { schema, examples } },
  }
}

/** Recorded answers, by the name of their request. */
function shownAnswers(examples: readonly ShownExample[]): Json {
  return Object.fromEntries(
    examples.flatMap(({ name, answer }) =>
      answer === undefined ? [] : [[name, { value: answer }]],
    ),
  )
}

function refusalResponse(refusals: readonly Refusal[], operation: Operation): Json {
  const [first, ...others] = schemasOf(refusals, operation)
  const schema = others.length === 0 ? first : { anyOf: [first, ...others] }
  return {
    description: refusals.map(refusalText).join('; or '),
    content: { 'application/json': { schema, examples: examplesOf(refusals, operation) } },
  }
}

function schemasOf(refusals: readonly Refusal[], operation: Operation): Json[] {
  const envelopes = new Set(refusals.map(({ refused }) => refusalEnvelope(refused, operation)))
  return [...envelopes].map((envelope) => ({ $ref: `#/components/schemas/Refusal${envelope}` }))
}

function examplesOf(refusals: readonly Refusal[], operation: Operation): Json {
  return Object.fromEntries(
    refusals.map((one) => [
      one.refused,
      {
        description: `Contract: ${REFUSALS[one.refused].source}.`,
        value: JSON.parse(refusalBody(one, operation)) as unknown,
      },
    ]),
  )
}
