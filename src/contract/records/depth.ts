import { Decimal, type Static, TimeMs, TimeText, Type } from '../schema.ts'
import { PriceQuantity } from './book.ts'

/** Newest book of a pair (the service's documentation, Depth snapshot). */
export const LatestDepth = Type.Object(
  {
    max: Type.Integer({ description: 'levels a side at most in this answer' }),
    asks: Type.Array(PriceQuantity, { description: 'ascending by price' }),
    bids: Type.Array(PriceQuantity, { description: 'descending by price' }),
    now: TimeText('time of the book'),
    result: Type.Union([Type.Literal('success'), Type.Literal('error')]),
    length: Type.Integer({ description: 'asks and bids together' }),
    ds: Type.Literal(1),
  },
  { title: 'LatestDepth', additionalProperties: false },
)
export type LatestDepth = Static<typeof LatestDepth>

/** The whole book of a pair. */
export const FullDepth = Type.Object(
  {
    timestamp: TimeMs('time of the book'),
    action: Type.String({ description: 'usually partial' }),
    bids: Type.Array(PriceQuantity, { description: 'descending by price' }),
    asks: Type.Array(PriceQuantity, { description: 'ascending by price' }),
  },
  { title: 'FullDepth', additionalProperties: false },
)
export type FullDepth = Static<typeof FullDepth>

const Bin = Type.Tuple([Decimal('startPrice'), Decimal('endPrice'), Decimal('totalQuantity')], {
  title: 'DepthBin',
})

/** The whole book summed over half-open price intervals `[startPrice, endPrice)`. */
export const GroupedDepth = Type.Object(
  {
    timestamp: TimeMs('time of the book'),
    action: Type.String({ description: 'usually partial' }),
    bids: Type.Array(Bin, { description: 'descending by price' }),
    asks: Type.Array(Bin, { description: 'ascending by price' }),
    groupSize: Type.Number({ description: 'width of an interval' }),
  },
  { title: 'GroupedDepth', additionalProperties: false },
)
export type GroupedDepth = Static<typeof GroupedDepth>
