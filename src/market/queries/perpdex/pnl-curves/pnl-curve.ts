/** PnL curves: equity less net deposits, from the first point on. */

import type { TapeMs } from '../../../../clock/instant.ts'
import { DAY_MS, HOUR_MS } from '../../../../clock/instant.ts'
import type { PnlCurvesFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  AddressDrawdown,
  AddressNetFlow,
  AddressPnls,
  CurveScope,
  CurveWindow,
  Drawdown,
  NetFlow,
  PnlCurve,
  PortfolioCurve,
} from '../../../../contract/records/completed-trade.ts'
import { isoText } from '../../../../contract/shown-value.ts'
import { raw, subtract, type Usd, usd, ZERO } from '../../../../decimal/quantity.ts'
import { fractionText } from '../../../formatting/decimal-text.ts'
import { depositsAt, traderHistories } from '../../../rows/trader-histories.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { usdText } from '../../../schema/schema.ts'
import { periodStart } from '../../../shown-time/time-grid.ts'
import { Cache, perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import { type EquityCurve, equityCurve } from './equity-curve.ts'

/** Value and profit of accounts over time, from the same rows as their states. */
export class PnlCurveQueries implements PnlCurvesFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  portfolio(address: string, window: CurveWindow): PortfolioCurve {
    const trader = this.find(address)
    if (trader === null) return { accountValue: [], pnl: [] }
    const curve = pnlCurve(this.world, this.moment, trader, WINDOW_DAYS[window])
    const isCounted = this.moment.answers['portfolio-builder-dexes'] === 'counted'
    const pointTexts = (values: Usd[]) =>
      values.map((value, at) => ({ time: curve.timeMs(at), value: usdText(value, CENTS) }))
    const [main, spot, builder] = (['main', 'spot', 'builder'] as const).map((name) =>
      curve.column(name),
    ) as [Float64Array, Float64Array, Float64Array]
    const owned = (value: number, at: number) =>
      usd(value + (spot[at] as number) + (isCounted ? (builder[at] as number) : 0))
    return {
      accountValue: pointTexts(Array.from(main, owned)),
      pnl: pointTexts(pnlsOf(curve, 'all')),
    }
  }

  pnls(address: string, days: number, scope: CurveScope): PnlCurve {
    const trader = this.find(address)
    if (trader === null) return []
    return pnlCurveRecord(this.world, this.moment, trader, { days, scope, form: 'endpoint' })
  }

  batchPnls(addresses: string[], days: number, scope: CurveScope): AddressPnls[] {
    return addresses.map((address) => ({
      address: address.toLowerCase(),
      pnls: this.pnls(address, days, scope),
    }))
  }

  drawdown(address: string, days: number): Drawdown {
    const { world, moment } = this
    const trader = this.find(address)
    const drawdown = trader === null ? null : drawdownOf(world, moment, trader, days)
    const { high, low, lost, base, netIn } = drawdown ?? emptyDrawdown(moment.atMs)
    const isBetween = moment.answers['drawdown-net-in'] === 'between'
    return {
      high: extremeText(high),
      low: extremeText(low),
      maxDrawdown: fractionText(BigInt(raw(lost)), BigInt(raw(base))),
      netIn: isBetween ? usdText(netIn) : this.netFlow(address, days).netPerpIn,
    }
  }

  batchDrawdown(addresses: string[], days: number): AddressDrawdown[] {
    const isBoth = this.moment.answers['batch-drawdown-keys'] === 'both'
    return addresses.map((given) => {
      const address = given.toLowerCase()
      const one = this.drawdown(address, days)
      const { high: High, low: Low, maxDrawdown: MaxDrawdown, netIn: NetIn } = one
      const capitals = { Address: address, High, Low, MaxDrawdown, NetIn }
      return isBoth ? { ...capitals, address, ...one } : capitals
    })
  }

  netFlow(address: string, days: number): NetFlow {
    const trader = this.find(address)
    if (trader === null) return { netPerpIn: '0', netSpotIn: '0' }
    const { perp, spot } = netFlowOf(this.world, trader, days, this.moment.atMs)
    return { netPerpIn: usdText(perp), netSpotIn: usdText(spot) }
  }

  batchNetFlow(addresses: string[], days: number): AddressNetFlow[] {
    return addresses.map((address) => ({
      address: address.toLowerCase(),
      ...this.netFlow(address, days),
    }))
  }

  private find(address: string): number | null {
    return tradersOf(this.world).find(address)?.id ?? null
  }
}

const extremeText = ({ timeMs, value }: DrawdownSpan['high']) => ({
  time: isoText(timeMs),
  value: usdText(value),
})

function emptyDrawdown(timeMs: TapeMs): DrawdownSpan {
  const nothing = { timeMs, value: ZERO }
  return { high: nothing, low: nothing, lost: ZERO, base: usd(1), netIn: ZERO }
}

// Net deposits of a trader, micro-dollars.

/** Over days back from now; transfers between accounts of one kind cancel out. */
function netFlowOf(world: World, trader: number, days: number, atMs: TapeMs) {
  const history = traderHistories(world).of(trader)
  const now = depositsAt(history, atMs)
  const before = depositsAt(history, periodStart(days, atMs))
  return { perp: subtract(now.perp, before.perp), spot: subtract(now.spot, before.spot) }
}

/** Days of a portfolio's window; 0 is all time. */
export const WINDOW_DAYS: Record<CurveWindow, number> = { day: 1, week: 7, month: 30, allTime: 0 }

