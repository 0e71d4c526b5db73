import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { NODE_DIALECT } from '../dialect.ts'
import { UserFill } from '../records/fill.ts'
import { Address, Type } from '../schema.ts'

export const userFills = channel({
  id: 'userFills',
  dialect: NODE_DIALECT,
  access: permission('HL_WS_NODE'),
  title: 'Fills of an account',
  about:
    'First the latest fills with `isSnapshot: true`, newest first; then each fill as it happens.',
  source: 'Perpetual-DEX WebSocket; Events',
  subscription: Type.Object({
    type: Type.Literal('userFills'),
    user: Address(),
    aggregateByTime: Type.Optional(Type.Boolean()),
  }),
  key: ['user'],
  counted: false,
  data: Type.Object({
    isSnapshot: Type.Optional(Type.Literal(true)),
    user: Address(),
    fills: Type.Array(UserFill),
  }),
  examples: [{ type: 'userFills', user: '0x0000000000000000000000000000000000000001' }],
  assumed: ['address-channel-second-user'],
  topics: ({ user }) => [`fill/${user}`],
  snapshot: ({ user }, facts) => ({
    isSnapshot: true as const,
    user,
    fills: facts.fills.native(user, 2000),
  }),
  push: ({ user }, event) => (event.kind === 'fill' ? { user, fills: [event.native] } : undefined),
})
