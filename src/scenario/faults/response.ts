/** Faults on answers as they leave. */
import { OneOf, Type } from '../../contract/schema.ts'
import { type Fault, fault, type OutgoingResponse } from '../fault.ts'

const exact = { additionalProperties: false }

const GATEWAY_PAGE = `<!DOCTYPE html>
<html><head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center><hr><center>gateway</center></body></html>
`

/** What a broken proxy makes of an answer. */
const CORRUPTIONS: Record<string, (leaving: OutgoingResponse) => OutgoingResponse> = {
  json: (leaving) => ({ ...leaving, body: `${leaving.body.slice(0, -1)},}` }),
  html: (leaving) => ({ ...leaving, status: 502, contentType: 'text/html', body: GATEWAY_PAGE }),
  type: (leaving) => ({ ...leaving, contentType: 'text/plain' }),
  nothing: (leaving) => ({ ...leaving, body: '' }),
  null: (leaving) => ({ ...leaving, body: 'null' }),
}

export const RESPONSE_FAULTS: readonly Fault[] = [
  fault({
    name: 'truncate',
    about: 'The body ends early, as if that were all.',
    settings: Type.Object(
      { bytes: Type.Optional(Type.Integer({ minimum: 0, description: 'half of it unless said' })) },
      exact,
    ),
    onResponse: ({ bytes }) => {
      return (leaving) => {
        const whole = Buffer.from(leaving.body)
        const kept = whole.subarray(0, bytes ?? whole.length >> 1)
        return { ...leaving, body: kept.toString() }
      }
    },
  }),
  fault({
    name: 'corrupt',
    about:
      'The body is not what it should be: JSON that is broken, a page of a gateway, another ' +
      'content type, nothing at all, or `null`.',
    settings: Type.Object(
      { as: OneOf(['json', 'html', 'type', 'nothing', 'null'], 'what it becomes') },
      exact,
    ),
    onResponse: ({ as }) => CORRUPTIONS[as] as (leaving: OutgoingResponse) => OutgoingResponse,
  }),
  fault({
    name: 'status',
    about: 'The same body under another status, with further headers if wished.',
    settings: Type.Object(
      {
        status: Type.Integer({ minimum: 200, maximum: 599 }),
        headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      },
      exact,
    ),
    onResponse: ({ status, headers }) => {
      return (leaving) => ({ ...leaving, status, headers: { ...leaving.headers, ...headers } })
    },
  }),
  fault({
    name: 'drop',
    about: 'The connection is lost before the answer, in the middle of it, or after it.',
    settings: Type.Object({ where: OneOf(['before', 'middle', 'after'], 'where') }, exact),
    onResponse: ({ where }) => {
      return (leaving) => ({ ...leaving, drop: where })
    },
  }),
  fault({
    name: 'throttle',
    about: 'The body comes slowly.',
    settings: Type.Object(
      { bytes: Type.Integer({ minimum: 1, description: 'in each second of the session clock' }) },
      exact,
    ),
    onResponse: ({ bytes }) => {
      return (leaving) => ({ ...leaving, bytesPerSecond: bytes })
    },
  }),
]
