import { forcedOid, LIQUIDATIONS_PER_MS } from '../../world/order-numbers.ts'

/** Numbers of the crowd's liquidations and of their orders: nobody else's are among them. */
export class CrowdLiquidationNumbers {
  private count = 0
  private readonly used = new Map<number, number>()

  constructor(private readonly historyStartMs: number) {}

  next(timeMs: number): { id: number; oid: number } {
    return { id: FIRST_ID + ++this.count, oid: this.nextOid(timeMs) }
  }

  nextOid(timeMs: number): number {
    let ms = timeMs - this.historyStartMs
    while ((this.used.get(ms) ?? 0) >= LIQUIDATIONS_PER_MS) ms++
    const place = this.used.get(ms) ?? 0
    this.used.set(ms, place + 1)
    return forcedOid('liquidation', ms, place)
  }
}

/** All others have fewer. */
const FIRST_ID = 1_000_000_000
