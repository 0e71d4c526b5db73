/** The answers of an operation in OpenAPI: the successful one, and refusals by status. */
import type { Operation } from '../operation.ts'
import type { Refusal } from '../refusal.ts'
import { refusalBody, refusalEnvelope, refusalText } from '../refusal-body.ts'
import { REFUSALS, type RefusalForm } from '../refusal-forms.ts'
import { type Components, typeName } from './components.ts'
import type { ShownExample } from './example-answers.ts'
import type { ExamplePlaces } from './example-places.ts'
import { infoAnswer, isInfo } from './info-types.ts'
import { refusalsOf } from './refusals.ts'
import { enveloped, type Json, openapiSchema } from './schemas.ts'

/** OpenAPI responses by status, each refusal with the body it has. */
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

/** Refusals that say the same whatever was asked for. */
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

/** Some refusals come with HTTP 200, so the successful answer's description has them too. */
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

/** Real answers, by the name of their request. */
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
