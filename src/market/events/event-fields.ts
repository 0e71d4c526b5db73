/** Fields that several kinds of market events have. */
import { Type } from '@sinclair/typebox'

/** A day: what is to last longer is asked for again. */
export const LENGTH_MAX_S = 86_400

/** The coin that it acts on. */
export const CoinField = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'coin of the market, such as BTC, or `busiest` or `quietest` by turnover',
})

/** One coin, or all when it is left out. */
export const AnyCoinField = Type.Optional({
  ...CoinField,
  description: 'coin of the market, such as BTC or `busiest`; all coins by default',
})

/** How long something lasts. */
export const LengthField = (description: string) =>
  Type.Number({ minimum: 1, maximum: LENGTH_MAX_S, description: `${description}, s` })

/** An amount of money. */
export const UsdField = (description: string) =>
  Type.Number({ minimum: 1_000, maximum: 1e10, description: `${description}, dollars` })

/** By how much something is multiplied. */
export const FactorField = (minimum: number, maximum: number, description: string) =>
  Type.Number({ minimum, maximum, description })
