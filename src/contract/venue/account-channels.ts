/** Channels of the venue about one account that the service does not pass on. */

import type { TapeMs } from '../../clock/instant.ts'
import { publicAccess } from '../access.ts'
import { type Channel, channel } from '../channel.ts'
import { Dex, isDex } from '../dex.ts'
import { VENUE_DIALECT } from '../dialect.ts'
import type { Facts } from '../facts.ts'
import { webData2 as WEB_DATA_2, webDataOf } from '../info/account.ts'
import { NativeState, SpotState } from '../records/account-state.ts'
import { ActiveAsset } from '../records/asset-context.ts'
import { TwapChange, TwapState, UserFill } from '../records/fill.ts'
import { FundingDelta } from '../records/funding.ts'
import { HistoricalOrder } from '../records/order-history.ts'
import { Address, Coin, Decimal, TimeMs, Type } from '../schema.ts'

const USER = '0x0000000000000000000000000000000000000001'

/** Their common fields. */
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
  pushedAs: () => 'user',
  data: Type.Object({ fills: Type.Array(UserFill) }),
  examples: [{ type: 'userEvents', user: USER }],
  topics: ({ user }) => [`fill/${user}`],
  snapshot: () => undefined,
  push: (_, event) => (event.kind === 'fill' ? { fills: [event.native] } : undefined),
})

