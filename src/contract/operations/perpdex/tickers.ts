import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { Ticker } from '../../records/asset-context.ts'
import { Type } from '../../schema.ts'

export const tickers = operation({
  id: 'perpdex.tickers',
  method: 'GET',
  path: '/hl/tickers',
  title: 'Last prices of all coins',
  source: 'Perpetual-DEX REST',
  envelope: B(),
  access: permission('HL_TICKERS'),
  data: Type.Array(Ticker),
  examples: [{ name: 'all coins' }],
  answer: (_, facts) => facts.market.tickers(),
})
