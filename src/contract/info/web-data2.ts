import type { Slices } from '../../clock/turns.ts'
import { NativeState } from '../records/account-state.ts'
import { PerpContext, SpotContext } from '../records/asset-context.ts'
import { Meta } from '../records/meta.ts'
import { FrontendOrder } from '../records/order.ts'
import { SpotState } from '../records/spot-state.ts'
import { TwapState } from '../records/twap.ts'
import { Address, Decimal, Nullable, type Static, TimeMs, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

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
