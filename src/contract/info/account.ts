/** Types of `POST /info` about an account: its state, fees, limits and ledger. */

import type { Slices } from '../../clock/turns.ts'
import { Dex, dexFlaw } from '../dex.ts'
import type { Facts } from '../facts.ts'
import {
  LedgerUpdate,
  NativeState,
  SpotState,
  UserFees,
  VenuePortfolio,
} from '../records/account-state.ts'
import { ActiveAsset, Meta, PerpContext, SpotContext } from '../records/asset-context.ts'
import { TwapState } from '../records/fill.ts'
import { FundingPayment } from '../records/funding.ts'
import { FrontendOrder } from '../records/order.ts'
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
  title: 'Trading limits of an account for a perpetual',
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
  title: 'Role of an address at the venue',
  request: Type.Object({ user: Address() }),
  data: Type.Object(
    {
      role: OneOf(['missing', 'user', 'subAccount'], 'missing for an unknown address'),
      data: Type.Optional(
        Type.Object(
          { master: Address() },
          { additionalProperties: false, description: 'of a sub-account' },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer({ user }, facts) {
    if (!facts.users.isKnown(user)) return { role: 'missing' as const }
    const master = facts.users.masterOf(user)
    if (master === null) return { role: 'user' as const }
    return { role: 'subAccount' as const, data: { master } }
  },
})

export const subAccounts = infoType({
  type: 'subAccounts',
  profile: 'raw',
  title: 'Sub-accounts of an account; null where it has none',
  request: Type.Object({ user: Address() }),
  data: Nullable(
    Type.Array(
      Type.Object(
        {
          name: Type.String(),
          subAccountUser: Address(),
          master: Address(),
          clearinghouseState: NativeState,
          spotState: SpotState,
        },
        { additionalProperties: false, title: 'SubAccount' },
      ),
    ),
  ),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer({ user }, facts) {
    const own = facts.users.subAccountsOf(user)
    if (own.length === 0) return null
    return own.map((subAccountUser, at) => ({
      name: `Sub ${at + 1}`,
      subAccountUser,
      master: user.toLowerCase(),
      clearinghouseState: facts.accounts.native(subAccountUser, ''),
      spotState: facts.users.spot(subAccountUser),
    }))
  },
})

export const userAbstraction = infoType({
  type: 'userAbstraction',
  profile: 'raw',
  title: 'Whether spot and perpetuals of an account share one margin',
  request: Type.Object({ user: Address() }),
  data: OneOf(['disabled', 'unifiedAccount'], 'disabled: separate wallets'),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) =>
    facts.users.isUnified(user) ? ('unifiedAccount' as const) : ('disabled' as const),
})

export const delegatorSummary = infoType({
  type: 'delegatorSummary',
  profile: 'raw',
  title: 'Tokens that an account has staked',
  request: Type.Object({ user: Address() }),
  data: Type.Object(
    {
      delegated: Decimal('tokens'),
      undelegated: Decimal('tokens'),
      totalPendingWithdrawal: Decimal('tokens'),
      nPendingWithdrawals: Type.Integer(),
    },
    { additionalProperties: false },
  ),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => ({
    delegated: facts.users.savings(user).stakedTokens,
    undelegated: '0.0',
    totalPendingWithdrawal: '0.0',
    nPendingWithdrawals: 0,
  }),
})

export const userVaultEquities = infoType({
  type: 'userVaultEquities',
  profile: 'raw',
  title: 'Shares of vaults that an account has',
  request: Type.Object({ user: Address() }),
  data: Type.Array(
    Type.Object(
      {
        vaultAddress: Address(),
        equity: Decimal('USD'),
        lockedUntilTimestamp: TimeMs(),
      },
      { additionalProperties: false },
    ),
  ),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer({ user }, facts) {
    const { vault } = facts.users.savings(user)
    return vault === null ? [] : [vault]
  },
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
  title: 'Ledger of an account without trades and funding, oldest first, at most 2000',
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
    cumLedger: Decimal('net deposits, USD'),
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
  answer: ({ user }, facts) => webDataOf(user, facts),
})

/** All of it, as of the moment. */
export function* webDataOf(user: string, facts: Facts): Slices<Static<typeof WebData2>> {
  const [assetCtxs, spotAssetCtxs] = [
    yield* facts.assetContexts.perps(''),
    yield* facts.assetContexts.spots(),
  ]
  const clearinghouseState = facts.accounts.native(user, '')
  yield
  return {
    clearinghouseState,
    leadingVaults: [],
    totalVaultEquity: facts.users.savings(user).vault?.equity ?? '0.0',
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
}
