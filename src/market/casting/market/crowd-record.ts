import { greater, negate, raw, type Sz, subtract, ZERO } from '../../../decimal/quantity.ts'
import { BAR_MS } from '../../bars/past-bars.ts'

/**
 * The traders' trades in an instrument while bars are planned for all: the crowd gets the rest of
 * each minute. One entry for each minute of the past.
 */
export class CrowdRecord {
  /** Taker buy and sell volume, in size units. */
  readonly bought: Float64Array
  readonly sold: Float64Array
  /** The traders' net position after the minute's last trade; NaN without one. */
  readonly net: Float64Array

  constructor(
    private readonly startMs: number,
    minutes: number,
  ) {
    this.bought = new Float64Array(minutes)
    this.sold = new Float64Array(minutes)
    this.net = new Float64Array(minutes).fill(Number.NaN)
  }

  /**
   * Records a trade, and the traders' net position after it. Later times than the past's are
   * ignored.
   */
  take(timeMs: number, side: 'B' | 'A', sz: Sz, net: Sz): void {
    const minute = Math.floor((timeMs - this.startMs) / BAR_MS)
    if (minute >= this.net.length) return
    const taken = side === 'B' ? this.bought : this.sold
    taken[minute] = (taken[minute] as number) + raw(sz)
    this.net[minute] = raw(net)
  }
}

/** The crowd's long interest at a total; its shorts balance the traders' net position. */
export function crowdLong(total: Sz, traders: { longSize: Sz; netSize: Sz }): Sz {
  const rest = subtract(total, traders.longSize)
  return greater(rest, greater(negate(traders.netSize), ZERO))
}
