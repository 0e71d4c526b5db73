/** Types of `POST /info` about vaults and staking besides the shares of an account. */

import { Address, Decimal, Nullable, type Static, TimeMs, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

const exact = { additionalProperties: false }
const VALIDATOR = '0x5ac99df645f3414876c816caa18b2d234024b487'
/** A stake is locked for a day; those of the market are older. */
const LOCKED_MS = 24 * 3_600_000
const USER = '0x0000000000000000000000000000000000000001'
const ofUser = { request: Type.Object({ user: Address() }), examples: [{ user: USER }] }
const NO_VAULTS = 'vaults have shares and no history'
const NO_STAKING = 'stakes are held and never changed'

export const leadingVaults = infoType({
  ...ofUser,
  type: 'leadingVaults',
  profile: 'raw',
  title: 'Vaults that an account leads',
  fixed: NO_VAULTS,
  data: Type.Array(Type.Object({ address: Address(), name: Type.String() }, exact)),
  answer: () => [],
})

export const vaultSummaries = infoType({
  type: 'vaultSummaries',
  profile: 'raw',
  title: 'Vaults of the last hours',
  fixed: NO_VAULTS,
  request: Type.Object({}),
  data: Type.Array(
    Type.Object({ name: Type.String(), vaultAddress: Address(), leader: Address() }),
  ),
  examples: [{}],
  answer: () => [],
})

export const vaultDetails = infoType({
  type: 'vaultDetails',
  profile: 'raw',
  title: 'A vault and its followers; null for an address that is no vault',
  fixed: NO_VAULTS,
  request: Type.Object({
    vaultAddress: Address(),
    user: Type.Optional(Nullable(Address())),
  }),
  data: Nullable(Type.Object({ name: Type.String(), vaultAddress: Address(), leader: Address() })),
  examples: [{ vaultAddress: USER }],
  answer: () => null,
})

export const delegations = infoType({
  ...ofUser,
  type: 'delegations',
  profile: 'raw',
  title: 'Stake of an account, all of it with one validator',
  data: Type.Array(
    Type.Object(
      {
        validator: Address(),
        amount: Decimal('tokens'),
        lockedUntilTimestamp: TimeMs('when it can be taken back'),
      },
      exact,
    ),
  ),
  answer: ({ user }, facts) => {
    const amount = facts.users.savings(user).stakedTokens
    const lockedUntilTimestamp = facts.moment.atMs - LOCKED_MS
    return Number(amount) === 0 ? [] : [{ validator: VALIDATOR, amount, lockedUntilTimestamp }]
  },
})

export const delegatorHistory = infoType({
  ...ofUser,
  type: 'delegatorHistory',
  profile: 'raw',
  title: 'Changes of the stake of an account',
  fixed: NO_STAKING,
  data: Type.Array(Type.Object({ time: TimeMs(), hash: Type.String(), delta: Type.Unknown() })),
  answer: () => [],
})

export const delegatorRewards = infoType({
  ...ofUser,
  type: 'delegatorRewards',
  profile: 'raw',
  title: 'Rewards of the stake of an account',
  fixed: NO_STAKING,
  data: Type.Array(
    Type.Object({ time: TimeMs(), source: Type.String(), totalAmount: Decimal('tokens') }, exact),
  ),
  answer: () => [],
})

const Performance = Type.Object(
  {
    uptimeFraction: Decimal('share of the time'),
    predictedApr: Decimal('share of the stake a year'),
    nSamples: Type.Integer(),
  },
  exact,
)
type Performance = Static<typeof Performance>

const PERIODS = [
  ['day', 1],
  ['week', 7],
  ['month', 30],
] as const
const STAKE_UNIT = 1e8

export const validatorSummaries = infoType({
  type: 'validatorSummaries',
  profile: 'raw',
  title: 'Validators of the chain: one, with the stake of all accounts',
  request: Type.Object({}),
  data: Type.Array(
    Type.Object(
      {
        validator: Address(),
        signer: Address(),
        name: Type.String(),
        description: Type.String(),
        nRecentBlocks: Type.Integer(),
        stake: Type.Integer({ description: 'In hundred-millionths of a token' }),
        isJailed: Type.Boolean(),
        unjailableAfter: Nullable(TimeMs()),
        isActive: Type.Boolean(),
        commission: Decimal('share of the rewards'),
        stats: Type.Array(Type.Tuple([Type.String(), Performance])),
      },
      exact,
    ),
  ),
  examples: [{}],
  *answer(_, facts) {
    const stake = Math.round((yield* facts.users.totalStaked()) * STAKE_UNIT)
    return [
      {
        validator: VALIDATOR,
        signer: VALIDATOR,
        name: 'Validator 1',
        description: 'The only validator of this market: there is no chain behind it',
        nRecentBlocks: 0,
        stake,
        isJailed: false,
        unjailableAfter: null,
        isActive: true,
        commission: '0.0',
        stats: PERIODS.map(([period, days]): [string, Performance] => [
          period,
          // Rewards are not paid, as `delegatorRewards` says.
          { uptimeFraction: '1.0', predictedApr: '0.0', nSamples: days * SAMPLES_PER_DAY },
        ]),
      },
    ]
  },
})

const SAMPLES_PER_DAY = 1440

export const validatorL1Votes = infoType({
  type: 'validatorL1Votes',
  profile: 'raw',
  title: 'Votes of the validators',
  fixed: NO_STAKING,
  request: Type.Object({}),
  data: Type.Array(Type.Object({ expireTime: TimeMs(), votes: Type.Array(Address()) })),
  examples: [{}],
  answer: () => [],
})
