/** Deeds on answers as they leave. */
import { OneOf, Type } from '../../contract/schema.ts'
import { type Deed, deed, type Leaving } from '../deed.ts'

const exact = { additionalProperties: false }

const PAGE = `<!DOCTYPE html>
<html><head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center><hr><center>gateway</center></body></html>
`

/** What a broken proxy makes of an answer. */
const GARBLES: Record<string, (leaving: Leaving) => Leaving> = {
  json: (leaving) => ({ ...leaving, body: `${leaving.body.slice(0, -1)},}` }),
  html: (leaving) => ({ ...leaving, status: 502, contentType: 'text/html', body: PAGE }),
  type: (leaving) => ({ ...leaving, contentType: 'text/plain' }),
  nothing: (leaving) => ({ ...leaving, body: '' }),
  null: (leaving) => ({ ...leaving, body: 'null' }),
}

export const DEPARTING: readonly Deed[] = [
  deed({
    name: 'truncate',
    about: 'The body ends early, as if that were all.',
    settings: Type.Object(
      { bytes: Type.Optional(Type.Integer({ minimum: 0, description: 'half of it unless said' })) },
      exact,
    ),
    depart: ({ bytes }) => {
      return (leaving) => {
        const whole = Buffer.from(leaving.body)
        const kept = whole.subarray(0, bytes ?? whole.length >> 1)
        return { ...leaving, body: kept.toString() }
      }
    },
  }),
  deed({
    name: 'garble',
    about:
      'The body is not what it should be: JSON that is broken, a page of a gateway, another ' +
      'content type, nothing at all, or `null`.',
    settings: Type.Object(
      { as: OneOf(['json', 'html', 'type', 'nothing', 'null'], 'what it becomes') },
      exact,
    ),
    depart: ({ as }) => GARBLES[as] as (leaving: Leaving) => Leaving,
  }),
  deed({
    name: 'status',
    about: 'The same body under another status, with further headers if wished.',
    settings: Type.Object(
      {
        status: Type.Integer({ minimum: 200, maximum: 599 }),
        headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      },
      exact,
    ),
    depart: ({ status, headers }) => {
      return (leaving) => ({ ...leaving, status, headers: { ...leaving.headers, ...headers } })
    },
  }),
  deed({
    name: 'drop',
    about: 'The connection is lost before the answer, in the middle of it, or after it.',
    settings: Type.Object({ where: OneOf(['before', 'middle', 'after'], 'where') }, exact),
    depart: ({ where }) => {
      return (leaving) => ({ ...leaving, drop: where })
    },
  }),
  deed({
    name: 'drip',
    about: 'The body comes slowly.',
    settings: Type.Object(
      { bytes: Type.Integer({ minimum: 1, description: 'in each second of the session clock' }) },
      exact,
    ),
    depart: ({ bytes }) => {
      return (leaving) => ({ ...leaving, drip: bytes })
    },
  }),
]
