/**
 * Whole numbers with a unit: prices, sizes, money, rates (see scaled.ts).
 *
 * At run time each is a plain number and costs nothing. To the compiler none of them is a number
 * and no two of them are alike: a price cannot be added to a size, compared with one, or handed
 * over in its place. Two of one kind are compared with `<` and `===`; sums go through `add`.
 */
import { mulDiv, multiply } from './scaled.ts'

declare const price: unique symbol
declare const size: unique symbol
declare const money: unique symbol
declare const hourly: unique symbol
declare const fee: unique symbol
declare const index: unique symbol

/** A price in price units: a whole number at the instrument's pxDecimals. */
export interface Px {
  readonly [price]: true
}

/** A size in size units, signed for a position: a whole number at the instrument's szDecimals. */
export interface Sz {
  readonly [size]: true
}

/** Money in micro-dollars, 10^-6. */
export interface Usd {
  readonly [money]: true
}

/** An hourly funding rate or a premium, 10^-10. */
export interface Rate {
  readonly [hourly]: true
}

/** A fee rate, 10^-6 of the notional. */
export interface FeeRate {
  readonly [fee]: true
}

/** Funding so far of one coin, at the instrument's fundingDecimals. */
export interface FundingIndex {
  readonly [index]: true
}

/** Any of the above. */
export type Quantity = Px | Sz | Usd | Rate | FeeRate | FundingIndex

/** So many price units. */
export const px = (units: number) => units as unknown as Px
/** So many size units. */
export const sz = (units: number) => units as unknown as Sz
/** So many micro-dollars. */
export const usd = (micros: number) => micros as unknown as Usd
/** An hourly rate of so many 10^-10. */
export const rate = (units: number) => units as unknown as Rate
/** A fee rate of so many 10^-6. */
export const feeRate = (units: number) => units as unknown as FeeRate
/** So many units of 10^-fundingDecimals. */
export const fundingIndex = (units: number) => units as unknown as FundingIndex

/** The plain number, for ratios and statistics: here the units end. */
export const raw = (quantity: Quantity) => quantity as unknown as number

/** None of anything: zero is zero in every unit. */
export const ZERO = of<Px & Sz & Usd & Rate & FeeRate & FundingIndex>(0)

export const add = <Q extends Quantity>(a: Q, b: Q): Q => of(raw(a) + raw(b))
export const subtract = <Q extends Quantity>(a: Q, b: Q): Q => of(raw(a) - raw(b))
/** Never the negative zero. */
export const negate = <Q extends Quantity>(a: Q): Q => of(0 - raw(a))
export const absolute = <Q extends Quantity>(a: Q): Q => of(Math.abs(raw(a)))
export const lesser = <Q extends Quantity>(a: Q, b: Q): Q => (b < a ? b : a)
export const greater = <Q extends Quantity>(a: Q, b: Q): Q => (b > a ? b : a)

/** 1 above zero, -1 below, 0 at it. */
export const sign = (a: Quantity): number => Math.sign(raw(a))

/** a, `count` times; exact, or a RangeError. */
export const times = <Q extends Quantity>(a: Q, count: number): Q => of(multiply(raw(a), count))

/** a x numerator / denominator, rounded half to even once; the latter two of one unit. */
export function portion<Q extends Quantity, P extends Quantity | number>(
  a: Q,
  numerator: P,
  denominator: P,
): Q {
  return of(mulDiv(raw(a), numerator as number, denominator as number))
}

/** How many times b goes into a: a plain fraction. */
export const ratio = <Q extends Quantity>(a: Q, b: Q): number => raw(a) / raw(b)

export function sum<Q extends Quantity>(list: readonly Q[]): Q {
  let total = 0
  for (const one of list) total += raw(one)
  return of(total)
}

/** For sorting: below zero when a is the lesser. */
export const compare = <Q extends Quantity>(a: Q, b: Q): number => raw(a) - raw(b)

function of<Q extends Quantity>(value: number): Q {
  return value as unknown as Q
}
