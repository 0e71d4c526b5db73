/** Faults on requests and upgrades as they arrive. */

import type { Refusal, RefusalName } from '../../contract/refusal.ts'
import { REFUSALS } from '../../contract/refusal-forms.ts'
import { OneOf, Type } from '../../contract/schema.ts'
import { type Fault, fault } from '../fault.ts'

const exact = { additionalProperties: false }
const Ms = (description: string) =>
  Type.Number({ minimum: 0, maximum: 3_600_000, description: `${description}, ms` })

/** Subjects of refusals, where a rule names none. */
const SAMPLE_REFUSALS: Partial<Record<RefusalName, object>> = {
  permission: { name: 'MAINTENANCE' },
  missing: { parameter: 'coin' },
  invalid: { parameter: 'coin', expected: 'something else' },
  body: { expected: 'a JSON object' },
  symbol: { symbol: 'nothing' },
  infoType: { type: 'nothing' },
  action: { name: 'NOTHING' },
  level: { name: 'nothing' },
  subKey: { why: 'not today' },
  subKeyAbsent: { name: 'nothing' },
  rate: { perMinute: 1, retryAfterS: 30 },
  quota: { retryAfterS: 3600 },
  timeRange: { maxS: 60 },
  connections: { most: 1 },
  method: { allowed: ['GET'] },
  tooLarge: { maxBytes: 1 },
}

export const REQUEST_FAULTS: readonly Fault[] = [
  fault({
    name: 'delay',
    about:
      'The request waits: a fixed time, one between two, or one of an exponential distribution.',
    settings: Type.Object(
      {
        ms: Type.Optional(Ms('a fixed time')),
        min: Type.Optional(Ms('at least')),
        max: Type.Optional(Ms('at most')),
        mean: Type.Optional(Ms('mean of an exponential distribution')),
      },
      exact,
    ),
    onRequest({ ms, min = 0, max, mean }, random) {
      if (ms !== undefined) return { delayMs: ms }
      if (mean !== undefined) return { delayMs: Math.round(-mean * Math.log(1 - random.unit())) }
      return { delayMs: Math.round(min + random.unit() * ((max ?? min + 1000) - min)) }
    },
  }),
  fault({
    name: 'refuse',
    about: 'It is refused: as the contract says it, or with any status and body.',
    settings: Type.Object(
      {
        as: Type.Optional(
          OneOf(Object.keys(REFUSALS), 'a refusal of the contract: rate, quota, signature, …'),
        ),
        subject: Type.Optional(
          Type.String({ description: 'the permission, parameter or name of the refusal' }),
        ),
        status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
        body: Type.Optional(Type.Unknown({ description: 'text, or what becomes JSON' })),
        type: Type.Optional(Type.String({ description: 'content type' })),
        headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      },
      exact,
    ),
    onRequest({ as, subject, status, body, type, headers }) {
      if (as !== undefined) return { refusal: refusalOf(as as RefusalName, subject) }
      const isText = typeof body === 'string'
      return {
        answer: {
          status: status ?? 500,
          contentType: type ?? (isText ? 'text/plain; charset=utf-8' : JSON_TYPE),
          body: isText ? (body as string) : JSON.stringify(body ?? null),
          ...(headers ? { headers } : {}),
        },
      }
    },
  }),
  fault({
    name: 'clock-skew',
    about: 'The clocks differ: every signature is so much older, or younger when negative.',
    settings: Type.Object(
      { s: Type.Number({ minimum: -86_400, maximum: 86_400, description: 'seconds' }) },
      exact,
    ),
    onRequest: ({ s }) => ({ skewMs: s * 1000 }),
  }),
  fault({
    name: 'remaining-quota',
    about: 'The key has so many requests of its month left, this one included.',
    settings: Type.Object({ requests: Type.Integer({ minimum: 0 }) }, exact),
    onRequest: ({ requests }) => ({ remainingRequests: requests }),
  }),
]

const JSON_TYPE = 'application/json; charset=utf-8'

function refusalOf(as: RefusalName, subject: string | undefined): Refusal {
  const sample = (SAMPLE_REFUSALS[as] ?? {}) as Record<string, unknown>
  const [first] = Object.keys(sample)
  const own = subject !== undefined && first !== undefined ? { [first]: subject } : {}
  return { refused: as, ...sample, ...own } as Refusal
}