/** A trader's curve over days back from now: points 15 minutes to a day apart, and now. */
function pnlCurve(world: World, moment: Moment, trader: number, days: number): EquityCurve {
  return equityCurve(world, moment, trader, curveStep(days), periodStart(days, moment.atMs))
}

/** Points at full hours, and now. */
function hourlyCurve(world: World, moment: Moment, trader: number, days: number): EquityCurve {
  return equityCurve(world, moment, trader, HOUR_MS, periodStart(days, moment.atMs))
}

/** PnL of each point since the first. */
export function pnlsOf(curve: EquityCurve, scope: CurveScope): Usd[] {
  const pnls = curve.pnlColumn(scope)
  return Array.from(pnls, (pnl) => usd(pnl - (pnls[0] as number)))
}

function curveStep(days: number): number {
  if (days === 0 || days > 30) return DAY_MS
  return days <= 1 ? HOUR_MS / 4 : days <= 7 ? HOUR_MS : 4 * HOUR_MS
}

// Written PnL curves; field names follow an open question.

/** Decimals that money of a curve keeps. */
export const CENTS = 2

/** A trader's curve over days back from now. `list` is the form of `pnlList`. */
export function pnlCurveRecord(
  world: World,
  moment: Moment,
  trader: number,
  of: { days: number; scope: CurveScope; form: 'endpoint' | 'list' },
): PnlCurve {
  const curve = pnlCurve(world, moment, trader, of.days)
  const texts = pnlsOf(curve, of.scope).map((pnl) => usdText(pnl, CENTS))
  const names = moment.answers['pnl-point-names']
  const isShort = names === 'short' || (names === 'documented' && of.form === 'list')
  return isShort
    ? texts.map((v, at) => ({ ts: curve.timeMs(at), v }))
    : texts.map((pnl, at) => ({ time: curve.timeMs(at), pnl }))
}

/** The maximum drawdown of an account of perpetuals (the service's documentation, action map). */
export interface DrawdownSpan {
  high: { timeMs: TapeMs; value: Usd }
  low: { timeMs: TapeMs; value: Usd }
  /** Loss from the high to the low. */
  lost: Usd
  /** The amount at risk: the high, and net deposits after it. */
  base: Usd
  /** Net deposits between the two. */
  netIn: Usd
}

/**
 * The two instants, among full hours and now, between which the largest part of the account was
 * lost, the first being a high of its PnL. Deposits and withdrawals are no gain and no loss: lost =
 * high + netIn - low. Without a loss both are now; null for a trader without any activity.
 */
export function drawdownOf(
  world: World,
  moment: Moment,
  trader: number,
  days: number,
): DrawdownSpan | null {
  const curve = hourlyCurve(world, moment, trader, days)
  if (curve.length === 0) return null
  const last = curve.length - 1
  let losses = gridLosses(world).get(curve.key, () => lossesOf(curve))
  if (last === curve.count) {
    losses = { ...losses }
    addPoint(losses, last, raw(curve.perp(last)), raw(curve.perpIn(last)))
  }
  const [from, to] = losses.deepest === 0 ? [last, last] : [losses.from, losses.to]
  const [high, low] = [raw(curve.perp(from)), raw(curve.perp(to))]
  const netIn = raw(curve.perpIn(to)) - raw(curve.perpIn(from))
  return {
    high: { timeMs: curve.timeMs(from), value: usd(high) },
    low: { timeMs: curve.timeMs(to), value: usd(low) },
    lost: usd(high + netIn - low),
    base: usd(drawdownBase(high, netIn, high + netIn - low)),
    netIn: usd(netIn),
  }
}

/** Up to a point: its highest PnL, and the deepest loss, as a fraction and by its two points. */
interface Losses {
  high: number
  highPnl: number
  highEquity: number
  highIn: number
  from: number
  to: number
  deepest: number
}

/** Cached losses on grids: they change at the next point. */
const CACHE_LIMIT = 10_000
const gridLosses = perWorld(() => new Cache<string, Losses>(CACHE_LIMIT))

/** Losses at the points of a curve that lie on its grid. */
function lossesOf(curve: EquityCurve): Losses {
  const losses = {
    high: 0,
    highPnl: Number.NEGATIVE_INFINITY,
    highEquity: 0,
    highIn: 0,
    from: 0,
    to: 0,
    deepest: 0,
  }
  const [equities, deposits] = [curve.perpColumn(), curve.column('perpIn')]
  for (let at = 0; at < curve.count; at++)
    addPoint(losses, at, equities[at] as number, deposits[at] as number)
  return losses
}

function addPoint(losses: Losses, at: number, equity: number, deposited: number): void {
  const pnl = equity - deposited
  if (pnl >= losses.highPnl) {
    losses.high = at
    losses.highPnl = pnl
    losses.highEquity = equity
    losses.highIn = deposited
  }
  const lost = losses.highPnl - pnl
  if (lost <= losses.deepest * losses.highEquity) return
  const ratio = lost / drawdownBase(losses.highEquity, deposited - losses.highIn, lost)
  if (ratio <= losses.deepest) return
  losses.deepest = ratio
  losses.from = losses.high
  losses.to = at
}

/**
 * The high plus net deposits after it; never zero, and never less than the loss: a debt is no part
 * of an account. Micro-dollars.
 */
const drawdownBase = (high: number, netIn: number, lost: number) =>
  Math.max(high + Math.max(netIn, 0), lost, 1)
