import { raw, ZERO } from '../../../decimal/quantity.ts'
import type { Holding, SubAccount } from '../market/market-state.ts'
import type { PriceAlarm } from '../market/price-alarms.ts'
import type { Venue } from '../venue.ts'
import { crossMargin, isolatedEquity } from './sub-account.ts'

/** An alarm that is nearer than it must be is kept while it is not much nearer. */
const KEPT_FROM = 0.4
const RECHECK_MS = 500

/**
 * Notices when an account has too little margin, without looking at any before its prices move:
 * each position has an alarm at the price at which it alone has lost its part of what may be lost.
 */
export class MarginWatch {
  constructor(private readonly venue: () => Venue) {}

  /** After a fill. */
  watchHolding(holding: Holding, timeMs: number): void {
    if (!holding.market.isPerp || holding.account.awaitsLiquidation) return
    if (holding.isolated) this.watchIsolated(holding, timeMs)
    else this.watchCross(holding.account, timeMs)
  }

  /** After money has left. */
  watchAccount(account: SubAccount, timeMs: number): void {
    if (!account.awaitsLiquidation) this.watchCross(account, timeMs)
  }

  private watchCross(account: SubAccount, timeMs: number): void {
    const { equity, maintenance, positions } = crossMargin(account)
    if (positions === 0) return
    const free = (equity - this.venue().marginFloor * maintenance) / positions
    for (const holding of account.holdings)
      if (holding.sz !== ZERO && !holding.isolated) this.arm(holding, free, timeMs)
  }

  private watchIsolated(holding: Holding, timeMs: number): void {
    if (holding.sz === ZERO) return
    const { market, sz } = holding
    const maintenance = Math.abs(market.marginValue(sz)) * market.maintenanceRate
    const floor = this.venue().marginFloor * maintenance
    this.arm(holding, isolatedEquity(holding) - floor, timeMs)
  }

  /** `free` is what the position may lose, micro-dollars. */
  private arm(holding: Holding, free: number, timeMs: number): void {
    const { market, sz } = holding
    const long = sz > ZERO
    const value = Math.abs(market.marginValue(sz))
    // Of a long position the margin wanted falls with the price, of a short one it rises.
    const rate = market.maintenanceRate * this.venue().marginFloor * (long ? -1 : 1)
    const away = Math.max(0, free / (value * (1 + rate)))
    const px = raw(market.marginPx) * (long ? 1 - away : 1 + away)
    if (px <= 0) return
    const known = holding.marginAlarm
    if (known && known.above !== long) {
      const knownAway = Math.abs(known.px / raw(market.marginPx) - 1)
      if (knownAway <= away && knownAway >= KEPT_FROM * away) return
    }
    const alarm: PriceAlarm = {
      px,
      above: !long,
      ofMark: market.mark !== null,
      run: (runMs) => {
        if (holding.marginAlarm !== alarm) return
        holding.marginAlarm = null
        this.check(holding, runMs)
      },
    }
    holding.marginAlarm = alarm
    this.venue().arm(market, alarm, timeMs)
  }

  /** Has a position closed whose margin is too little; else watches it. */
  check(holding: Holding, timeMs: number): void {
    const { account } = holding
    if (holding.sz === ZERO || account.awaitsLiquidation) return
    const venue = this.venue()
    for (const { market, sz } of account.holdings)
      if (sz !== ZERO) venue.updatePrice(market, timeMs)
    if (this.isShort(holding))
      venue.enforceMargin(account, holding.isolated ? holding : null, timeMs)
    // A price between two ticks would be reached again at once.
    else this.watchHolding(holding, timeMs + RECHECK_MS)
  }

  /**
   * Whether the margin behind a position is too little, within a hair of the floor: that of the
   * venue, or another part of the maintenance margin.
   */
  isShort(holding: Holding, part = this.venue().marginFloor): boolean {
    const { market, sz, account } = holding
    const floor = part * 1.002
    if (holding.isolated)
      return (
        isolatedEquity(holding) <= floor * Math.abs(market.marginValue(sz)) * market.maintenanceRate
      )
    const { equity, maintenance } = crossMargin(account)
    return equity <= floor * maintenance
  }
}
