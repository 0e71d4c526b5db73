import { greater, negate, raw, type Sz, subtract, ZERO } from '../../../decimal/quantity.ts'
import { BAR_MS } from '../../bars/minute-bar.ts'

/**
 * What traders trade of an instrument while bars are planned for everybody: the crowd is left with
 * the rest of each minute. One entry for each minute of the past.
 */
export class CrowdRecord {
  /** Sizes that takers bought and sold, in size units. */
  readonly bought: Float64Array
  readonly sold: Float64Array
  /** What the traders held in all after the minute's last trade; NaN where they did not trade. */
  readonly net: Float64Array

  constructor(
    private readonly startMs: number,
    minutes: number,
  ) {
    this.bought = new Float64Array(minutes)
    this.sold = new Float64Array(minutes)
    this.net = new Float64Array(minutes).fill(Number.NaN)
  }

  /** A trade, and what the traders hold in all after it. What comes after the past is left out. */
  take(timeMs: number, side: 'B' | 'A', sz: Sz, net: Sz): void {
    const minute = Math.floor((timeMs - this.startMs) / BAR_MS)
    if (minute >= this.net.length) return
    const taken = side === 'B' ? this.bought : this.sold
    taken[minute] = (taken[minute] as number) + raw(sz)
    this.net[minute] = raw(net)
  }
}

/** What the crowd is long where all longs are so many; its shorts balance the traders' rest. */
export function crowdLong(total: Sz, traders: { longSize: Sz; netSize: Sz }): Sz {
  const rest = subtract(total, traders.longSize)
  return greater(rest, greater(negate(traders.netSize), ZERO))
}
