import { UserFill } from '../records/fill.ts'
import { Address, IdOf, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const userTwapSliceFills = infoType({
  type: 'userTwapSliceFills',
  title: 'Fills of an account’s TWAPs, newest first',
  most: 2000,
  request: Type.Object({ user: Address() }),
  data: Type.Array(
    Type.Object(
      { fill: UserFill, twapId: IdOf('twap', Type.Integer()) },
      { additionalProperties: false },
    ),
  ),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts, most) => facts.users.twapSlices(user, most),
})
