import { UserFill } from '../records/fill.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const userFills = infoType({
  type: 'userFills',
  title: 'Latest fills of an account',
  request: Type.Object({ user: Address(), aggregateByTime: Type.Optional(Type.Boolean()) }),
  data: Type.Array(UserFill),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => facts.fills.native(user, 2000),
})
