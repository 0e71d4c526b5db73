import { UserFees } from '../records/fees.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const userFees = infoType({
  type: 'userFees',
  title: 'Fees of an account',
  request: Type.Object({ user: Address() }),
  data: UserFees,
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => facts.users.fees(user),
})
