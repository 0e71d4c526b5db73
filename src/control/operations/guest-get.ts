import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'

export const guestGet = controlOperation({
  id: 'guest.get',
  method: 'GET',
  path: '/guest',
  title: 'The link for read-only guests',
  about:
    'Whoever opens it can look at everything in the console and change nothing: to the token in ' +
    'it only calls that change nothing are answered, and none with secrets in their answers. It ' +
    'outlives a restart, and another `TAPEWRIGHT_CONTROL_TOKEN` ends it. The keys of a sandbox ' +
    'are another matter: who knows one can sign with it.',
  data: Type.Object({
    token: Type.String({ description: 'sent as a control token' }),
    url: Type.String({ description: 'of the console, for guests' }),
  }),
  answer(_, { guestToken: token, origin }) {
    return { token, url: `${origin}/console#guest=${token}` }
  },
})
