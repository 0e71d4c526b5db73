import { Decimal, type Static, Type } from '../schema.ts'

/** One price level as the perpetual venue writes it. */
export const BookLevel = Type.Object(
  {
    px: Decimal('price'),
    sz: Decimal('size'),
    n: Type.Integer({ description: 'number of orders' }),
  },
  { title: 'BookLevel', additionalProperties: false },
)
export type BookLevel = Static<typeof BookLevel>

/** `[price, quantity]` of the depth endpoints. */
export const PriceQuantity = Type.Tuple([Decimal('price'), Decimal('quantity')], {
  title: 'PriceQuantity',
})
