import { splitSandboxBase } from '../../../contract/paths.ts'
import { Nullable, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { explainRequest } from '../../../sandbox/pipeline/explanation.ts'
import { routeOf } from '../../../sandbox/pipeline/operation-call.ts'
import { controlOperation } from '../control-operation.ts'

export const explain = controlOperation({
  id: 'explain',
  method: 'POST',
  storesNothing: true,
  isForGuests: true,
  path: '/explain',
  title: 'How a request would be answered, and why',
  about:
    'Lists each check in order. For a signature: what should have been signed, how, and the ' +
    'likely mistake. The call changes and counts nothing, and shows no secret.',
  params: {
    body: Type.Object({
      url: Type.String({
        minLength: 1,
        maxLength: 16_384,
        description: 'full URL, or path and query',
      }),
      method: Type.Optional(Type.String({ maxLength: 20, description: 'GET by default' })),
      body: Type.Optional(Type.Unknown({ description: 'as JSON, or as text' })),
    }),
  },
  examples: [
    {
      name: 'a request without a signature',
      body: { url: '/api/upgrade/v2/hl/tickers?AccessKeyId=demo' },
    },
  ],
  data: Type.Object({
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
    const query = search.slice(1)
    const request = { method: method.toUpperCase(), path, params: {}, query, body: text, sandbox }
    return explainRequest(registry, routeOf(request.method, path), request)
  },
})

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))
