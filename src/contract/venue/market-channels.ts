/** Channels of the venue about its markets that the service does not pass on. */
import type { Slices } from '../../clock/turns.ts'
import { publicAccess } from '../access.ts'
import { type Channel, channel } from '../channel.ts'
import { Dex, isDex } from '../dex.ts'
import { VENUE_DIALECT } from '../dialect.ts'
import type { Facts } from '../facts.ts'
import { PerpContext, SpotContext } from '../records/asset-context.ts'
import { Coin, Type } from '../schema.ts'

/** The common part of all of them. */
const OF_MARKET = {
  dialect: VENUE_DIALECT,
  access: publicAccess,
  source: 'the perpetual venue, WebSocket subscriptions',
  counted: false,
} as const

/** Everything that moves prices, of all coins. */
const anyBbo = (_: unknown, facts: Facts) => facts.market.tickers().map(({ coin }) => `bbo/${coin}`)

/** Pairs are named `BASE/QUOTE` or by their number; no perpetual has such a name. */
const isPair = (coin = '') => coin.startsWith('@') || coin.includes('/')

function* contextOf({ coin }: { coin: string }, facts: Facts) {
  const ctx = yield* facts.assetContexts.ofCoin(coin)
  return ctx === null ? undefined : { coin, ctx }
}

const ofCoin = {
  ...OF_MARKET,
  key: ['coin'],
  pushPolicy: { minGapMs: 1_000 },
  topics: ({ coin }: { coin: string }) => [`bbo/${coin}`, `trade/${coin}`, 'mark/*'],
  snapshot: contextOf,
  push: (subscription: { coin: string }, _: unknown, facts: Facts) =>
    contextOf(subscription, facts),
}

const activeAssetCtx = channel({
  ...ofCoin,
  id: 'activeAssetCtx',
  title: 'The market of a coin: prices, funding, open interest',
  subscription: Type.Object({ type: Type.Literal('activeAssetCtx'), coin: Coin() }),
  pushedAs: ({ coin }) => (isPair(coin) ? 'activeSpotAssetCtx' : 'activeAssetCtx'),
  data: Type.Object({ coin: Coin(), ctx: Type.Union([PerpContext, SpotContext]) }),
  examples: [{ type: 'activeAssetCtx', coin: 'BTC' }],
  exists: ({ coin }, facts) => facts.market.isCoin(coin),
})

const activeSpotAssetCtx = channel({
  ...ofCoin,
  id: 'activeSpotAssetCtx',
  title: 'The market of a spot pair',
  subscription: Type.Object({ type: Type.Literal('activeSpotAssetCtx'), coin: Coin() }),
  data: Type.Object({ coin: Coin(), ctx: Type.Union([PerpContext, SpotContext]) }),
  examples: [{ type: 'activeSpotAssetCtx', coin: 'PURR/USDC' }],
  exists: ({ coin }, facts) => isPair(coin) && facts.market.isCoin(coin),
})

function* perps(dex: string, facts: Facts): Slices<PerpContext[]> {
  return (yield* facts.assetContexts.perps(dex)) ?? []
}

const ofAll = { ...OF_MARKET, pushPolicy: { minGapMs: 3_000 }, topics: anyBbo }

function* contextsOfDex({ dex = '' }: { dex?: string }, facts: Facts) {
  return { dex, ctxs: yield* perps(dex, facts) }
}

const assetCtxs = channel({
  ...ofAll,
  id: 'assetCtxs',
  title: 'The markets of the perpetuals of a dex, in the order of its universe',
  subscription: Type.Object({ type: Type.Literal('assetCtxs'), dex: Dex }),
  key: ['dex'],
  data: Type.Object({ dex: Type.String(), ctxs: Type.Array(PerpContext) }),
  examples: [{ type: 'assetCtxs' }],
  exists: ({ dex = '' }, facts) => isDex(dex, facts),
  snapshot: contextsOfDex,
  push: (subscription, _, facts) => contextsOfDex(subscription, facts),
})

