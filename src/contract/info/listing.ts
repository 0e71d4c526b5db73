/** Types of `POST /info` about what the venue lists: limits, auctions, tokens, outcomes. */

import type { Slices } from '../../clock/turns.ts'
import { Dex, dexFlaw } from '../dex.ts'
import type { Facts } from '../facts.ts'
import { Meta } from '../records/asset-context.ts'
import {
  Address,
  Coin,
  Decimal,
  NoParameters,
  Nullable,
  NullableDecimal,
  OneOf,
  type Static,
  TimeS,
  Type,
} from '../schema.ts'
import { infoType } from './info-type.ts'

const exact = { additionalProperties: false }
const USER = '0x0000000000000000000000000000000000000001'
const NO_OUTCOMES = 'no outcomes are listed'
const NO_NODES = 'there is no chain behind the market'

export const allPerpMetas = infoType({
  type: 'allPerpMetas',
  profile: 'raw',
  title: 'Universes of all dexes, the main one first',
  request: NoParameters,
  data: Type.Array(Meta),
  examples: [{}],
  answer: (_, { venue }) => venue.dexNames().flatMap((dex) => venue.meta(dex) ?? []),
})

export const marginTable = infoType({
  type: 'marginTable',
  profile: 'raw',
  title: 'Margin tiers by the number of a table; null for an unknown one',
  request: Type.Object({ id: Type.Integer({ description: 'marginTableId' }), dex: Dex }),
  data: Nullable(
    Type.Object({
      description: Type.String(),
      marginTiers: Type.Array(
        Type.Object({ lowerBound: Decimal('USD'), maxLeverage: Type.Integer() }),
      ),
    }),
  ),
  examples: [{ id: 20 }],
  answer: ({ id, dex = '' }, { venue }) =>
    venue.meta(dex)?.marginTables.find(([number]) => number === id)?.[1] ?? null,
})

export const perpDexLimits = infoType({
  type: 'perpDexLimits',
  profile: 'raw',
  title: "Caps of a builder's dex; null for the main one and an unknown one",
  request: Type.Object({ dex: Type.String({ description: 'name of a dex' }) }),
  data: Nullable(
    Type.Object(
      {
        totalOiCap: Decimal('USD'),
        oiSzCapPerPerp: Decimal('size'),
        maxTransferNtl: Decimal('USD'),
        coinToOiCap: Type.Array(Type.Tuple([Coin(), Decimal('USD')])),
      },
      exact,
    ),
  ),
  examples: [{ dex: '' }],
  answer: ({ dex }, facts) => {
    const found = facts.assetContexts.dexs().find(({ name }) => name === dex)
    if (!found) return null
    return {
      totalOiCap: '1000000000.0',
      oiSzCapPerPerp: '10000000000.0',
      maxTransferNtl: '1000000000.0',
      coinToOiCap: found.assetToStreamingOiCap,
    }
  },
})

export const perpDexStatus = infoType({
  type: 'perpDexStatus',
  profile: 'raw',
  title: 'Net deposits of a dex: what came into its accounts less what left them',
  request: Type.Object({ dex: Type.String({ description: 'empty for the main dex' }) }),
  data: Type.Object({ totalNetDeposit: Decimal('USD') }, exact),
  examples: [{ dex: '' }],
  answer: ({ dex }, facts) =>
    dexFlaw(dex, facts) ?? { totalNetDeposit: facts.venue.netDeposits(dex) },
})

export const perpsAtOpenInterestCap = infoType({
  type: 'perpsAtOpenInterestCap',
  profile: 'raw',
  title: 'Perpetuals at the cap of their open interest',
  fixed: 'none is at its cap',
  request: Type.Object({ dex: Dex }),
  data: Type.Array(Coin()),
  examples: [{}],
  answer: () => [],
})

export const maxMarketOrderNtls = infoType({
  type: 'maxMarketOrderNtls',
  profile: 'raw',
  title: 'Largest market order by the leverage of a perpetual',
  fixed: "the venue's limits",
  request: NoParameters,
  data: Type.Array(
    Type.Tuple([Type.Integer({ description: 'leverage from which it holds' }), Decimal('USD')]),
  ),
  examples: [{}],
  answer: (): [number, string][] => [
    [25, '15000000.0'],
    [20, '5000000.0'],
    [10, '2000000.0'],
    [1, '500000.0'],
  ],
})

