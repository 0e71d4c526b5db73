import { BookRounding, L2Book } from '../records/book.ts'
import { Coin, Nullable, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const l2Book = infoType({
  type: 'l2Book',
  title: 'Order book',
  request: Type.Object({ coin: Coin(), ...BookRounding }),
  data: Nullable(L2Book),
  examples: [{ coin: 'BTC' }, { coin: 'BTC', nSigFigs: 3 }],
  answer: (request, facts) => facts.books.l2(request),
})
