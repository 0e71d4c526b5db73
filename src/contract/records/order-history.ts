import { type Static, TimeMs, Type } from '../schema.ts'
import { FrontendOrder } from './order.ts'

/** An order at a change of its status. */
export const HistoricalOrder = Type.Object(
  {
    order: FrontendOrder,
    status: Type.String({ description: 'open, filled, canceled (question order-status-spelling)' }),
    statusTimestamp: TimeMs('time of the change'),
  },
  { title: 'HistoricalOrder', additionalProperties: false },
)
export type HistoricalOrder = Static<typeof HistoricalOrder>

/** An order requested by its id. */
export const OrderStatus = Type.Union(
  [
    Type.Object(
      { status: Type.Literal('order'), order: HistoricalOrder },
      { additionalProperties: false },
    ),
    Type.Object({ status: Type.Literal('unknownOid') }, { additionalProperties: false }),
  ],
  { title: 'OrderStatus' },
)
export type OrderStatus = Static<typeof OrderStatus>
