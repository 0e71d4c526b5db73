import {
  absolute,
  lesser,
  px as price,
  raw,
  type Sz,
  sz as size,
  subtract,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { FEE_DECIMALS } from '../../schema/schema.ts'
import type { Holding, PriceAlarm } from '../market/market-state.ts'
import { halfSpread, quoteOnce } from '../market/market-state.ts'
import type { LiveOrder } from '../matching/order-manager.ts'
import type { Acting, Venue } from '../venue.ts'
import type { Agent } from './agents.ts'

/** Log-spread of a plan around its owner's habit. */
const TIME_SPREAD = 0.6
/** Share of gains that are taken in halves. */
const HALVES = 0.2
/** Number of quotes before a patient owner crosses the spread. */
const QUOTES = 4
/** Minimum distance of target and stop, in half-spreads and in fees. */
const SPREADS_MIN = 6
const FEES_MIN = 3
/** Largest distance of a stop from the price. */
const STOP_MAX = 0.85

/** Exit plans of positions: at a gain, at a loss, or after a time. */
export class PositionPlans {
  constructor(
    private readonly acting: Acting,
    private readonly random: RandomSource,
  ) {}

  /** Plans the exit of a position that was just opened. */
  begin(holding: Holding, timeMs: number): void {
    const { market, account } = holding
    const { style, role } = account.agent
    if (role === 'maker' || role === 'liquidated' || account.awaitsLiquidation) return
    const isSame = this.planTime(holding, timeMs, timeMs)
    if (!market.isPerp) return
    const deviation = market.memory.deviation(style.holdMs)
    // No target lies closer than the cost of trading.
    const least = Math.max(
      SPREADS_MIN * halfSpread(market),
      FEES_MIN * this.usualFee(account.agent, timeMs),
    )
    const away = (deviations: number) => Math.max(deviations * deviation, least)
    holding.targetPx = this.level(holding, away(style.target), true)
    holding.stopPx = this.level(holding, away(style.stop), false)
    this.arm(holding, holding.targetPx, true, timeMs, isSame)
    this.arm(holding, holding.stopPx, false, timeMs, isSame)
  }

  /** Plans the exit of a position opened earlier. */
  resume(holding: Holding, openMs: number, timeMs: number): void {
    const { market, account } = holding
    const { style, role } = account.agent
    if (role === 'maker' || !holding.position) return
    const isSame = this.planTime(holding, openMs, timeMs)
    if (!market.isPerp) return
    const deviation = market.memory.deviation(style.holdMs)
    const away = (deviations: number) =>
      Math.max(deviations * deviation, SPREADS_MIN * halfSpread(market))
    // Exits were planned from the entry price.
    const entry =
      Math.abs(raw(holding.cost) / raw(holding.sz) / market.value(size(1))) * raw(market.px)
    holding.targetPx ??= this.ahead(holding, away(style.target), true, entry)
    holding.stopPx ??= this.ahead(holding, away(style.stop), false, entry)
    this.arm(holding, holding.targetPx, true, timeMs, isSame)
    this.arm(holding, holding.stopPx, false, timeMs, isSame)
  }

  /** Arms the resting exits of a position without a plan. */
  armTriggers(holding: Holding, timeMs: number): void {
    const position = holding.position?.id
    const isSame = () => holding.position?.id === position
    for (const { orderType, triggerPx } of holding.triggers)
      if (triggerPx !== null)
        this.arm(holding, raw(triggerPx), orderType !== 'Stop Market', timeMs, isSame)
  }

  /** A level planned from an entry price; from the present price where that has been passed. */
  private ahead(holding: Holding, away: number, gains: boolean, entry: number): number | null {
    const px = this.level(holding, away, gains, entry)
    const up = holding.sz > ZERO === gains
    if (px === null || px > raw(holding.market.px) === up) return px
    return this.level(holding, away, gains)
  }

  /** Schedules the exit in time; returns whether the position is still the same. */
  private planTime(holding: Holding, openMs: number, timeMs: number): () => boolean {
    const { style } = holding.account.agent
    const position = holding.position?.id
    const isSame = () => holding.position?.id === position
    const holdMs = Math.max(3_000, style.holdMs * Math.exp(TIME_SPREAD * this.random.normal()))
    const dueMs = Math.floor(openMs + holdMs)
    // Overdue positions are closed within a while.
    const lateMs = () => timeMs + Math.ceil(this.random.unit() * style.holdMs)
    this.acting.tasks.put(dueMs >= timeMs ? dueMs : lateMs(), (_, runMs) => {
      if (isSame()) this.leaveInTime(holding, isSame, QUOTES, runMs)
    })
    return isSame
  }

  /** Exits because time is over: patient owners quote a few times, then cross the spread. */
  private leaveInTime(
    holding: Holding,
    isSame: () => boolean,
    quotes: number,
    timeMs: number,
  ): void {
    const { acting, random } = this
    if (!random.chance(holding.account.agent.style.atTouch) || quotes === 0)
      return this.leave(holding, null, timeMs)
    acting.venue.updatePrice(holding.market, timeMs)
    const side = holding.sz > ZERO ? 'A' : 'B'
    quoteOnce(acting.venue, holding, side, absolute(holding.sz), timeMs)
    acting.tasks.put(timeMs + random.between(3_000, 15_000), (_, dueMs) => {
      if (isSame()) this.leaveInTime(holding, isSame, quotes - 1, dueMs)
    })
  }

  /** Price at a given gain or loss; null where none is planned. */
  private level(
    { market, sz }: Holding,
    away: number,
    gains: boolean,
    from = raw(market.px),
  ): number | null {
    if (!Number.isFinite(away)) return null
    const up = sz > ZERO === gains
    const step = market.stepAt(raw(market.px))
    const distance = Math.max(Math.min(away, STOP_MAX) * from, 2 * step)
    return raw(market.onTick(Math.max(step, from + (up ? distance : -distance))))
  }

  private arm(
    holding: Holding,
    px: number | null,
    gains: boolean,
    timeMs: number,
    isSame: () => boolean,
  ): void {
    if (px === null) return
    const { market } = holding
    const alarm: PriceAlarm = {
      px,
      above: holding.sz > ZERO === gains,
      run: (dueMs) => {
        if (!isSame()) return
        const { venue } = this.acting
        const trigger = venue.firesTriggers ? triggerAt(holding, px) : undefined
        if (trigger) fireTrigger(venue, holding, trigger, dueMs)
        else this.leave(holding, gains ? px : null, dueMs)
      },
    }
    this.acting.venue.arm(market, alarm, timeMs)
  }

  /** Closes all or half of a position, at a given price where there is one. */
  private leave(holding: Holding, px: number | null, timeMs: number): void {
    const { acting, random } = this
    const { account, market } = holding
    if (holding.sz === ZERO || account.awaitsLiquidation) return
    const held = absolute(holding.sz)
    const half = this.half(held, raw(market.survey.lot))
    const halves = px !== null && half > ZERO && random.chance(HALVES)
    const waits = px !== null && random.chance(0.4 + account.agent.style.patience)
    acting.venue.submit(
      {
        holding,
        side: holding.sz > ZERO ? 'A' : 'B',
        sz: halves ? half : held,
        reduceOnly: market.isPerp,
        limitPx: waits ? price(px) : null,
      },
      timeMs,
    )
  }

  /** Usual cost of an order of a trader, as a part of its value. */
  private usualFee(agent: Agent, timeMs: number): number {
    const { taker, maker } = this.acting.feeDays.ratesOf(agent, timeMs)
    const { patience } = agent.style
    const rate = patience * raw(maker) + (1 - patience) * raw(taker)
    return (Math.max(0, rate) + (agent.builder ? raw(agent.builder.rate) : 0)) / 10 ** FEE_DECIMALS
  }

  private half(held: Sz, lot: number): Sz {
    return size(Math.floor(raw(held) / 2 / lot) * lot)
  }
}

/** The resting stop or target of a position at a price. */
const triggerAt = ({ triggers }: Holding, px: number): LiveOrder | undefined =>
  triggers.find(
    ({ endMs, triggerPx }) => endMs === null && triggerPx !== null && raw(triggerPx) === px,
  )

/**
 * Turns a trigger into a market order: filled from now on, and not cancelled with the position it
 * closes.
 */
function fireTrigger(venue: Venue, holding: Holding, order: LiveOrder, timeMs: number): void {
  const held = absolute(holding.sz)
  if (held === ZERO || holding.account.awaitsLiquidation) return
  holding.triggers = holding.triggers.filter((one) => one !== order)
  const side = holding.sz > ZERO ? 'A' : 'B'
  const sz = lesser(held, subtract(order.origSz, order.filledSz))
  venue.submit({ holding, side, sz, reduceOnly: true, limitPx: null, order }, timeMs)
}
