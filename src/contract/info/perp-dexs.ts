import { PerpDex } from '../records/asset-context.ts'
import { NoParameters, Nullable, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const perpDexs = infoType({
  type: 'perpDexs',
  title: 'Perpetual dexes; the first one, null, is the main dex',
  request: NoParameters,
  data: Type.Array(Nullable(PerpDex)),
  examples: [{}],
  answer: (_, facts) => [null, ...facts.assetContexts.dexs()],
})
