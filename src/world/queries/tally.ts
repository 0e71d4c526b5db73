/**
 * What candles are made of: prices, counts and sums over trades, exact however many there are.
 *
 * Prices in price units, volumes in size units, amounts in micro-dollars.
 */
import { MONEY_DECIMALS } from '../schema.ts'
import { wideText } from './wording.ts'

export class Tally {
  n = 0
  open = 0
  close = 0
  high = 0
  low = 0
  size = 0
  /** Trades and size with a buying taker. */
  buyN = 0
  buySize = 0
  private readonly all = new Amount()
  private readonly bought = new Amount()

  /** The next trade. */
  add(px: number, sz: number, notional: number, isBuy: boolean): void {
    this.extend(px, px, px, px)
    this.n++
    this.size += sz
    this.all.add(notional)
    if (!isBuy) return
    this.buyN++
    this.buySize += sz
    this.bought.add(notional)
  }

  /** The trades that come right after. */
  append(next: Tally): void {
    if (next.n === 0) return
    this.extend(next.open, next.high, next.low, next.close)
    this.n += next.n
    this.size += next.size
    this.buyN += next.buyN
    this.buySize += next.buySize
    this.all.append(next.all)
    this.bought.append(next.bought)
  }

  /** Quote volume, micro-dollars. */
  get amount(): bigint {
    return this.all.value
  }

  /** Quote volume that takers bought, micro-dollars. */
  get buyAmount(): bigint {
    return this.bought.value
  }

  get amountText(): string {
    return wideText(this.amount, MONEY_DECIMALS)
  }

  get buyAmountText(): string {
    return wideText(this.buyAmount, MONEY_DECIMALS)
  }

  private extend(open: number, high: number, low: number, close: number): void {
    if (this.n === 0) {
      this.open = open
      this.high = high
      this.low = low
    }
    if (high > this.high) this.high = high
    if (low < this.low) this.low = low
    this.close = close
  }
}

/** A sum that may outgrow safe integers: a month of a busy coin in micro-dollars does. */
class Amount {
  private rest = 0
  private carried = 0

  add(value: number): void {
    this.rest += value
    if (this.rest < CARRY) return
    this.rest -= CARRY
    this.carried++
  }

  append(other: Amount): void {
    this.carried += other.carried
    this.add(other.rest)
  }

  get value(): bigint {
    return BigInt(this.carried) * BigInt(CARRY) + BigInt(this.rest)
  }
}

const CARRY = 2 ** 52