function* contextsOfAll(facts: Facts) {
  const ctxs: [dex: string, PerpContext[]][] = []
  for (const dex of facts.venue.dexNames()) ctxs.push([dex, yield* perps(dex, facts)])
  return { ctxs }
}

const allDexsAssetCtxs = channel({
  ...ofAll,
  id: 'allDexsAssetCtxs',
  title: 'The markets of all perpetuals, by dex',
  subscription: Type.Object({ type: Type.Literal('allDexsAssetCtxs') }),
  key: [],
  data: Type.Object({
    ctxs: Type.Array(Type.Tuple([Type.String(), Type.Array(PerpContext)])),
  }),
  examples: [{ type: 'allDexsAssetCtxs' }],
  snapshot: (_, facts) => contextsOfAll(facts),
  push: (_, __, facts) => contextsOfAll(facts),
})

const spotAssetCtxs = channel({
  ...ofAll,
  id: 'spotAssetCtxs',
  title: 'The markets of all spot pairs, in the order of the universe',
  subscription: Type.Object({ type: Type.Literal('spotAssetCtxs') }),
  key: [],
  data: Type.Array(SpotContext),
  examples: [{ type: 'spotAssetCtxs' }],
  snapshot: (_, facts) => facts.assetContexts.spots(),
  push: (_, __, facts) => facts.assetContexts.spots(),
})

const fastAssetCtxs = channel({
  ...ofAll,
  id: 'fastAssetCtxs',
  title: 'Mark and middle prices of all coins, as Base64 of raw DEFLATE of JSON',
  subscription: Type.Object({ type: Type.Literal('fastAssetCtxs') }),
  key: [],
  pushPolicy: { minGapMs: 1_000 },
  data: Type.String({ description: '`{coin: {markPx, midPx}}`, packed' }),
  examples: [{ type: 'fastAssetCtxs' }],
  snapshot: (_, facts) => packedPrices(facts),
  push: (_, __, facts) => packedPrices(facts),
})

function* packedPrices(facts: Facts): Slices<string> {
  const prices: Record<string, { markPx: string; midPx: string | null }> = {}
  for (const dex of facts.venue.dexNames()) {
    const ctxs = yield* perps(dex, facts)
    for (const [at, { name }] of (facts.venue.meta(dex)?.universe ?? []).entries()) {
      const ctx = ctxs[at]
      if (ctx) prices[name] = { markPx: ctx.markPx, midPx: ctx.midPx }
    }
  }
  return packed(JSON.stringify(prices))
}

/** The most bytes of a block that is stored as it is (RFC 1951, 3.2.4). */
const BLOCK_BYTES = 0xffff

/** Text as a raw DEFLATE stream of stored blocks, in Base64: every reader of DEFLATE reads it. */
function packed(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
    const block = bytes.subarray(from, from + BLOCK_BYTES)
    const isLast = from + BLOCK_BYTES >= bytes.length
    const { length } = block
    const lengths = [length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff]
    binary += String.fromCharCode(isLast ? 1 : 0, ...lengths)
    for (let at = 0; at < length; at += ARGUMENTS_MAX)
      binary += String.fromCharCode(...block.subarray(at, at + ARGUMENTS_MAX))
  }
  return btoa(binary)
}

/** Arguments of one call, within what every runtime takes. */
const ARGUMENTS_MAX = 8192

const outcomeMetaUpdates = channel({
  ...OF_MARKET,
  id: 'outcomeMetaUpdates',
  title: 'Changes of the outcomes that are listed, of which there are none',
  subscription: Type.Object({ type: Type.Literal('outcomeMetaUpdates') }),
  key: [],
  data: Type.Object({ updates: Type.Array(Type.Unknown()) }),
  examples: [{ type: 'outcomeMetaUpdates' }],
  topics: () => [],
  snapshot: () => undefined,
  push: () => undefined,
})

/** Each is answered from the same facts as the type of `POST /info` of its kind. */
export const MARKET_CHANNELS: readonly Channel[] = [
  activeAssetCtx,
  activeSpotAssetCtx,
  assetCtxs,
  allDexsAssetCtxs,
  spotAssetCtxs,
  fastAssetCtxs,
  outcomeMetaUpdates,
]
