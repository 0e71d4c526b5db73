/** Channels of the venue about one account that the service does not pass on. */
import { publicAccess } from '../access.ts'
import { type Channel, channel } from '../channel.ts'
import { Dex, isDex } from '../dex.ts'
import { VENUE_DIALECT } from '../dialect.ts'
import type { Facts } from '../facts.ts'
import { NativeState } from '../records/account-state.ts'
import { ActiveAsset } from '../records/asset-context.ts'
import { UserFill } from '../records/fill.ts'
import { SpotState } from '../records/spot-state.ts'
import { TwapState } from '../records/twap.ts'
import { Address, Coin, Type } from '../schema.ts'

const USER = '0x0000000000000000000000000000000000000001'

/** What all of them have in common. */
const OF_ACCOUNT = {
  dialect: VENUE_DIALECT,
  access: publicAccess,
  source: 'the perpetual venue, WebSocket subscriptions',
  counted: false,
} as const

const userEvents = channel({
  ...OF_ACCOUNT,
  id: 'userEvents',
  title: 'Fills of an account as they happen',
  subscription: Type.Object({ type: Type.Literal('userEvents'), user: Address() }),
  key: ['user'],
  data: Type.Object({ fills: Type.Array(UserFill) }),
  examples: [{ type: 'userEvents', user: USER }],
  topics: ({ user }) => [`fill/${user}`],
  snapshot: () => undefined,
  push: (_, event) => (event.kind === 'fill' ? { fills: [event.native] } : undefined),
})

const notification = channel({
  ...OF_ACCOUNT,
  id: 'notification',
  title: 'Notices to an account, of which there are none',
  subscription: Type.Object({ type: Type.Literal('notification'), user: Address() }),
  key: ['user'],
  data: Type.Object({ notification: Type.String() }),
  examples: [{ type: 'notification', user: USER }],
  topics: () => [],
  snapshot: () => undefined,
  push: () => undefined,
})

const activeAsset = ({ user, coin }: { user: string; coin: string }, facts: Facts) =>
  facts.users.activeAsset(user, coin) ?? undefined

const activeAssetData = channel({
  ...OF_ACCOUNT,
  id: 'activeAssetData',
  title: 'What an account may trade of a perpetual',
  subscription: Type.Object({
    type: Type.Literal('activeAssetData'),
    user: Address(),
    coin: Coin(),
  }),
  key: ['user', 'coin'],
  pushPolicy: { minGapMs: 1_000 },
  data: ActiveAsset,
  examples: [{ type: 'activeAssetData', user: USER, coin: 'BTC' }],
  topics: ({ user }) => [`fill/${user}`, `ledger/${user}`, 'mark/*'],
  exists: ({ coin }, facts) => facts.market.isCoin(coin),
  snapshot: activeAsset,
  push: (subscription, _, facts) => activeAsset(subscription, facts),
})

const spot = ({ user }: { user: string }, facts: Facts) => ({
  user,
  spotState: facts.users.spot(user),
})

const spotState = channel({
  ...OF_ACCOUNT,
  id: 'spotState',
  title: 'Balances of a spot account',
  subscription: Type.Object({ type: Type.Literal('spotState'), user: Address() }),
  key: ['user'],
  data: Type.Object({ user: Address(), spotState: SpotState }),
  examples: [{ type: 'spotState', user: USER }],
  topics: ({ user }) => [`fill/${user}`, `ledger/${user}`],
  snapshot: spot,
  push: (subscription, _, facts) => spot(subscription, facts),
})

const twaps = ({ user, dex = '' }: { user: string; dex?: string }, facts: Facts) => ({
  dex,
  user,
  states: dex === '' ? facts.twaps.running(user) : [],
})

const twapStates = channel({
  ...OF_ACCOUNT,
  id: 'twapStates',
  title: 'TWAPs of an account that run',
  subscription: Type.Object({ type: Type.Literal('twapStates'), user: Address(), dex: Dex }),
  key: ['user', 'dex'],
  data: Type.Object({
    dex: Type.String(),
    user: Address(),
    states: Type.Array(Type.Tuple([Type.Integer(), TwapState])),
  }),
  examples: [{ type: 'twapStates', user: USER }],
  topics: ({ user }) => [`fill/${user}`],
  exists: ({ dex = '' }, facts) => isDex(dex, facts),
  snapshot: twaps,
  push: (subscription, _, facts) => twaps(subscription, facts),
})

/** Fills of TWAPs that a new subscriber is sent at most. */
const SLICES = 2000

const userTwapSliceFills = channel({
  ...OF_ACCOUNT,
  id: 'userTwapSliceFills',
  title: 'Fills of an account’s TWAPs',
  subscription: Type.Object({ type: Type.Literal('userTwapSliceFills'), user: Address() }),
  key: ['user'],
  data: Type.Object({
    user: Address(),
    twapSliceFills: Type.Array(Type.Object({ fill: UserFill, twapId: Type.Integer() })),
    isSnapshot: Type.Optional(Type.Literal(true)),
  }),
  examples: [{ type: 'userTwapSliceFills', user: USER }],
  topics: ({ user }) => [`fill/${user}`],
  snapshot: ({ user }, facts) => ({
    user,
    twapSliceFills: facts.users.twapSlices(user, SLICES),
    isSnapshot: true as const,
  }),
  push: ({ user }, event, facts) => {
    if (event.kind !== 'fill') return undefined
    const { tid } = event.native
    const own = facts.users.twapSlices(user, 1).filter(({ fill }) => fill.tid === tid)
    return own.length === 0 ? undefined : { user, twapSliceFills: own }
  },
})

const allStates = ({ user }: { user: string }, facts: Facts) => ({
  user,
  clearinghouseStates: facts.venue
    .dexNames()
    .map((dex): [string, ReturnType<typeof facts.accounts.native>] => [
      dex,
      facts.accounts.native(user, dex),
    ]),
})

const allDexsClearinghouseState = channel({
  ...OF_ACCOUNT,
  id: 'allDexsClearinghouseState',
  title: 'State of an account on every dex',
  subscription: Type.Object({
    type: Type.Literal('allDexsClearinghouseState'),
    user: Address(),
  }),
  key: ['user'],
  pushPolicy: { minGapMs: 1_000 },
  data: Type.Object({
    user: Address(),
    clearinghouseStates: Type.Array(Type.Tuple([Type.String(), NativeState])),
  }),
  examples: [{ type: 'allDexsClearinghouseState', user: USER }],
  topics: ({ user }) => [`fill/${user}`, `ledger/${user}`, 'mark/*'],
  snapshot: allStates,
  push: (subscription, _, facts) => allStates(subscription, facts),
})

/** Each is answered from the same facts as the question of its kind. */
export const ACCOUNT_CHANNELS: readonly Channel[] = [
  userEvents,
  notification,
  activeAssetData,
  spotState,
  twapStates,
  userTwapSliceFills,
  allDexsClearinghouseState,
]
