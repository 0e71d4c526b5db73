import { splitSandboxBase } from '../../../contract/paths.ts'
import { Nullable, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { explainRequest } from '../../../sandbox/pipeline/explanation.ts'
import { routeOf } from '../../../sandbox/pipeline/operation-call.ts'
import { controlOperation } from '../control-operation.ts'
import { ReasonView } from './journal.ts'

export const explain = controlOperation({
  id: 'explain',
  method: 'POST',
  storesNothing: true,
  isForGuests: true,
  path: '/explain',
  title: 'How a request would be answered, and why',
  about:
    'Handles the request in a copy of its sandbox, and returns the very answer, what decided, ' +
    'the sentence of the contract or the open question that it rests on, and the mend. Lists ' +
    'each check in order. For a signature: what should have been signed, how, and the likely ' +
    'mistake. The call changes and counts nothing, is in no journal, and shows no secret. For a ' +
    'request of the past, read `reason` in the journal.',
  params: {
    body: Type.Object({
      url: Type.String({
        minLength: 1,
        maxLength: 16_384,
        description: 'full URL, or path and query',
      }),
      method: Type.Optional(Type.String({ maxLength: 20, description: 'GET by default' })),
      body: Type.Optional(Type.Unknown({ description: 'as JSON, or as text' })),
      contentType: Type.Optional(
        Nullable(Type.String({ maxLength: 200 }), {
          description: 'header of a body, application/json by default; null for none',
        }),
      ),
    }),
  },
  examples: [
    {
      name: 'a request without a signature',
      body: { url: '/api/upgrade/v2/hl/tickers?AccessKeyId=demo' },
    },
  ],
  data: Type.Object({
    answer: Nullable(
      Type.Object({
        status: Type.Integer(),
        contentType: Type.String(),
        headers: Type.Record(Type.String(), Type.String()),
        body: Type.String({ description: 'the first 16,000 characters' }),
        bodyLength: Type.Integer({ description: 'characters of the whole body' }),
        delivery: Nullable(Type.String({ description: 'how a scenario delivers it' })),
      }),
      { description: 'the very answer; null where only the upstream service knows it' },
    ),
    reason: Nullable(ReasonView, { description: 'what decided; null if it is simply answered' }),
    sandbox: Nullable(Type.String()),
    operation: Nullable(Type.String()),
    checks: Type.Array(
      Type.Object({ check: Type.String(), passed: Type.Boolean(), detail: Type.String() }),
    ),
    signature: Nullable(
      Type.Object({
        stringToSign: Type.String(),
        steps: Type.Array(Type.String()),
        received: Nullable(Type.String()),
        mistake: Nullable(Type.String()),
        explanation: Type.String(),
      }),
    ),
  }),
  answer({ body }, { registry, origin }) {
    const { url, method = 'GET' } = body
    if (!URL.canParse(url, origin))
      throw new UserError(`url "${url.slice(0, 200)}" is not a URL or a path`)
    const { pathname, search } = new URL(url, origin)
    const { path, sandbox } = splitSandboxBase(pathname)
    const text = body.body === undefined ? '' : textOf(body.body)
    const { contentType = text === '' ? null : 'application/json' } = body
    const sent = { method: method.toUpperCase(), path: pathname, query: search.slice(1) }
    const request = { ...sent, params: {}, body: text, contentType, sandbox }
    return explainRequest(registry, routeOf(request.method, path), request)
  },
})

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))
