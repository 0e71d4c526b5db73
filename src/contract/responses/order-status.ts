/** The spelling of an order's status (question `order-status-spelling`). */
import type { Answers } from '../questions.ts'
import type { OrderStatusWord } from '../records/order.ts'

/** A status in the simple form of the contract, or in a form of the perpetual venue. */
export function spelledStatus(
  status: OrderStatusWord,
  form: 'simple' | 'native',
  answers: Answers,
): OrderStatusWord {
  if (status === 'open' || status === 'filled') return status
  const spelling = answers['order-status-spelling']
  if (spelling === 'by-form') return form === 'simple' ? 'cancelled' : 'canceled'
  return spelling === 'cancelled' ? 'cancelled' : 'canceled'
}
