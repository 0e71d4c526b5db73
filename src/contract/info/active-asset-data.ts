import { ActiveAsset } from '../records/asset-context.ts'
import { Address, Coin, Nullable, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const activeAssetData = infoType({
  type: 'activeAssetData',
  title: 'What an account may trade of a perpetual',
  request: Type.Object({ user: Address(), coin: Coin() }),
  data: Nullable(ActiveAsset),
  examples: [{ user: '0x0000000000000000000000000000000000000001', coin: 'BTC' }],
  answer: ({ user, coin }, facts) => facts.users.activeAsset(user, coin),
})
