/**
 * The perpetual venue's own API, as a sandbox with `profile: "raw"` serves it to native clients:
 * unsigned, without an envelope, at the root of its base URL.
 */

import { publicAccess } from './access.ts'
import { CHANNELS } from './catalogue.ts'
import { type Channel, channel } from './channel.ts'
import { Dex, isDex } from './dex.ts'
import { NODE_DIALECT, VENUE_DIALECT } from './dialect.ts'
import type { Operation } from './operation.ts'
import { VenueInterval } from './records/candle.ts'
import { OrderUpdate } from './records/order.ts'
import { Address, Coin, Decimal, Type } from './schema.ts'
import { ACCOUNT_CHANNELS } from './venue/account-channels.ts'
import { exchange } from './venue/exchange.ts'
import { info } from './venue/info.ts'

const orderUpdates = channel({
  id: 'orderUpdates',
  dialect: VENUE_DIALECT,
  access: publicAccess,
  title: 'Orders of an account as they change',
  source: 'the perpetual venue, WebSocket',
  subscription: Type.Object({ type: Type.Literal('orderUpdates'), user: Address() }),
  key: ['user'],
  counted: false,
  data: Type.Array(OrderUpdate),
  examples: [{ type: 'orderUpdates', user: '0x0000000000000000000000000000000000000001' }],
  topics: ({ user }) => [`order/${user}`],
  snapshot: () => undefined,
  push: ({ user }, event, facts) => {
    if (event.kind !== 'order' || !event.first) return undefined
    const updates = facts.orders.updates(user, event.dex)
    return updates.length > 0 ? updates : undefined
  },
})

const allMids = channel({
  id: 'allMids',
  dialect: VENUE_DIALECT,
  access: publicAccess,
  title: 'Mid prices of all coins',
  source: 'the perpetual venue, WebSocket',
  subscription: Type.Object({
    type: Type.Literal('allMids'),
    dex: Dex,
  }),
  key: ['dex'],
  counted: false,
  pushPolicy: { minGapMs: 1_000 },
  data: Type.Object({ mids: Type.Record(Type.String(), Decimal('mid price')) }),
  examples: [{ type: 'allMids' }],
  topics: (_, facts) => facts.market.tickers().map(({ coin }) => `bbo/${coin}`),
  exists: ({ dex = '' }, facts) => isDex(dex, facts),
  snapshot: ({ dex = '' }, facts) => ({ mids: facts.venue.allMids(dex) }),
  push: ({ dex = '' }, _, facts) => ({ mids: facts.venue.allMids(dex) }),
})

/** The venue has other lengths of candles than the service passes on. */
const CandleSubscription = Type.Object({
  type: Type.Literal('candle'),
  coin: Coin(),
  interval: VenueInterval(),
})

export const VENUE_OPERATIONS: readonly Operation[] = [info, exchange]

/** The channels that the service passes on, and those that it refuses. */
export const VENUE_CHANNELS: readonly Channel[] = [
  ...CHANNELS.filter(({ dialect }) => dialect === NODE_DIALECT).map((channel) => ({
    ...channel,
    ...(channel.id === 'candle' ? { subscription: CandleSubscription } : {}),
    dialect: VENUE_DIALECT,
    counted: false,
    // The venue tells subscriptions apart by every field.
    key: [...channel.key, ...channel.options],
    options: [],
  })),
  allMids,
  orderUpdates,
  ...ACCOUNT_CHANNELS,
]
