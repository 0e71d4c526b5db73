/**
 * Whole numbers with a unit: prices, sizes, money, rates (see scaled.ts).
 *
 * At run time each is a plain number and costs nothing. To the compiler all are different types: a
 * price cannot be added to a size, compared with one, or passed in its place. Two of one kind are
 * compared with `<` and `===`; sums go through `add`.
 */
/**
 * Exact arithmetic on decimal strings, as scaled whole numbers.
 *
 * A value at scale `d` is the whole number of units of 10^-d: "105055.0" at scale 1 is 1050550. All
 * values are safe integers; a result outside that range throws instead of rounding.
 */
const POWERS = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)

/** 10^exponent for 0..15. */
export function pow10(exponent: number): number {
  const value = POWERS[exponent]
  if (value === undefined) throw new RangeError(`no exact power of ten for ${exponent}`)
  return value
}

/**
 * Parses a decimal string at `scale`; refuses text that is no decimal or has more digits than the
 * scale.
 */
export function parse(text: string, scale: number): number {
  const value = parseShort(text, scale)
  if (value >= 0) return value
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) throw new RangeError(`"${text}" is not a decimal number`)
  const fraction = match[3] ?? ''
  const padded = fraction.slice(0, scale).padEnd(scale, '0')
  if (/[1-9]/.test(fraction.slice(scale)))
    throw new RangeError(`"${text}" has more than ${scale} decimals`)
  return checkedSafe(Number(`${match[1]}${match[2]}${padded}`)) + 0
}

/** Parses common numbers: few digits, no sign. Negative for any other text. */
function parseShort(text: string, scale: number): number {
  const { length } = text
  if (length > 15) return -1
  let [value, dot] = [0, length]
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === 46 && dot === length) dot = at
    else if (code < 48 || code > 57) return -1
    else value = value * 10 + code - 48
  }
  const decimals = length - dot - 1
  const isPlain = dot === length ? length > 0 : dot > 0 && decimals > 0 && decimals <= scale
  const missing = dot === length ? scale : scale - decimals
  if (!isPlain || missing > 15) return -1
  const scaled = value * pow10(missing)
  return Number.isSafeInteger(scaled) ? scaled : -1
}

/** Formats a scaled number as a decimal string; trailing zeros beyond `minDecimals` are cut. */
export function format(value: number, scale: number, minDecimals = 0): string {
  // A decimal of 15 digits is the shortest one that reads as the number nearest to it.
  if (scale <= PLAIN_DECIMALS && Math.abs(value) < DIGITS_15 && Number.isInteger(value)) {
    const quotient = value / pow10(scale)
    if (minDecimals === 0) return String(quotient)
    // A fraction has a decimal at least.
    if (minDecimals === 1 && !Number.isInteger(quotient)) return String(quotient)
    return withDecimals(String(quotient), minDecimals)
  }
  return formatDigits(value, scale, minDecimals)
}

/** Numbers with at most so many decimals are never formatted with an exponent. */
const PLAIN_DECIMALS = 6
const DIGITS_15 = 1e15

function withDecimals(text: string, minDecimals: number): string {
  const dot = text.indexOf('.')
  if (dot === -1) return `${text}.${'0'.repeat(minDecimals)}`
  const missing = minDecimals - (text.length - dot - 1)
  return missing > 0 ? text + '0'.repeat(missing) : text
}

function formatDigits(value: number, scale: number, minDecimals: number): string {
  const digits = Math.abs(checkedSafe(value))
    .toString()
    .padStart(scale + 1, '0')
  const sign = value < 0 ? '-' : ''
  const integer = digits.slice(0, digits.length - scale)
  let end = digits.length
  const minEnd = digits.length - scale + Math.min(minDecimals, scale)
  while (end > minEnd && digits.charCodeAt(end - 1) === 48) end--
  const fraction = digits.slice(digits.length - scale, end).padEnd(minDecimals, '0')
  return fraction === '' ? `${sign}${integer}` : `${sign}${integer}.${fraction}`
}

/** The value at another scale; a loss of digits rounds half to even. */
export function rescale(value: number, from: number, to: number): number {
  return to >= from ? checkedSafe(value * pow10(to - from)) : divide(value, pow10(from - to))
}

/** a x b, exact. */
export function multiply(a: number, b: number): number {
  const product = a * b
  return Number.isSafeInteger(product) ? product + 0 : checkedSafe(Number(BigInt(a) * BigInt(b)))
}

/** a / b, rounded half to even. */
export function divide(a: number, b: number): number {
  if (b < 0) return divide(-a, -b)
  const quotient = Math.floor(a / b)
  const twice = 2 * (a - quotient * b)
  if (!Number.isSafeInteger(quotient * b)) return mulDiv(a, 1, b)
  const roundsUp = twice > b || (twice === b && quotient % 2 !== 0)
  return quotient + (roundsUp ? 1 : 0)
}

