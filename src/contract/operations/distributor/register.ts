import { publicAccess } from '../../access.ts'
import { C, operation } from '../../operation.ts'
import { Registration } from '../../records/distributor.ts'
import { Type } from '../../schema.ts'

export const register = operation({
  id: 'distributor.register',
  method: 'POST',
  path: '/distributor/register',
  title: 'Register with an invite token',
  about:
    'Makes a distributor with what the token presets: name, level, sub key limit, monthly quota ' +
    'and socket limits. The token is used up; the secret key is shown here only.',
  source: 'Distributor management; States, invite token',
  envelope: C('distributor registered'),
  access: publicAccess,
  params: {
    body: Type.Object({ invite_token: Type.String({ description: 'one-time invite token' }) }),
  },
  data: Registration,
  changes: true,
  refuses: ['invite'],
  assumed: ['distributor-refusal'],
  examples: [{ name: 'a token', body: { invite_token: 'demo-invite' } }],
  answer: ({ body }, _, { distributor }) => distributor.register(body.invite_token),
})
