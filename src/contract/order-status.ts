/** The status of an order, and how it is spelled (question `order-status-spelling`). */
import type { Answers } from './questions.ts'
import { OneOf, type Static } from './schema.ts'

export const OrderStatusWord = OneOf(
  ['open', 'filled', 'cancelled', 'canceled'],
  'status; how the third is spelled says the question `order-status-spelling`',
)
export type OrderStatusWord = Static<typeof OrderStatusWord>

/** A status in the simple form of the contract, or in a form of the perpetual venue. */
export function spelled(
  status: OrderStatusWord,
  form: 'simple' | 'native',
  answers: Answers,
): OrderStatusWord {
  if (status === 'open' || status === 'filled') return status
  const spelling = answers['order-status-spelling']
  if (spelling === 'by-form') return form === 'simple' ? 'cancelled' : 'canceled'
  return spelling === 'cancelled' ? 'cancelled' : 'canceled'
}
