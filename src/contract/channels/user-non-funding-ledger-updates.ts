import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { NODE_DIALECT } from '../dialect.ts'
import { LedgerUpdate } from '../records/account-state.ts'
import { Address, Type } from '../schema.ts'

export const userNonFundingLedgerUpdates = channel({
  id: 'userNonFundingLedgerUpdates',
  dialect: NODE_DIALECT,
  access: permission('HL_WS_NODE'),
  title: 'Ledger of an account',
  about:
    'Deposits, withdrawals, transfers and liquidations; first the latest with `isSnapshot: true`.',
  source: 'Perpetual-DEX WebSocket; Events',
  subscription: Type.Object({
    type: Type.Literal('userNonFundingLedgerUpdates'),
    user: Address(),
  }),
  key: ['user'],
  counted: false,
  data: Type.Object({
    isSnapshot: Type.Optional(Type.Literal(true)),
    user: Address(),
    nonFundingLedgerUpdates: Type.Array(LedgerUpdate),
  }),
  examples: [
    {
      type: 'userNonFundingLedgerUpdates',
      user: '0x0000000000000000000000000000000000000001',
    },
  ],
  assumed: ['address-channel-second-user'],
  topics: ({ user }) => [`ledger/${user}`],
  snapshot: ({ user }, facts) => ({
    isSnapshot: true as const,
    user,
    nonFundingLedgerUpdates: facts.accounts.ledger(user, 2000),
  }),
  push: ({ user }, event) =>
    event.kind === 'ledger' ? { user, nonFundingLedgerUpdates: [event.update] } : undefined,
})
