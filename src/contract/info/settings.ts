/** Types of `POST /info` about what an account has set or agreed to, and what it has lent. */

import type { Facts } from '../facts.ts'
import { meant } from '../meaning.ts'
import { NativeState, SpotState } from '../records/account-state.ts'
import { Address, Decimal, Nullable, NullableDecimal, OneOf, TimeMs, Type } from '../schema.ts'
import { infoType, RangeEnd } from './info-type.ts'

const exact = { additionalProperties: false }
const USER = '0x0000000000000000000000000000000000000001'
const ofUser = { request: Type.Object({ user: Address() }), examples: [{ user: USER }] }
const AS_OPENED = 'accounts are as they were opened: actions are not carried out'
const NO_LENDING = 'nothing is lent'

export const extraAgents = infoType({
  ...ofUser,
  type: 'extraAgents',
  profile: 'raw',
  title: 'Agents that may sign for an account',
  fixed: AS_OPENED,
  data: Type.Array(
    Type.Object({ address: Address(), name: Type.String(), validUntil: Nullable(TimeMs()) }, exact),
  ),
  answer: () => [],
})

export const approvedBuilders = infoType({
  ...ofUser,
  type: 'approvedBuilders',
  profile: 'raw',
  title: 'Builders whose fees an account has approved',
  fixed: AS_OPENED,
  data: Type.Array(Address()),
  answer: () => [],
})

export const maxBuilderFee = infoType({
  type: 'maxBuilderFee',
  profile: 'raw',
  title: 'Highest fee of a builder that an account has approved, tenths of a basis point',
  fixed: AS_OPENED,
  request: Type.Object({ user: Address(), builder: Address() }),
  data: Type.Integer(),
  examples: [{ user: USER, builder: '0x0000000000000000000000000000000000000002' }],
  answer: () => 0,
})

export const isVip = infoType({
  ...ofUser,
  type: 'isVip',
  profile: 'raw',
  title: 'Whether an account is a VIP; null for an unknown one',
  fixed: AS_OPENED,
  data: Nullable(Type.Boolean()),
  answer: ({ user }, facts) => (facts.users.isKnown(user) ? false : null),
})

export const legalCheck = infoType({
  ...ofUser,
  type: 'legalCheck',
  profile: 'raw',
  title: 'Whether an account may trade',
  fixed: AS_OPENED,
  data: Type.Object(
    {
      acceptedTerms: Type.Boolean(),
      userAllowed: Type.Boolean(),
      restrictions: OneOf(['n', 'a', 'o', 'u'], 'n for none'),
    },
    exact,
  ),
  answer: () => ({ acceptedTerms: true, userAllowed: true, restrictions: 'n' as const }),
})

const REFERRER = {
  stage: 'needToTrade' as const,
  data: { required: '10000.0' },
}

export const referral = infoType({
  ...ofUser,
  type: 'referral',
  profile: 'raw',
  title: 'Who referred an account, and its rewards',
  data: Type.Object(
    {
      referredBy: Type.Null(),
      cumVlm: Decimal('volume so far, USD'),
      unclaimedRewards: Decimal('USD'),
      claimedRewards: Decimal('USD'),
      builderRewards: Decimal('USD'),
      referrerState: Type.Union([
        Type.Object({ stage: Type.Literal('needToCreateCode') }, exact),
        Type.Object(
          {
            stage: Type.Literal('needToTrade'),
            data: Type.Object({ required: Decimal('volume that is needed, USD') }, exact),
          },
          exact,
        ),
      ]),
      rewardHistory: Type.Array(Type.Unknown()),
      tokenToState: Type.Array(Type.Unknown()),
    },
    exact,
  ),
  answer: ({ user }, facts) => {
    const { cumVlm } = facts.users.rateLimit(user)
    return {
      referredBy: null,
      cumVlm,
      unclaimedRewards: '0.0',
      claimedRewards: '0.0',
      builderRewards: '0.0',
      referrerState: Number(cumVlm) < 10_000 ? REFERRER : { stage: 'needToCreateCode' as const },
      rewardHistory: [],
      tokenToState: [],
    }
  },
})

export const userDexAbstraction = infoType({
  ...ofUser,
  type: 'userDexAbstraction',
  profile: 'raw',
  title: 'Whether an account is one for all dexes; null while it has not been set',
  fixed: AS_OPENED,
  data: Nullable(Type.Boolean()),
  answer: () => null,
})

export const userToMultiSigSigners = infoType({
  ...ofUser,
  type: 'userToMultiSigSigners',
  profile: 'raw',
  title: 'Signers of an account; null for one with a single signer',
  fixed: AS_OPENED,
  data: Nullable(
    Type.Object({ authorizedUsers: Type.Array(Address()), threshold: Type.Integer() }, exact),
  ),
  answer: () => null,
})

