import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import type { Answers } from '../../questions.ts'
import { Company } from '../../records/stock.ts'
import { type Refusal, refuseSymbol } from '../../refusal.ts'
import { Nullable, SymbolName, Type } from '../../schema.ts'

export const stockCompany = operation({
  id: 'stock.company',
  method: 'GET',
  path: '/crypto_stock/company/:symbol',
  title: 'The company behind a stock',
  source: 'Crypto stock',
  envelope: B(),
  access: signedAccess,
  params: {
    path: Type.Object({ symbol: SymbolName('ticker, `i:<symbol>:<market>`') }),
  },
  data: Nullable(Company),
  refuses: ['symbol', 'fault'],
  assumed: ['stock-unknown', 'stock-ticker-form', 'Amounts are in the currency of its market.'],
  examples: [{ name: 'a company', path: { symbol: 'i:mstr:nasdaq' } }],
  answer: ({ path: { symbol } }, { stock, moment }) =>
    mapSlices(stock.company(symbol), (company) => company ?? unknown(symbol, moment.answers)),
})

function unknown(symbol: string, answers: Answers): Refusal<'symbol' | 'fault'> | null {
  const answer = answers['stock-unknown']
  if (answer === 'null') return null
  return answer === '500' ? { refused: 'fault' } : refuseSymbol(symbol)
}
