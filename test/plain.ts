/** Rows without their units, for tests that check sums by plain arithmetic of their own. */
import type { TapeMs } from '../src/clock/instant.ts'
import type { Quantity } from '../src/decimal/quantity.ts'

export type Plain<T> = { [Name in keyof T]: Unitless<T[Name]> }
type Unitless<T> = T extends Quantity | TapeMs ? number : T

/** The same row, as plain numbers. */
export const plain = <T extends object>(row: T) => row as Plain<T>
