import { Address, OneOf, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const userRole = infoType({
  type: 'userRole',
  profile: 'raw',
  title: 'What an address is to the venue',
  request: Type.Object({ user: Address() }),
  data: Type.Object(
    { role: OneOf(['missing', 'user'], 'missing when nothing is known of it') },
    { additionalProperties: false },
  ),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => ({
    role: facts.users.isKnown(user) ? ('user' as const) : ('missing' as const),
  }),
})
