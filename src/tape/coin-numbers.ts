import { DIGITS_MAX, decimalPlaces, integerDigits, isZero } from './decimal-text.ts'
import type { Instrument } from './tape-event.ts'
import { excerptOf } from './unknown-record.ts'

/**
 * What prices and sizes of a coin may be. Where its instrument is not known yet, they may have any
 * digits, and those that they had must fit the instrument in the end.
 */
export class CoinNumbers {
  private readonly px: NumberExtent
  private readonly sz: NumberExtent

  constructor(private readonly instrument: Instrument | null) {
    this.px = new NumberExtent(instrument?.pxDecimals)
    this.sz = new NumberExtent(instrument?.szDecimals)
  }

  /** What is wrong with a price, in words; null when nothing is. */
  priceFlaw(text: unknown): string | null {
    const decimals = decimalPlaces(text)
    if (decimals < 0 || isZero(text as string)) return `has ${excerptOf(text)} as a price`
    return this.px.takes(text as string, decimals) ? null : this.misplaced('price', text, this.px)
  }

  /** The same of a size. With `changes` it may be that of a level which is gone. */
  sizeFlaw(text: unknown, changes: boolean): string | null {
    const decimals = decimalPlaces(text)
    // A removed level has size "0" and no other spelling, so that readers may compare texts.
    if (decimals < 0 || (isZero(text as string) && !(changes && text === '0')))
      return `has ${excerptOf(text)} as a size`
    return this.sz.takes(text as string, decimals) ? null : this.misplaced('size', text, this.sz)
  }

  /** Keeps what an event that was checked has shown, or forgets it where the event is refused. */
  settle(isTaken: boolean): void {
    this.px.settle(isTaken)
    this.sz.settle(isTaken)
  }

  /** Why the numbers so far do not fit an instrument, in words; null when they do. */
  misfit({ pxDecimals, szDecimals }: Instrument): string | null {
    const [px, sz] = [this.px.seen, this.sz.seen]
    if (pxDecimals < px.decimals) return `has prices with ${px.decimals} decimals`
    if (szDecimals < sz.decimals) return `has sizes with ${sz.decimals} decimals`
    const digits = Math.max(px.integer + pxDecimals, sz.integer + szDecimals)
    return digits > DIGITS_MAX ? `has numbers of ${digits} digits, ${DIGITS_MAX} are exact` : null
  }

  private misplaced(quantity: string, text: unknown, extent: NumberExtent): string {
    const { most, seen } = extent
    if (this.instrument === null)
      return (
        `has ${quantity} ${excerptOf(text)}, others have ${seen.integer} digits before the point ` +
        `and ${seen.decimals} behind it: ${DIGITS_MAX} in all are exact`
      )
    return (
      `has ${quantity} ${excerptOf(text)}, of ${this.instrument.coin} it has at most ${most} ` +
      `decimals and ${DIGITS_MAX - most} digits before them`
    )
  }
}

interface Digits {
  integer: number
  decimals: number
}

/** The digits that decimal strings have before and after the point. */
class NumberExtent {
  /** Most that there were, where there may be any. */
  seen: Digits = { integer: 0, decimals: 0 }
  /** The same before the event that is being checked; null where it has changed nothing. */
  private before: Digits | null = null

  /** `most`: the decimals that there may be. */
  constructor(readonly most = Number.POSITIVE_INFINITY) {}

  /** True when a number is exact as a whole number of the smallest steps. */
  takes(text: string, decimals: number): boolean {
    const integer = integerDigits(text, decimals)
    if (this.most !== Number.POSITIVE_INFINITY)
      return decimals <= this.most && integer + this.most <= DIGITS_MAX
    const { seen } = this
    if (integer <= seen.integer && decimals <= seen.decimals) return true
    const wider = {
      integer: Math.max(integer, seen.integer),
      decimals: Math.max(decimals, seen.decimals),
    }
    // No instrument could have both: said now, it is said of the line.
    if (wider.integer + wider.decimals > DIGITS_MAX) return false
    this.before ??= seen
    this.seen = wider
    return true
  }

  settle(isTaken: boolean): void {
    if (!isTaken) this.seen = this.before ?? this.seen
    this.before = null
  }
}
