/** Faults on requests and upgrades as they arrive. */

import type { RefusalName } from '../../../contract/refusal.ts'
import { REFUSALS } from '../../../contract/refusal-forms.ts'
import { OneOf, Type } from '../../../contract/schema.ts'
import { ContentTypeField, type Fault, fault, HeadersField, headFlaw, plainBody } from '../fault.ts'

const exact = { additionalProperties: false }
const Ms = (description: string) =>
  Type.Number({ minimum: 0, maximum: 3_600_000, description: `${description}, ms` })

export const REQUEST_FAULTS: readonly Fault[] = [
  fault({
    name: 'delay',
    about:
      'The request waits: for a fixed time, a time between two limits, or an exponentially ' +
      'distributed time.',
    settings: Type.Object(
      {
        ms: Type.Optional(Ms('a fixed time')),
        min: Type.Optional(Ms('at least')),
        max: Type.Optional(Ms('at most')),
        mean: Type.Optional(Ms('mean of an exponential distribution')),
      },
      exact,
    ),
    check({ ms, min, max, mean }) {
      if ((ms ?? min ?? max ?? mean) === undefined) return 'needs ms, or min and max, or mean'
      const forms = [ms, min ?? max, mean].filter((one) => one !== undefined)
      if (forms.length > 1) return 'is ms, or min and max, or mean: not several of them'
      return min !== undefined && max !== undefined && min > max
        ? `has a min of ${min} above its max of ${max}`
        : null
    },
    onRequest({ ms, min = 0, max, mean }, random) {
      if (ms !== undefined) return { delayMs: ms }
      if (mean !== undefined) return { delayMs: Math.round(-mean * Math.log(1 - random.unit())) }
      return { delayMs: Math.round(min + random.unit() * ((max ?? min + 1000) - min)) }
    },
  }),
  fault({
    name: 'refuse',
    about: 'The request is refused: as in the contract, or with any status and body.',
    settings: Type.Object(
      {
        as: Type.Optional(
          OneOf(Object.keys(REFUSALS), 'a refusal of the contract: rate, quota, signature, …'),
        ),
        subject: Type.Optional(
          Type.String({
            description:
              'the permission, parameter or name in the refusal; that of the request by default',
          }),
        ),
        status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
        body: Type.Optional(Type.Unknown({ description: 'text, or a value that becomes JSON' })),
        type: Type.Optional(ContentTypeField),
        headers: Type.Optional(HeadersField),
      },
      exact,
    ),
    check({ as, subject, ...own }) {
      const [other] = Object.keys(own)
      if (as !== undefined && other !== undefined)
        return `has as, which says status and body, and ${other}: leave one of them out`
      if (as === undefined && subject !== undefined) return 'has a subject, which needs as'
      return headFlaw(own)
    },
    onRequest({ as, subject, status, body, type, headers }) {
      if (as !== undefined) return { refusal: { as: as as RefusalName, subject } }
      const plain = plainBody(body, type)
      return { answer: { status: status ?? 500, ...plain, ...(headers ? { headers } : {}) } }
    },
  }),
  fault({
    name: 'clock-skew',
    about:
      'The clock of the service is ahead by this time: signatures are older, and `Date` is ' +
      'later. A negative value sets it behind.',
    settings: Type.Object(
      { s: Type.Number({ minimum: -86_400, maximum: 86_400, description: 'seconds' }) },
      exact,
    ),
    onRequest: ({ s }) => ({ skewMs: s * 1000 }),
  }),
  fault({
    name: 'remaining-quota',
    about:
      'Each key with a quota has this many requests of its month left, including this one. It ' +
      'acts once for each key, until the rule is removed.',
    settings: Type.Object({ requests: Type.Integer({ minimum: 0 }) }, exact),
    onRequest: ({ requests }) => ({ remainingRequests: requests }),
    oncePerQuota: true,
  }),
]
