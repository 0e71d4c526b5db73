import type { Slices } from '../../clock/turns.ts'
import { Dex } from '../dex.ts'
import { PerpContext } from '../records/asset-context.ts'
import { Meta } from '../records/meta.ts'
import { Nullable, type Static, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

const Answer = Nullable(Type.Tuple([Meta, Type.Array(PerpContext)]))

export const metaAndAssetCtxs = infoType({
  type: 'metaAndAssetCtxs',
  profile: 'raw',
  title: 'Universe of perpetuals and their markets',
  request: Type.Object({
    dex: Dex,
  }),
  data: Answer,
  examples: [{}],
  *answer({ dex = '' }, facts): Slices<Static<typeof Answer>> {
    const meta = facts.venue.meta(dex)
    return meta && [meta, (yield* facts.assetContexts.perps(dex)) ?? []]
  },
})