export const liquidatable = infoType({
  type: 'liquidatable',
  profile: 'raw',
  title: 'Positions that wait for their liquidation',
  fixed: 'a position is liquidated at once',
  request: NoParameters,
  data: Type.Array(Type.Object({ user: Address() })),
  examples: [{}],
  answer: () => [],
})

export const usdcRouting = infoType({
  type: 'usdcRouting',
  profile: 'raw',
  title: 'Ways of deposits and withdrawals',
  fixed: "the venue's usual ones",
  request: NoParameters,
  data: Type.Object(
    {
      depositRoute: OneOf(['bridge', 'cctp'], 'way of deposits'),
      withdrawalRoute: OneOf(['bridge', 'cctp'], 'way of withdrawals'),
    },
    exact,
  ),
  examples: [{}],
  answer: () => ({ depositRoute: 'bridge' as const, withdrawalRoute: 'bridge' as const }),
})

// Auctions of what may be listed next.

const Auction = Type.Object(
  {
    startTimeSeconds: TimeS('beginning of the auction'),
    durationSeconds: Type.Integer(),
    startGas: Decimal('HYPE'),
    currentGas: NullableDecimal('HYPE; null once it is over'),
    endGas: NullableDecimal('HYPE; null while it runs'),
  },
  exact,
)
type Auction = Static<typeof Auction>

const AUCTION_S = 31 * 3_600
const START_GAS = 500

/** One auction follows another; the price falls evenly, as long as there is no bid. */
function auction({ moment: { atMs, shiftMs } }: Facts): Auction {
  const shiftS = Math.round(shiftMs / 1_000)
  const nowS = Math.floor(atMs / 1_000) + shiftS
  const passedS = nowS % AUCTION_S
  const cents = Math.ceil((START_GAS * 100 * (AUCTION_S - passedS)) / AUCTION_S)
  return {
    startTimeSeconds: nowS - passedS - shiftS,
    durationSeconds: AUCTION_S,
    startGas: `${START_GAS}.0`,
    currentGas: (cents / 100).toFixed(2),
    endGas: null,
  }
}

const auctioned = {
  profile: 'raw' as const,
  fixed: 'auctions without bids, by the clock',
  request: NoParameters,
  data: Auction,
  examples: [{}],
  answer: (_: object, facts: Facts) => auction(facts),
}

export const perpDeployAuctionStatus = infoType({
  ...auctioned,
  type: 'perpDeployAuctionStatus',
  title: 'Auction of the next perpetual',
})

export const spotPairDeployAuctionStatus = infoType({
  ...auctioned,
  type: 'spotPairDeployAuctionStatus',
  title: 'Auction of the next spot pair',
})

export const spotDeployState = infoType({
  type: 'spotDeployState',
  profile: 'raw',
  title: 'Tokens that an account deploys, and the auction of the next one',
  fixed: 'no account deploys a token',
  request: Type.Object({ user: Address() }),
  data: Type.Object({ states: Type.Array(Type.Unknown()), gasAuction: Auction }, exact),
  examples: [{ user: USER }],
  answer: (_, facts) => ({ states: [], gasAuction: auction(facts) }),
})

export const gossipPriorityAuctionStatus = infoType({
  type: 'gossipPriorityAuctionStatus',
  profile: 'raw',
  title: 'Auctions of the order in which nodes are served',
  fixed: NO_NODES,
  request: NoParameters,
  data: Type.Tuple([Type.Array(Nullable(Type.String())), Type.Array(Auction)]),
  examples: [{}],
  answer: (): [null[], Auction[]] => [[], []],
})

export const gossipRootIps = infoType({
  type: 'gossipRootIps',
  profile: 'raw',
  title: 'Addresses of nodes',
  fixed: NO_NODES,
  request: NoParameters,
  data: Type.Array(Type.String()),
  examples: [{}],
  answer: () => [],
})

// Tokens.

