import { L2Book } from '../records/book.ts'
import { Coin, Nullable, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const l2Book = infoType({
  type: 'l2Book',
  title: 'Order book',
  request: Type.Object({
    coin: Coin(),
    nSigFigs: Type.Optional(Nullable(Type.Integer({ minimum: 2, maximum: 5 }))),
    mantissa: Type.Optional(
      Nullable(Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(5)])),
    ),
  }),
  data: Nullable(L2Book),
  examples: [{ coin: 'BTC' }, { coin: 'BTC', nSigFigs: 3 }],
  answer: (request, facts) => facts.books.l2(request),
})
