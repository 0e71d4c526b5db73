import type { Slices } from '../../clock/turns.ts'
import { SpotContext } from '../records/asset-context.ts'
import { SpotMeta } from '../records/meta.ts'
import { NoParameters, type Static, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

const Answer = Type.Tuple([SpotMeta, Type.Array(SpotContext)], { title: 'SpotMetaAndContexts' })

export const spotMetaAndAssetCtxs = infoType({
  type: 'spotMetaAndAssetCtxs',
  profile: 'raw',
  title: 'Spot pairs and tokens, and their markets',
  request: NoParameters,
  data: Answer,
  examples: [{}],
  *answer(_, facts): Slices<Static<typeof Answer>> {
    return [facts.venue.spotMeta(), yield* facts.assetContexts.spots()]
  },
})