/** a x b / c, the product exact however large, rounded half to even. */
export function mulDiv(a: number, b: number, c: number): number {
  const estimate = (a * b) / c
  // Written to be fast before it is compiled: whole searches run cold.
  const nearest = estimate + WHOLE - WHOLE
  const gap = estimate - nearest
  const isSmall = estimate < ESTIMATE_MAX && estimate > -ESTIMATE_MAX
  // Two roundings separate the estimate from the quotient: this far from a half both round alike.
  if (isSmall && gap < 0.48 && gap > -0.48) return nearest
  const product = a * b
  return Number.isSafeInteger(product) ? divide(product, c) : divideWide(a, b, c)
}

/** Added to a number, it leaves no room for a fraction. */
const WHOLE = 1.5 * 2 ** 52
/** Below it an estimate is within 0.02 of the quotient. */
const ESTIMATE_MAX = 2 ** 46

function divideWide(a: number, b: number, c: number): number {
  let numerator = BigInt(a) * BigInt(b)
  let denominator = BigInt(c)
  if (denominator < 0n) [numerator, denominator] = [-numerator, -denominator]
  let quotient = numerator / denominator
  let remainder = numerator % denominator
  if (remainder < 0n) [quotient, remainder] = [quotient - 1n, remainder + denominator]
  const twice = 2n * remainder
  if (twice > denominator || (twice === denominator && quotient % 2n !== 0n)) quotient += 1n
  return checkedSafe(Number(quotient))
}

function checkedSafe(value: number): number {
  if (!Number.isSafeInteger(value)) throw new InexactAmount(value)
  return value
}

/** An amount that is beyond 2^53 of its smallest unit. */
export class InexactAmount extends RangeError {
  constructor(readonly value: number) {
    super(`${value} is outside exact arithmetic`)
  }
}

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

/** Any quantity. */
export type Quantity = Px | Sz | Usd | Rate | FeeRate | FundingIndex

/** A number of price units. */
export const px = (units: number) => units as unknown as Px
/** A number of size units. */
export const sz = (units: number) => units as unknown as Sz
/** A number of micro-dollars. */
export const usd = (micros: number) => micros as unknown as Usd
/** An hourly rate in units of 10^-10. */
export const rate = (units: number) => units as unknown as Rate
/** A fee rate in units of 10^-6. */
export const feeRate = (units: number) => units as unknown as FeeRate
/** A number of units of 10^-fundingDecimals. */
export const fundingIndex = (units: number) => units as unknown as FundingIndex

/** The plain number without its unit, for ratios and statistics. */
export const raw = (quantity: Quantity) => quantity as unknown as number

/** Zero in every unit. */
export const ZERO = of<Px & Sz & Usd & Rate & FeeRate & FundingIndex>(0)

export const add = <Q extends Quantity>(a: Q, b: Q): Q => of(raw(a) + raw(b))
export const subtract = <Q extends Quantity>(a: Q, b: Q): Q => of(raw(a) - raw(b))
/** Never negative zero. */
export const negate = <Q extends Quantity>(a: Q): Q => of(0 - raw(a))
export const absolute = <Q extends Quantity>(a: Q): Q => of(Math.abs(raw(a)))
export const lesser = <Q extends Quantity>(a: Q, b: Q): Q => (b < a ? b : a)
export const greater = <Q extends Quantity>(a: Q, b: Q): Q => (b > a ? b : a)

/** 1 above zero, -1 below, 0 at it. */
export const sign = (a: Quantity): number => Math.sign(raw(a))

/** a times `count`; exact, or a RangeError. */
export const times = <Q extends Quantity>(a: Q, count: number): Q => of(multiply(raw(a), count))

/** a x numerator / denominator, rounded half to even once; the latter two of one unit. */
export function portion<Q extends Quantity, P extends Quantity | number>(
  a: Q,
  numerator: P,
  denominator: P,
): Q {
  return of(mulDiv(raw(a), numerator as number, denominator as number))
}

/** a / b as a plain fraction. */
export const ratio = <Q extends Quantity>(a: Q, b: Q): number => raw(a) / raw(b)

export function sum<Q extends Quantity>(list: readonly Q[]): Q {
  let total = 0
  for (const one of list) total += raw(one)
  return of(total)
}

/** For sorting: negative when a is less. */
export const compare = <Q extends Quantity>(a: Q, b: Q): number => raw(a) - raw(b)

function of<Q extends Quantity>(value: number): Q {
  return value as unknown as Q
}
