import { Coin, Decimal, type Static, Type } from '../schema.ts'

/** Last price of a coin (the service's documentation, Perpetual-DEX records). */
export const Ticker = Type.Object(
  { coin: Coin(), price: Decimal('last price') },
  { title: 'Ticker', additionalProperties: false },
)
export type Ticker = Static<typeof Ticker>
