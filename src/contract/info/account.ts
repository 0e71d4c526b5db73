/** Types of `POST /info` about an account: its state, fees, limits and the money that it moves. */

import type { Slices } from '../../clock/turns.ts'
import { Dex, dexFlaw } from '../dex.ts'
import { NativeState } from '../records/account-state.ts'
import { ActiveAsset, PerpContext, SpotContext } from '../records/asset-context.ts'
import { UserFees } from '../records/fees.ts'
import { FundingPayment } from '../records/funding.ts'
import { LedgerUpdate } from '../records/ledger.ts'
import { Meta } from '../records/meta.ts'
import { FrontendOrder } from '../records/order.ts'
import { VenuePortfolio } from '../records/portfolio.ts'
import { SpotState } from '../records/spot-state.ts'
import { TwapState } from '../records/twap.ts'
import { Address, Coin, Decimal, Nullable, OneOf, type Static, TimeMs, Type } from '../schema.ts'
import { infoType, RangeEnd, RangeStart } from './info-type.ts'

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

export const spotClearinghouseState = infoType({
  type: 'spotClearinghouseState',
  title: 'Balances of a spot account',
  request: Type.Object({
    user: Address(),
    dex: Type.Optional(Type.String({ description: 'of no effect: there is one spot account' })),
  }),
  data: SpotState,
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => facts.users.spot(user),
})

export const activeAssetData = infoType({
  type: 'activeAssetData',
  title: 'What an account may trade of a perpetual',
  request: Type.Object({ user: Address(), coin: Coin() }),
  data: Nullable(ActiveAsset),
  examples: [{ user: '0x0000000000000000000000000000000000000001', coin: 'BTC' }],
  answer: ({ user, coin }, facts) => facts.users.activeAsset(user, coin),
})

export const portfolio = infoType({
  type: 'portfolio',
  title: 'Value, PnL and volume of an account over time',
  request: Type.Object({ user: Address() }),
  data: VenuePortfolio,
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => facts.users.portfolio(user),
})

export const userFees = infoType({
  type: 'userFees',
  title: 'Fees of an account',
  request: Type.Object({ user: Address() }),
  data: UserFees,
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => facts.users.fees(user),
})

export const userRateLimit = infoType({
  type: 'userRateLimit',
  profile: 'raw',
  title: 'How many orders an account may send',
  request: Type.Object({ user: Address() }),
  data: Type.Object(
    {
      cumVlm: Decimal('volume so far, USD'),
      nRequestsUsed: Type.Integer(),
      nRequestsCap: Type.Integer(),
      nRequestsSurplus: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => facts.users.rateLimit(user),
})

export const userRole = infoType({
  type: 'userRole',
  profile: 'raw',
  title: 'What an address is to the venue',
  request: Type.Object({ user: Address() }),
  data: Type.Object(
    { role: OneOf(['missing', 'user'], 'missing when nothing is known of it') },
    { additionalProperties: false },
  ),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => ({
    role: facts.users.isKnown(user) ? ('user' as const) : ('missing' as const),
  }),
})

export const subAccounts = infoType({
  type: 'subAccounts',
  profile: 'raw',
  title: 'Sub-accounts of an account: nobody has any',
  request: Type.Object({ user: Address() }),
  data: Type.Null(),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: () => null,
})

export const userFunding = infoType({
  type: 'userFunding',
  title: 'Funding that an account paid and received, oldest first, at most 500',
  most: 500,
  request: Type.Object({
    user: Address(),
    startTime: RangeStart,
    endTime: RangeEnd,
  }),
  data: Type.Array(FundingPayment),
  examples: [{ user: '0x0000000000000000000000000000000000000001', startTime: 0 }],
  answer: ({ user, startTime, endTime }, facts, most) =>
    facts.users.funding(
      user,
      { startTimeMs: startTime ?? undefined, endTimeMs: endTime ?? undefined },
      most,
    ),
})

export const userNonFundingLedgerUpdates = infoType({
  type: 'userNonFundingLedgerUpdates',
  title: 'Money that came and went other than by trade or funding, oldest first, at most 2000',
  most: 2000,
  request: Type.Object({
    user: Address(),
    startTime: RangeStart,
    endTime: RangeEnd,
  }),
  data: Type.Array(LedgerUpdate),
  examples: [{ user: '0x0000000000000000000000000000000000000001', startTime: 0 }],
  answer: ({ user, startTime, endTime }, facts, most) =>
    facts.users.ledger(
      user,
      { startTimeMs: startTime ?? undefined, endTimeMs: endTime ?? undefined },
      most,
    ),
})

const WebData2 = Type.Object(
  {
    clearinghouseState: NativeState,
    leadingVaults: Type.Array(Type.Object({ address: Address(), name: Type.String() })),
    totalVaultEquity: Decimal('USD'),
    openOrders: Type.Array(FrontendOrder),
    agentAddress: Nullable(Address()),
    agentValidUntil: Nullable(TimeMs()),
    cumLedger: Decimal('what came in less what went out, USD'),
    meta: Nullable(Meta),
    assetCtxs: Nullable(Type.Array(PerpContext)),
    serverTime: TimeMs(),
    isVault: Type.Boolean(),
    user: Address(),
    twapStates: Type.Array(Type.Tuple([Type.Integer(), TwapState]), {
      description: 'TWAPs that run: id and state',
    }),
    spotState: SpotState,
    spotAssetCtxs: Type.Array(SpotContext),
  },
  { title: 'WebData2', additionalProperties: false },
)

export const webData2 = infoType({
  type: 'webData2',
  title: "Everything that the venue's own page shows of an account and the markets",
  request: Type.Object({ user: Address() }),
  data: WebData2,
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  *answer({ user }, facts): Slices<Static<typeof WebData2>> {
    const [assetCtxs, spotAssetCtxs] = [
      yield* facts.assetContexts.perps(''),
      yield* facts.assetContexts.spots(),
    ]
    return {
      clearinghouseState: facts.accounts.native(user, ''),
      leadingVaults: [],
      totalVaultEquity: '0.0',
      openOrders: facts.orders.frontendOpen(user, ''),
      agentAddress: null,
      agentValidUntil: null,
      cumLedger: facts.users.netDeposits(user),
      meta: facts.venue.meta(''),
      assetCtxs,
      serverTime: facts.moment.atMs,
      isVault: false,
      user: user.toLowerCase(),
      twapStates: facts.twaps.running(user),
      spotState: facts.users.spot(user),
      spotAssetCtxs,
    }
  },
})
