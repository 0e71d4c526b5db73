/**
 * Content of candles: prices, counts and sums over trades, exact for any number.
 *
 * Prices in price units, volumes in size units, amounts in micro-dollars.
 */

import { add, type Px, raw, type Sz, type Usd, ZERO } from '../../decimal/quantity.ts'
import { bigintText } from '../formatting/decimal-text.ts'
import { MONEY_DECIMALS } from '../schema/schema.ts'

/** Sums of trades that are not known singly. */
export interface TradeSums {
  open: Px
  high: Px
  low: Px
  close: Px
  trades: number
  buyTrades: number
  size: Sz
  buySize: Sz
  notional: Usd
  buyNotional: Usd
}

type Prices = Pick<TradeSums, 'open' | 'high' | 'low' | 'close'>

export class TradeTally {
  n = 0
  open: Px = ZERO
  close: Px = ZERO
  high: Px = ZERO
  low: Px = ZERO
  size: Sz = ZERO
  /** Trades and size with a buying taker. */
  buyN = 0
  buySize: Sz = ZERO
  private readonly all = new BigSum()
  private readonly bought = new BigSum()

  /** Adds the next trade. */
  add(px: Px, sz: Sz, notional: Usd, isBuy: boolean): void {
    this.extendBy({ open: px, high: px, low: px, close: px }, 1)
    this.count(sz, notional, isBuy)
  }

  /** Adds the next minute bars. */
  addBars(bars: TradeSums): void {
    this.extendBy(bars, bars.trades)
    this.n += bars.trades
    this.buyN += bars.buyTrades
    this.size = add(this.size, bars.size)
    this.buySize = add(this.buySize, bars.buySize)
    this.all.add(raw(bars.notional))
    this.bought.add(raw(bars.buyNotional))
  }

  /** Adds a trade that bars include already: it neither opens nor closes. */
  addWithin(px: Px, sz: Sz, notional: Usd, isBuy: boolean): void {
    if (this.isEmpty) return this.add(px, sz, notional, isBuy)
    this.extend(this.open, px, px, this.close)
    this.count(sz, notional, isBuy)
  }

  private count(sz: Sz, notional: Usd, isBuy: boolean): void {
    this.n++
    this.size = add(this.size, sz)
    this.all.add(raw(notional))
    if (!isBuy) return
    this.buyN++
    this.buySize = add(this.buySize, sz)
    this.bought.add(raw(notional))
  }

  /** Appends the trades right after. */
  append(next: TradeTally): void {
    if (next.isEmpty) return
    this.extendBy(next, next.n)
    this.n += next.n
    this.size = add(this.size, next.size)
    this.buyN += next.buyN
    this.buySize = add(this.buySize, next.buySize)
    this.all.append(next.all)
    this.bought.append(next.bought)
  }

  /** Quote volume, micro-dollars. */
  get amount(): bigint {
    return this.all.value
  }

  /** Quote volume of taker buys, micro-dollars. */
  get buyAmount(): bigint {
    return this.bought.value
  }

  /** Whether it is empty; a price is never zero. */
  get isEmpty(): boolean {
    return this.open === ZERO
  }

  get amountText(): string {
    return bigintText(this.amount, MONEY_DECIMALS)
  }

  get buyAmountText(): string {
    return bigintText(this.buyAmount, MONEY_DECIMALS)
  }

  /** Extends it by a part of so many trades; without one, a price is only held until the next. */
  private extendBy({ open, high, low, close }: Prices, trades: number): void {
    if (trades === 0 && !this.isEmpty) return
    if (this.n === 0) this.open = ZERO
    this.extend(open, high, low, close)
  }

  private extend(open: Px, high: Px, low: Px, close: Px): void {
    if (this.isEmpty) {
      this.open = open
      this.high = high
      this.low = low
    }
    if (high > this.high) this.high = high
    if (low < this.low) this.low = low
    this.close = close
  }
}

/** A sum that may exceed safe integers: a month of a busy coin in micro-dollars does. */
class BigSum {
  private low = 0
  private high = 0

  add(value: number): void {
    this.low += value
    if (this.low < CARRY) return
    this.low -= CARRY
    this.high++
  }

  append(other: BigSum): void {
    this.high += other.high
    this.add(other.low)
  }

  get value(): bigint {
    return BigInt(this.high) * BigInt(CARRY) + BigInt(this.low)
  }
}

const CARRY = 2 ** 52

// Last prices, and rows of the trade table in the public stream's form.