const TokenDetails = Type.Object(
  {
    name: Type.String(),
    maxSupply: Decimal('tokens'),
    totalSupply: Decimal('tokens'),
    circulatingSupply: Decimal('tokens'),
    szDecimals: Type.Integer(),
    weiDecimals: Type.Integer(),
    midPx: Decimal('middle price'),
    markPx: Decimal('mark price'),
    prevDayPx: Decimal('last price a day ago'),
    genesis: Type.Null(),
    deployer: Type.Null(),
    deployGas: Type.Null(),
    deployTime: Type.Null(),
    seededUsdc: Decimal('USD'),
    nonCirculatingUserBalances: Type.Array(Type.Unknown()),
    futureEmissions: Decimal('tokens'),
  },
  exact,
)

export const tokenDetails = infoType({
  type: 'tokenDetails',
  profile: 'raw',
  title: 'A token by its id; null for an unknown one',
  request: Type.Object({ tokenId: Type.String({ description: 'tokenId of spotMeta' }) }),
  data: Nullable(TokenDetails),
  examples: [{ tokenId: '0x00000000000000000000000000000000' }],
  *answer({ tokenId }, facts): Slices<Static<typeof TokenDetails> | null> {
    const { tokens, universe } = facts.venue.spotMeta()
    const token = tokens.find((one) => one.tokenId === tokenId.toLowerCase())
    if (!token) return null
    const pair = universe.find(({ tokens: [base] }) => base === token.index)
    const contexts = pair ? yield* facts.assetContexts.spots() : []
    const market = contexts.find(({ coin }) => coin === pair?.name)
    const supply = market?.totalSupply ?? '0.0'
    return {
      name: token.name,
      maxSupply: supply,
      totalSupply: supply,
      circulatingSupply: market?.circulatingSupply ?? '0.0',
      szDecimals: token.szDecimals,
      weiDecimals: token.weiDecimals,
      // Without a pair it is the dollar that all pairs are quoted in.
      midPx: market ? (market.midPx ?? market.markPx) : '1.0',
      markPx: market?.markPx ?? '1.0',
      prevDayPx: market?.prevDayPx ?? '1.0',
      genesis: null,
      deployer: null,
      deployGas: null,
      deployTime: null,
      seededUsdc: '0.0',
      nonCirculatingUserBalances: [],
      futureEmissions: '0.0',
    }
  },
})

// What builders write about their perpetuals, and outcomes.

export const perpAnnotation = infoType({
  type: 'perpAnnotation',
  profile: 'raw',
  title: 'Description of a perpetual by its builder',
  fixed: 'builders have written none',
  request: Type.Object({ coin: Coin() }),
  data: Nullable(Type.Object({ category: Type.String(), description: Type.String() })),
  examples: [{ coin: 'BTC' }],
  answer: () => null,
})

const listed = { profile: 'raw' as const, request: NoParameters, examples: [{}] }

export const perpCategories = infoType({
  ...listed,
  type: 'perpCategories',
  title: 'Categories of perpetuals by coin',
  fixed: 'builders have named none',
  data: Type.Array(Type.Tuple([Coin(), Type.String()])),
  answer: () => [],
})

export const perpConciseAnnotations = infoType({
  ...listed,
  type: 'perpConciseAnnotations',
  title: 'Short descriptions of perpetuals by coin',
  fixed: 'builders have written none',
  data: Type.Array(Type.Tuple([Coin(), Type.Object({ category: Type.String() })])),
  answer: () => [],
})

export const outcomeMeta = infoType({
  ...listed,
  type: 'outcomeMeta',
  title: 'Outcomes and questions that are listed',
  fixed: NO_OUTCOMES,
  data: Type.Object(
    { outcomes: Type.Array(Type.Unknown()), questions: Type.Array(Type.Unknown()) },
    exact,
  ),
  answer: () => ({ outcomes: [], questions: [] }),
})

export const outcomeTemplates = infoType({
  ...listed,
  type: 'outcomeTemplates',
  title: 'Templates of outcomes',
  fixed: NO_OUTCOMES,
  data: Type.Array(Type.Unknown()),
  answer: () => [],
})

export const settledOutcome = infoType({
  type: 'settledOutcome',
  profile: 'raw',
  title: 'An outcome that has been settled; null for an unknown one',
  fixed: NO_OUTCOMES,
  request: Type.Object({ outcome: Type.Integer() }),
  data: Type.Null(),
  examples: [{ outcome: 0 }],
  answer: () => null,
})
