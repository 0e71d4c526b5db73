import { Address, Decimal, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const userRateLimit = infoType({
  type: 'userRateLimit',
  profile: 'raw',
  title: 'How many orders an account may send',
  request: Type.Object({ user: Address() }),
  data: Type.Object(
    {
      cumVlm: Decimal('volume so far, USD'),
      nRequestsUsed: Type.Integer(),
      nRequestsCap: Type.Integer(),
      nRequestsSurplus: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => facts.users.rateLimit(user),
})
