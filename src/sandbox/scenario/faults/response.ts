/** Faults on responses as they leave. */
import { OneOf, Type } from '../../../contract/schema.ts'
import {
  ContentTypeField,
  type Fault,
  fault,
  HeadersField,
  headFlaw,
  type OutgoingResponse,
  plainBody,
} from '../fault.ts'

const exact = { additionalProperties: false }

const GATEWAY_PAGE = `<!DOCTYPE html>
<html><head><title>502 Bad Gateway</title></head>
<body><center><h1>502 Bad Gateway</h1></center><hr><center>gateway</center></body></html>
`

/** The code in the head of an envelope: the data after it may have a field of that name. */
const ENVELOPE_CODE = /^(\{(?:"success":(?:true|false),)?"(?:code|errorCode)":)("?)(\d+)"?/

const swappedCode = (_: string, head: string, quote: string, code: string) =>
  quote ? `${head}${code}` : `${head}"${code}"`

/** Corruptions of a response by a broken proxy. */
const CORRUPTIONS: Record<string, (response: OutgoingResponse) => OutgoingResponse> = {
  json: (response) => ({ ...response, body: `${response.body.slice(0, -1)},}` }),
  html: (response) => ({ ...response, status: 502, contentType: 'text/html', body: GATEWAY_PAGE }),
  type: (response) => ({ ...response, contentType: 'text/plain' }),
  nothing: (response) => ({ ...response, body: '' }),
  null: (response) => ({ ...response, body: 'null' }),
}

export const RESPONSE_FAULTS: readonly Fault[] = [
  fault({
    name: 'truncate',
    about: 'The body ends early, as if it were complete.',
    settings: Type.Object(
      {
        bytes: Type.Optional(
          Type.Integer({ minimum: 0, description: 'half of the body by default' }),
        ),
      },
      exact,
    ),
    onResponse: ({ bytes }) => {
      return (response) => {
        const full = Buffer.from(response.body)
        const sent = full.subarray(0, bytes ?? full.length >> 1)
        return { ...response, body: sent.toString() }
      }
    },
  }),
  fault({
    name: 'corrupt',
    about:
      'The body is wrong: broken JSON, an HTML page of a gateway, another content type, an empty ' +
      'body, or `null`.',
    settings: Type.Object(
      { as: OneOf(['json', 'html', 'type', 'nothing', 'null'], 'what it becomes') },
      exact,
    ),
    onResponse: ({ as }) => CORRUPTIONS[as] as (response: OutgoingResponse) => OutgoingResponse,
  }),
  fault({
    name: 'status',
    about: 'The same body has another status, and optionally more headers.',
    settings: Type.Object(
      {
        status: Type.Integer({ minimum: 200, maximum: 599 }),
        headers: Type.Optional(HeadersField),
      },
      exact,
    ),
    check: headFlaw,
    onResponse: ({ status, headers }) => {
      return (response) => ({ ...response, status, headers: { ...response.headers, ...headers } })
    },
  }),
  fault({
    name: 'replace',
    about: 'A completely different answer, such as that of a gateway.',
    settings: Type.Object(
      {
        status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
        body: Type.Unknown({ description: 'text, or a value that becomes JSON' }),
        type: Type.Optional(ContentTypeField),
        headers: Type.Optional(HeadersField),
      },
      exact,
    ),
    check: headFlaw,
    onResponse: ({ status, body, type, headers }) => {
      return (response) => ({
        ...response,
        ...plainBody(body, type),
        status: status ?? response.status,
        headers: { ...response.headers, ...headers },
      })
    },
  }),
  fault({
    name: 'swap-code',
    about: 'The code of the envelope changes its type, from text to number or from number to text.',
    settings: Type.Object({}, exact),
    onResponse: () => (response) => ({
      ...response,
      body: response.body.replace(ENVELOPE_CODE, swappedCode),
    }),
  }),
  fault({
    name: 'drop',
    about: 'The connection is lost before, during or after the answer.',
    settings: Type.Object({ where: OneOf(['before', 'middle', 'after'], 'where') }, exact),
    onResponse: ({ where }) => {
      return (response) => ({ ...response, drop: where })
    },
  }),
  fault({
    name: 'throttle',
    about: 'The body is sent slowly.',
    settings: Type.Object(
      {
        bytesPerSecond: Type.Integer({ minimum: 1, description: 'measured on the session clock' }),
      },
      exact,
    ),
    onResponse: ({ bytesPerSecond }) => {
      return (response) => ({ ...response, bytesPerSecond })
    },
  }),
]
