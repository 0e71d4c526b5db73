import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { FILLS_DIALECT } from '../dialect.ts'
import { AddressFill } from '../records/fill.ts'
import { Address, Type } from '../schema.ts'

export const addressFills = channel({
  id: 'addressFills',
  dialect: FILLS_DIALECT,
  access: permission('HL_WS_FILLS'),
  title: 'Fills of many accounts',
  source: 'Perpetual-DEX WebSocket; Events',
  subscription: Type.Object({ address: Address() }),
  key: ['address'],
  counted: false,
  data: AddressFill,
  examples: [{ address: '0x0000000000000000000000000000000000000001' }],
  topics: ({ address }) => [`fill/${address}`],
  snapshot: () => undefined,
  push: (_, event) => (event.kind === 'fill' ? event.fill : undefined),
})
