/** Types of `POST /info` about the venue: its universe, its dexes and its state. */

import type { Slices } from '../../clock/turns.ts'
import { Dex } from '../dex.ts'
import { PerpContext, PerpDex, SpotContext } from '../records/asset-context.ts'
import { Meta, SpotMeta } from '../records/meta.ts'
import { NoParameters, Nullable, type Static, TimeMs, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const meta = infoType({
  type: 'meta',
  title: 'Universe of perpetuals',
  request: Type.Object({
    dex: Dex,
  }),
  data: Nullable(Meta),
  examples: [{}],
  answer: ({ dex = '' }, facts) => facts.venue.meta(dex),
})

const MetaAndContexts = Nullable(Type.Tuple([Meta, Type.Array(PerpContext)]))

export const metaAndAssetCtxs = infoType({
  type: 'metaAndAssetCtxs',
  profile: 'raw',
  title: 'Universe of perpetuals and their markets',
  request: Type.Object({
    dex: Dex,
  }),
  data: MetaAndContexts,
  examples: [{}],
  *answer({ dex = '' }, facts): Slices<Static<typeof MetaAndContexts>> {
    const meta = facts.venue.meta(dex)
    return meta && [meta, (yield* facts.assetContexts.perps(dex)) ?? []]
  },
})

export const spotMeta = infoType({
  type: 'spotMeta',
  title: 'Universe of spot pairs and tokens',
  request: NoParameters,
  data: SpotMeta,
  examples: [{}],
  answer: (_, facts) => facts.venue.spotMeta(),
})

const SpotMetaAndContexts = Type.Tuple([SpotMeta, Type.Array(SpotContext)], {
  title: 'SpotMetaAndContexts',
})

export const spotMetaAndAssetCtxs = infoType({
  type: 'spotMetaAndAssetCtxs',
  profile: 'raw',
  title: 'Spot pairs and tokens, and their markets',
  request: NoParameters,
  data: SpotMetaAndContexts,
  examples: [{}],
  *answer(_, facts): Slices<Static<typeof SpotMetaAndContexts>> {
    return [facts.venue.spotMeta(), yield* facts.assetContexts.spots()]
  },
})

export const perpDexs = infoType({
  type: 'perpDexs',
  title: 'Perpetual dexes; the first one, null, is the main dex',
  request: NoParameters,
  data: Type.Array(Nullable(PerpDex)),
  examples: [{}],
  answer: (_, facts) => [null, ...facts.assetContexts.dexs()],
})

export const exchangeStatus = infoType({
  type: 'exchangeStatus',
  profile: 'raw',
  title: 'State of the venue',
  request: NoParameters,
  data: Type.Object(
    { time: TimeMs('the present'), specialStatuses: Type.Null() },
    { additionalProperties: false },
  ),
  examples: [{}],
  answer: (_, { moment }) => ({ time: moment.atMs, specialStatuses: null }),
})
