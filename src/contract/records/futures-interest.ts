import { Decimal, type Static, TimeSDigits, Type } from '../schema.ts'

const Point = Type.Object(
  { time: TimeSDigits('end of an hour, or the present, s'), close: Decimal('open interest then') },
  { title: 'ExchangeInterest', additionalProperties: false },
)

/** A perpetual pair and its open interest (the service's documentation, Futures interest item). */
export const FuturesInterest = Type.Object(
  {
    key: Type.String({ description: 'dbKey of the pair' }),
    show: Type.String({ description: 'ticker symbol of the coin' }),
    currency: Type.String({ description: 'what the pair is quoted in' }),
    market_name: Type.String({ description: 'name of the exchange' }),
    trade: Decimal('value of the open interest, in the currency asked for'),
    vol_coin: Decimal('open interest, in the coin'),
    trend: Type.Array(Point, { description: 'open interest over 24 hours, oldest first' }),
  },
  { title: 'FuturesInterest', additionalProperties: false },
)
export type FuturesInterest = Static<typeof FuturesInterest>
