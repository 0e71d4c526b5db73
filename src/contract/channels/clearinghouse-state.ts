import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { Dex, isDex } from '../dex.ts'
import { NODE_DIALECT } from '../dialect.ts'
import { NativeState } from '../records/account-state.ts'
import { Address, Type } from '../schema.ts'

export const clearinghouseState = channel({
  id: 'clearinghouseState',
  dialect: NODE_DIALECT,
  access: permission('HL_WS_NODE'),
  title: 'State of a perpetual account',
  about:
    'The whole state: immediately, after each fill and ledger entry, and when mark prices move.',
  source: 'Perpetual-DEX WebSocket; Events',
  subscription: Type.Object({
    type: Type.Literal('clearinghouseState'),
    user: Address(),
    dex: Dex,
  }),
  key: ['user', 'dex'],
  counted: false,
  pushPolicy: { minGapMs: 1000, stateOf: 'market' },
  data: Type.Object({ dex: Type.String(), user: Address(), clearinghouseState: NativeState }),
  examples: [{ type: 'clearinghouseState', user: '0x0000000000000000000000000000000000000001' }],
  assumed: [
    'address-channel-second-user',
    'dex-unknown',
    'republished-channels',
    'stale-channels',
    'At most one push a second for each account.',
  ],
  topics: ({ user }) => [`fill/${user}`, `ledger/${user}`, 'mark/*'],
  exists: ({ dex = '' }, facts) => isDex(dex, facts),
  snapshot: ({ user, dex = '' }, facts) => ({
    dex,
    user,
    clearinghouseState: facts.accounts.native(user, dex),
  }),
  push: ({ user, dex = '' }, _, facts) => ({
    dex,
    user,
    clearinghouseState: facts.accounts.native(user, dex),
  }),
})