export const preTransferCheck = infoType({
  type: 'preTransferCheck',
  profile: 'raw',
  title: 'What a transfer to an account would cost',
  request: Type.Object({ user: Address(), source: Address() }),
  data: Type.Object(
    {
      fee: Decimal('USD'),
      isSanctioned: Type.Boolean(),
      userExists: Type.Boolean(),
      userHasSentTx: Type.Boolean(),
    },
    exact,
  ),
  examples: [{ user: USER, source: '0x0000000000000000000000000000000000000002' }],
  answer: ({ user }, facts) => transferCheck(facts.users.isKnown(user)),
})

/** An account is opened by a transfer that pays a dollar. */
const transferCheck = (isKnown: boolean) => ({
  fee: isKnown ? '0.0' : '1.0',
  isSanctioned: false,
  userExists: isKnown,
  userHasSentTx: isKnown,
})

export const subAccounts2 = infoType({
  ...ofUser,
  type: 'subAccounts2',
  profile: 'raw',
  title: 'Sub-accounts of an account on every dex; null where it has none',
  data: Nullable(
    Type.Array(
      Type.Object(
        {
          name: Type.String(),
          subAccountUser: Address(),
          master: Address(),
          dexToClearinghouseState: Type.Array(Type.Tuple([Type.String(), NativeState])),
          spotState: SpotState,
        },
        exact,
      ),
    ),
  ),
  answer: ({ user }, { accounts, users, venue }) => {
    const own = users.subAccountsOf(user)
    if (own.length === 0) return null
    return own.map((subAccountUser, at) => ({
      name: `Sub ${at + 1}`,
      subAccountUser,
      master: user.toLowerCase(),
      dexToClearinghouseState: venue
        .dexNames()
        .map((dex): [string, NativeState] => [dex, accounts.native(subAccountUser, dex)]),
      spotState: users.spot(subAccountUser),
    }))
  },
})

const Reserve = Type.Object(
  {
    borrowYearlyRate: Decimal('rate'),
    supplyYearlyRate: Decimal('rate'),
    balance: Decimal('tokens'),
    utilization: Decimal('share'),
    oraclePx: Decimal('price'),
    ltv: Decimal('loan to value'),
    totalSupplied: Decimal('tokens'),
    totalBorrowed: Decimal('tokens'),
  },
  exact,
)

/** A reserve without a supplier. */
const emptyReserve = (oraclePx: string) => ({
  borrowYearlyRate: '0.05',
  supplyYearlyRate: '0.0',
  balance: '0.0',
  utilization: '0.0',
  oraclePx,
  ltv: '0.0',
  totalSupplied: '0.0',
  totalBorrowed: '0.0',
})

export const borrowLendReserveState = infoType({
  type: 'borrowLendReserveState',
  profile: 'raw',
  title: 'Reserve of a token',
  fixed: NO_LENDING,
  request: Type.Object({ token: Type.Integer({ description: 'number of the token' }) }),
  data: Reserve,
  examples: [{ token: 0 }],
  answer: ({ token }, facts) => emptyReserve(tokenPrice(token, facts)),
})

/** Middle price of the pair of a token and dollars; of dollars, one. */
function tokenPrice(token: number, { venue }: Facts): string {
  if (token === 0) return '1.0'
  const pair = venue.spotMeta().universe.find(({ tokens }) => tokens[0] === token)
  return (pair && venue.allMids('')[pair.name]) ?? '0.0'
}

export const allBorrowLendReserveStates = infoType({
  type: 'allBorrowLendReserveStates',
  profile: 'raw',
  title: 'Reserves by the numbers of their tokens',
  fixed: NO_LENDING,
  request: Type.Object({}),
  data: Type.Array(Type.Tuple([Type.Integer(), Reserve])),
  examples: [{}],
  answer: (): [number, ReturnType<typeof emptyReserve>][] => [[0, emptyReserve('1.0')]],
})

export const borrowLendUserState = infoType({
  ...ofUser,
  type: 'borrowLendUserState',
  profile: 'raw',
  title: 'What an account has lent and borrowed',
  fixed: NO_LENDING,
  data: Type.Object(
    {
      tokenToState: Type.Array(Type.Tuple([Type.Integer(), Type.Unknown()])),
      health: OneOf(['healthy', 'atRisk', 'marketLiquidatable', 'backstopLiquidatable'], 'health'),
      healthFactor: NullableDecimal('null without a loan'),
    },
    exact,
  ),
  answer: () => ({ tokenToState: [], health: 'healthy' as const, healthFactor: null }),
})

export const userBorrowLendInterest = infoType({
  type: 'userBorrowLendInterest',
  profile: 'raw',
  title: 'Interest that an account paid and received',
  fixed: NO_LENDING,
  request: Type.Object({
    user: Address(),
    startTime: meant('rangeStart', TimeMs('from')),
    endTime: RangeEnd,
  }),
  data: Type.Array(
    Type.Object(
      {
        time: TimeMs(),
        token: Type.String(),
        borrow: Decimal('paid'),
        supply: Decimal('received'),
      },
      exact,
    ),
  ),
  examples: [{ user: USER, startTime: 0 }],
  answer: () => [],
})
