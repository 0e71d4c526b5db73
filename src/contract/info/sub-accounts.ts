import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const subAccounts = infoType({
  type: 'subAccounts',
  profile: 'raw',
  title: 'Sub-accounts of an account: nobody has any',
  request: Type.Object({ user: Address() }),
  data: Type.Null(),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: () => null,
})
