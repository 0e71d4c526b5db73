/** Faults on requests and upgrades as they arrive. */

import type { Refusal, RefusalName } from '../../contract/refusal.ts'
import { REFUSALS } from '../../contract/refusal-forms.ts'
import { OneOf, Type } from '../../contract/schema.ts'
import { type Fault, fault } from '../fault.ts'

const exact = { additionalProperties: false }
const Ms = (description: string) =>
  Type.Number({ minimum: 0, maximum: 3_600_000, description: `${description}, ms` })

/** Refusals with what they are about, where a rule does not say. */
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
    about: 'The request waits: a fixed time, one between two, or about a mean with a long tail.',
    settings: Type.Object(
      {
        ms: Type.Optional(Ms('always so long')),
        least: Type.Optional(Ms('at least')),
        most: Type.Optional(Ms('at most')),
        mean: Type.Optional(Ms('exponentially about this')),
      },
      exact,
    ),
    onRequest({ ms, least = 0, most, mean }, random) {
      if (ms !== undefined) return { delayMs: ms }
      if (mean !== undefined) return { delayMs: Math.round(-mean * Math.log(1 - random.unit())) }
      return { delayMs: Math.round(least + random.unit() * ((most ?? least + 1000) - least)) }
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
          Type.String({ description: 'the permission, parameter or name that it is about' }),
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
    about: 'The clocks differ: every signature is so much older, or younger when below zero.',
    settings: Type.Object(
      { s: Type.Number({ minimum: -86_400, maximum: 86_400, description: 'seconds' }) },
      exact,
    ),
    onRequest: ({ s }) => ({ skewMs: s * 1000 }),
  }),
  fault({
    name: 'remaining-quota',
    about: 'The key that asks has so many requests of its month left, this one counted.',
    settings: Type.Object({ requests: Type.Integer({ minimum: 0 }) }, exact),
    onRequest: ({ requests }) => ({ remainingRequests: requests }),
  }),
]

const JSON_TYPE = 'application/json; charset=utf-8'

function refusalOf(as: RefusalName, subject: string | undefined): Refusal {
  const usual = (SAMPLE_REFUSALS[as] ?? {}) as Record<string, unknown>
  const [first] = Object.keys(usual)
  const own = subject !== undefined && first !== undefined ? { [first]: subject } : {}
  return { refused: as, ...usual, ...own } as Refusal
}
