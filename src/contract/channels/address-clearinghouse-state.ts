import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { ACCOUNT_STATES_DIALECT } from '../dialect.ts'
import { PerpState } from '../records/account-state.ts'
import { Address, Type } from '../schema.ts'

export const addressClearinghouseState = channel({
  id: 'addressClearinghouseState',
  dialect: ACCOUNT_STATES_DIALECT,
  access: permission('HL_WS_CLEARINGHOUSE_STATE'),
  title: 'States of many perpetual accounts',
  about: 'One dex per connection, chosen by the query parameter `dex`; empty is the main dex.',
  source: 'Perpetual-DEX WebSocket; Events',
  subscription: Type.Object({ address: Address(), dex: Type.String() }),
  key: ['address', 'dex'],
  counted: false,
  pushPolicy: { minGapMs: 1000 },
  data: Type.Object({ address: Address(), state: PerpState }),
  examples: [{ address: '0x0000000000000000000000000000000000000001', dex: '' }],
  assumed: ['account-state-first', 'dex-unknown', 'At most one push a second for each account.'],
  topics: ({ address }) => [`fill/${address}`, `ledger/${address}`, 'mark/*'],
  snapshot: ({ address, dex }, facts) =>
    facts.moment.answers['account-state-first'] === 'push'
      ? { address, state: facts.accounts.perp(address, dex) }
      : undefined,
  push: ({ address, dex }, _, facts) => ({ address, state: facts.accounts.perp(address, dex) }),
})
