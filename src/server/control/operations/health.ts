import { Type } from '../../../contract/schema.ts'
import { VERSION } from '../../../platform/version.ts'
import { controlOperation } from '../control-operation.ts'
import { notReadyReasons } from '../readiness.ts'

export const health = controlOperation({
  id: 'health',
  method: 'GET',
  path: '/health',
  title: 'Whether the server is live and ready',
  about:
    'A server that answers is live. HTTP 503 means that it is not ready, and `why` gives the ' +
    'reason; it still serves what it can. No token is needed.',
  isOpen: true,
  data: Type.Object({
    live: Type.Boolean({ description: 'true in every answer' }),
    ready: Type.Boolean({ description: 'whether everything works' }),
    why: Type.Optional(Type.String({ description: 'why it is not ready' })),
    version: Type.String({ description: 'of Tapewright' }),
  }),
  status: ({ ready }) => (ready ? 200 : 503),
  answer(_, { registry }) {
    const reasons = notReadyReasons(registry)
    const ready = reasons.length === 0
    return { live: true, ready, ...(ready ? {} : { why: reasons.join('; ') }), version: VERSION }
  },
})
