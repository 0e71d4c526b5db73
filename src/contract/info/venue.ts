/** Types of `POST /info` about the venue: its universe, its dexes and its state. */

import type { Slices } from '../../clock/turns.ts'
import { Dex } from '../dex.ts'
import type { Facts } from '../facts.ts'
import { Meta, PerpContext, PerpDex, SpotContext, SpotMeta } from '../records/asset-context.ts'
import { NoParameters, Nullable, type Static, TimeMs, Type } from '../schema.ts'
import { type InfoType, infoType } from './info-type.ts'

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

/** The same as the venue itself gives it: a token stands at the place of its number. */
export const denseSpotMeta: InfoType = {
  ...spotMeta,
  answer: (_: object, facts: Facts) => dense(facts.venue.spotMeta()),
}

/**
 * Many clients look a token up by its place. Numbers that the market has no token for get one
 * that no pair has.
 */
function dense(meta: Static<typeof SpotMeta>): Static<typeof SpotMeta> {
  const { tokens } = meta
  const byIndex = new Map(tokens.map((token) => [token.index, token]))
  const count = Math.max(-1, ...byIndex.keys()) + 1
  if (count > TOKENS_MAX) return meta
  const places = Array.from({ length: count }, (_, index) => byIndex.get(index) ?? unnamed(index))
  return { ...meta, tokens: places }
}

/** More tokens than the venue has: beyond that numbers are no places. */
const TOKENS_MAX = 5_000

const unnamed = (index: number) => ({
  name: `TOKEN${index}`,
  szDecimals: 0,
  weiDecimals: 5,
  index,
  tokenId: `0x${index.toString(16).padStart(32, '0')}`,
  isCanonical: false,
  evmContract: null,
  fullName: null,
  deployerTradingFeeShare: '0.0',
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
    return [dense(facts.venue.spotMeta()), yield* facts.assetContexts.spots()]
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
  fixed: 'the present, and that the venue is open',
  request: NoParameters,
  data: Type.Object(
    { time: TimeMs('the present'), specialStatuses: Type.Null() },
    { additionalProperties: false },
  ),
  examples: [{}],
  answer: (_, { moment }) => ({ time: moment.atMs, specialStatuses: null }),
})
