import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { FillInForm } from '../../records/fill.ts'
import { Address, Coin, Limit, Type } from '../../schema.ts'

export const fillsOfAddress = operation({
  id: 'perpdex.fillsOfAddress',
  method: 'GET',
  path: '/hl/fills/:address',
  title: 'Fills of an address',
  source: 'Perpetual-DEX REST; Limits',
  envelope: B(),
  access: permission('HL_FILLS'),
  params: {
    path: Type.Object({ address: Address('whose fills') }),
    query: Type.Object({ coin: Type.Optional(Coin()), limit: Limit({ default: 1000, max: 2000 }) }),
  },
  data: Type.Array(FillInForm),
  assumed: [
    'fill-form',
    'Oldest first: the contract says only "time-ordered". The latest `limit` fills.',
  ],
  examples: [
    { name: 'latest fills', path: { address: '0x0000000000000000000000000000000000000001' } },
  ],
  answer: ({ path, query }, facts) => facts.fills.ofAddress(path.address, query),
})
