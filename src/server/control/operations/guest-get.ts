import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'

export const guestGet = controlOperation({
  id: 'guest.get',
  method: 'GET',
  path: '/guest',
  title: 'The link for read-only guests',
  about:
    'A guest with this link can see everything in the console and change nothing. Its token ' +
    'allows only calls that change nothing and whose answers contain no secrets. The link stays ' +
    'valid after a restart; another `TAPEWRIGHT_CONTROL_TOKEN` ends it. It does not protect the ' +
    'keys of a sandbox: everybody who knows a key can sign with it.',
  data: Type.Object({
    token: Type.String({ description: 'use it as a control token' }),
    url: Type.String({ description: 'address of the console for guests' }),
  }),
  answer(_, { guestToken: token, origin }) {
    return { token, url: `${origin}/console#guest=${token}` }
  },
})