const notification = channel({
  ...OF_ACCOUNT,
  id: 'notification',
  title: 'Notices to an account; there are none',
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
  title: 'Trading limits of an account for a perpetual',
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
  title: 'Running TWAPs of an account',
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

/** Maximum number of TWAP fills in the first push. */
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

function* allStates({ user }: { user: string }, facts: Facts) {
  const clearinghouseStates: [dex: string, ReturnType<typeof facts.accounts.native>][] = []
  for (const dex of facts.venue.dexNames()) {
    clearinghouseStates.push([dex, facts.accounts.native(user, dex)])
    yield
  }
  return { user, clearinghouseStates }
}

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

/** Rows of a history that a new subscriber is sent at most. */
const ROWS = 2000

const userHistoricalOrders = channel({
  ...OF_ACCOUNT,
  id: 'userHistoricalOrders',
  title: 'Changes of status of an account’s orders',
  subscription: Type.Object({ type: Type.Literal('userHistoricalOrders'), user: Address() }),
  key: ['user'],
  data: Type.Object({
    user: Address(),
    orderHistory: Type.Array(HistoricalOrder),
    isSnapshot: Type.Optional(Type.Literal(true)),
  }),
  examples: [{ type: 'userHistoricalOrders', user: USER }],
  topics: ({ user }) => [`order/${user}`],
  snapshot: ({ user }, facts) => ({
    user,
    orderHistory: facts.users.orderHistory(user, ROWS),
    isSnapshot: true as const,
  }),
  push: ({ user }, event, facts) => {
    if (event.kind !== 'order' || !event.first) return undefined
    const now = changesAt(event.timeMs, user, facts)
    return now.length === 0 ? undefined : { user, orderHistory: now }
  },
})

/** The changes of an instant, which are the newest: few are read unless all of them are of it. */
function changesAt(timeMs: TapeMs, user: string, facts: Facts) {
  for (let limit = 16; ; limit *= 4) {
    const newest = facts.users.orderHistory(user, Math.min(limit, ROWS))
    const now = newest.filter(({ statusTimestamp }) => statusTimestamp === timeMs)
    if (now.length < newest.length || newest.length < limit || limit >= ROWS) return now
  }
}

const userTwapHistory = channel({
  ...OF_ACCOUNT,
  id: 'userTwapHistory',
  title: 'Changes of status of an account’s TWAPs',
  subscription: Type.Object({ type: Type.Literal('userTwapHistory'), user: Address() }),
  key: ['user'],
  pushPolicy: { minGapMs: 1_000 },
  data: Type.Object({
    user: Address(),
    history: Type.Array(TwapChange),
    isSnapshot: Type.Optional(Type.Literal(true)),
  }),
  examples: [{ type: 'userTwapHistory', user: USER }],
  topics: ({ user }) => [`fill/${user}`, 'mark/*'],
  snapshot: ({ user }, facts) => ({
    user,
    history: facts.twaps.history(user, ROWS),
    isSnapshot: true as const,
  }),
  push: ({ user }, _, facts, sinceMs) => {
    const history = facts.twaps.history(user, ROWS, sinceMs)
    return history.length === 0 ? undefined : { user, history }
  },
})

/** The funding of an account after an instant; all of it without one. */
function* fundings(user: string, facts: Facts, sinceMs?: number) {
  const startTimeMs = sinceMs === undefined ? undefined : sinceMs + 1
  const payments = yield* facts.users.funding(user, { startTimeMs }, FUNDINGS)
  return payments.map(({ time, delta: { type: _, ...payment } }) => ({ time, ...payment }))
}

/** Payments that a push has at most. */
const FUNDINGS = 500

const userFundings = channel({
  ...OF_ACCOUNT,
  id: 'userFundings',
  title: 'Funding that an account pays and receives',
  subscription: Type.Object({ type: Type.Literal('userFundings'), user: Address() }),
  key: ['user'],
  pushPolicy: { minGapMs: 1_000 },
  data: Type.Object({
    user: Address(),
    fundings: Type.Array(FundingDelta),
    isSnapshot: Type.Optional(Type.Literal(true)),
  }),
  examples: [{ type: 'userFundings', user: USER }],
  topics: () => ['mark/*'],
  *snapshot({ user }, facts) {
    const paid = yield* fundings(user, facts, facts.moment.atMs - SNAPSHOT_MS)
    return { user, fundings: paid, isSnapshot: true as const }
  },
  *push({ user }, _, facts, sinceMs) {
    const paid = yield* fundings(user, facts, sinceMs)
    return paid.length === 0 ? undefined : { user, fundings: paid }
  },
})

/** A snapshot of funding goes back so far. */
const SNAPSHOT_MS = 24 * 3_600_000

const stateOfAccount = ({ user }: { user: string }, facts: Facts) => ({
  userState: {
    agentAddress: null,
    agentValidUntil: null,
    cumLedger: facts.users.netDeposits(user),
    serverTime: facts.moment.atMs,
    isVault: false,
    user,
  },
  perpDexStates: facts.venue.dexNames().map((dex) => ({
    totalVaultEquity: (dex === '' && facts.users.savings(user).vault?.equity) || '0.0',
    perpsAtOpenInterestCap: [],
    leadingVaults: [],
  })),
})

const webData3 = channel({
  ...OF_ACCOUNT,
  id: 'webData3',
  title: "What the venue's own page shows of an account besides its positions",
  subscription: Type.Object({ type: Type.Literal('webData3'), user: Address() }),
  key: ['user'],
  pushPolicy: { minGapMs: 5_000 },
  data: Type.Object({
    userState: Type.Object({
      agentAddress: Type.Null(),
      agentValidUntil: Type.Null(),
      cumLedger: Decimal('what came in less what went out, USD'),
      serverTime: TimeMs(),
      isVault: Type.Boolean(),
      user: Address(),
    }),
    perpDexStates: Type.Array(
      Type.Object({
        totalVaultEquity: Decimal('USD'),
        perpsAtOpenInterestCap: Type.Array(Coin()),
        leadingVaults: Type.Array(Type.Object({ address: Address(), name: Type.String() })),
      }),
    ),
  }),
  examples: [{ type: 'webData3', user: USER }],
  topics: () => ['mark/*'],
  snapshot: stateOfAccount,
  push: (subscription, _, facts) => stateOfAccount(subscription, facts),
})

const webData2 = channel({
  ...OF_ACCOUNT,
  id: 'webData2',
  title: WEB_DATA_2.title,
  subscription: Type.Object({ type: Type.Literal('webData2'), user: Address() }),
  key: ['user'],
  pushPolicy: { minGapMs: 5_000 },
  data: WEB_DATA_2.data,
  examples: [{ type: 'webData2', user: USER }],
  topics: () => ['mark/*'],
  snapshot: ({ user }, facts) => webDataOf(user, facts),
  push: ({ user }, _, facts) => webDataOf(user, facts),
})

/** Each is answered from the same facts as the info type of its kind. */
export const ACCOUNT_CHANNELS: readonly Channel[] = [
  userEvents,
  notification,
  activeAssetData,
  spotState,
  twapStates,
  userTwapSliceFills,
  allDexsClearinghouseState,
  userHistoricalOrders,
  userTwapHistory,
  userFundings,
  webData2,
  webData3,
]
