import { Dex, dexFlaw } from '../dex.ts'
import { NativeState } from '../records/account-state.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const clearinghouseState = infoType({
  type: 'clearinghouseState',
  title: 'State of a perpetual account',
  request: Type.Object({
    user: Address(),
    dex: Dex,
  }),
  data: NativeState,
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user, dex = '' }, facts) => dexFlaw(dex, facts) ?? facts.accounts.native(user, dex),
})
