/** Steps of clients and tests on a sandbox, as data. */
import fc from 'fast-check'
import { CHANNELS, OPERATIONS } from '../../../src/contract/catalogue.ts'
import { fieldsOf, parametersOf } from '../../../src/contract/parameters.ts'
import type { TSchema } from '../../../src/contract/schema.ts'
import { CONTROL_OPERATIONS } from '../../../src/server/control/operations.ts'
import { type ValueEdit, valueEdits } from '../mutations.ts'
import { fieldsFitting, fitting } from '../schema-values.ts'
import type { Vocabulary } from '../vocabulary.ts'
import { scenarios } from './scenario-values.ts'

interface Signed {
  role: 'full' | 'partner' | 'sub' | 'bare'
  signature: 'right' | 'wrong' | 'late' | 'missing'
}

type Fields = Record<string, unknown>

export interface RequestStep extends Signed {
  step: 'request'
  operation: string
  path: Fields
  query: Fields
  body: unknown
}

export interface ControlStep {
  step: 'control'
  operation: string
  path: Fields
  query: Fields
  body: unknown
  /** Whether the next step awaits the response. */
  waits: boolean
}

/** A client's frame; huge and deep ones only by their size. */
export type FrameText =
  | { text: string }
  | { base64: string }
  | { deep: number }
  | { huge: number }
  | { addresses: number; method: string }

export interface ConnectStep extends Signed {
  step: 'connect'
  socket: string
  /** Sent on opening. */
  frames: FrameText[]
}

export type Step =
  | RequestStep
  | ControlStep
  | ConnectStep
  | { step: 'frame'; on: number; frame: FrameText }
  | { step: 'close'; on: number }
  /** Restores the sandbox's mutated snapshot. */
  | { step: 'restore'; edits: ValueEdit[]; waits: boolean }

const SOCKETS = ['/hl/ws', '/hl/ws/fills', '/hl/ws/filled-orders', '/hl/ws/clearinghouse-state']

/** Mostly authorised: most of the program lies behind the first checks. */
const signed = {
  role: fc.oneof(
    { weight: 6, arbitrary: fc.constant('full' as const) },
    fc.constantFrom('partner', 'sub', 'bare'),
  ),
  signature: fc.oneof(
    { weight: 20, arbitrary: fc.constant('right' as const) },
    fc.constantFrom('wrong', 'late', 'missing'),
  ),
}

const bodyOf = (schema: TSchema | undefined, words: Vocabulary): fc.Arbitrary<unknown> =>
  schema === undefined
    ? fc.constant(null)
    : fc.oneof(
        { weight: 6, arbitrary: fieldsFitting(fieldsOf('body', schema), words) },
        fc.jsonValue({ maxDepth: 3 }),
        words.junk,
      )

export function requestSteps(words: Vocabulary): fc.Arbitrary<RequestStep> {
  return fc.oneof(
    ...OPERATIONS.map((operation) => {
      const at = (place: string) => parametersOf(operation).filter((one) => one.place === place)
      return fc.record({
        step: fc.constant('request' as const),
        operation: fc.constant(operation.id),
        path: fieldsFitting(at('path'), words),
        query: fieldsFitting(at('query'), words),
        body: bodyOf(operation.params.body, words),
        ...signed,
      })
    }),
  )
}

function controlSteps(words: Vocabulary): fc.Arbitrary<ControlStep> {
  return fc.oneof(
    ...CONTROL_OPERATIONS.map(({ id, params = {} }) =>
      fc.record({
        step: fc.constant('control' as const),
        operation: fc.constant(id),
        path: fieldsFitting(fieldsOf('path', params.path), words),
        query: fieldsFitting(fieldsOf('query', params.query), words),
        body: fc.oneof(bodyOf(params.body, words), ...aptBodies(id, words)),
        waits: fc.boolean(),
      }),
    ),
  )
}

/** Bodies that no schema describes fully. */
function aptBodies(id: string, words: Vocabulary): fc.Arbitrary<unknown>[] {
  if (id.startsWith('scenario.')) return [scenarios(words)]
  if (id !== 'playhead.run') return []
  const until = fc.constantFrom('px < 0', 'coin == BTC and px > 1', 'kind == "book"', 'sz > 1e9')
  return [fc.record({ until, withinMs: fc.integer({ min: 1, max: 3_600_000 }) })]
}

function frames(words: Vocabulary): fc.Arbitrary<FrameText> {
  const subscriptions = fc.oneof(
    ...CHANNELS.map(({ subscription }) => fitting(subscription as TSchema, words)),
  )
  const method = fc.constantFrom('subscribe', 'unsubscribe', 'ping', 'stat', 'close', 'post')
  const text = fc.oneof(
    fc.record({ method, subscription: subscriptions }).map((frame) => JSON.stringify(frame)),
    fc
      .record({ type: method, addresses: fc.array(words.junk) })
      .map((frame) => JSON.stringify(frame)),
    fc.json(),
    words.junk,
  )
  return fc.oneof(
    { weight: 12, arbitrary: fc.record({ text }) },
    fc.record({ base64: fc.base64String({ maxLength: 40 }) }),
    fc.record({ deep: fc.nat({ max: 100_000 }) }),
    fc.record({ huge: fc.nat({ max: 600_000 }) }),
    fc.record({ addresses: fc.nat({ max: 2_500 }), method }),
  )
}

export function steps(words: Vocabulary): fc.Arbitrary<Step[]> {
  const on = fc.nat({ max: 3 })
  return fc.array(
    fc.oneof(
      { weight: 6, arbitrary: requestSteps(words) },
      { weight: 6, arbitrary: controlSteps(words) },
      {
        weight: 2,
        arbitrary: fc.record({
          step: fc.constant('connect' as const),
          socket: fc.constantFrom('/hl/ws', ...SOCKETS),
          frames: fc.array(frames(words), { maxLength: 4 }),
          ...signed,
        }),
      },
      {
        weight: 5,
        arbitrary: fc.record({ step: fc.constant('frame' as const), on, frame: frames(words) }),
      },
      { weight: 1, arbitrary: fc.record({ step: fc.constant('close' as const), on }) },
      {
        weight: 1,
        arbitrary: fc.record({
          step: fc.constant('restore' as const),
          edits: fc.oneof(fc.constant<ValueEdit[]>([]), valueEdits),
          waits: fc.boolean(),
        }),
      },
    ),
    { minLength: 1, maxLength: 12 },
  )
}
