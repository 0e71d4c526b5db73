import { OneOf, type Static } from '../schema.ts'

/** The status of an order. */
export const OrderStatusWord = OneOf(
  ['open', 'filled', 'cancelled', 'canceled'],
  'status; how the third is spelled says the question `order-status-spelling`',
)
export type OrderStatusWord = Static<typeof OrderStatusWord>
