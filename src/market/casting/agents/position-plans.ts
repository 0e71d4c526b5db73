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
import type { Holding } from '../market/market-state.ts'
import type { PriceAlarm } from '../market/price-alarms.ts'
import { halfSpread, quoteOnce } from '../market/quoted-price.ts'
import type { LiveOrder } from '../matching/order-manager.ts'
import type { Acting, Venue } from '../venue.ts'
import type { Agent } from './agent.ts'

/** Plans differ from what their owner usually does by so much, in logarithms. */
const TIME_SPREAD = 0.6
/** Share of the gains that are taken by halves. */
const HALVES = 0.2
/** Somebody patient offers so often before he takes what there is. */
const QUOTES = 4
/** A target and a stop lie so many halves of the spread, and so many times the fees, away. */
const SPREADS_MIN = 6
const FEES_MIN = 3
/** No stop lies beyond so much of the price. */
const STOP_MAX = 0.85

/** How owners leave their positions: at a gain, at a loss, or when their time is over. */
export class PositionPlans {
  constructor(
    private readonly acting: Acting,
    private readonly random: RandomSource,
  ) {}

  /** Plans the way out of a position that was just opened. */
  begin(holding: Holding, timeMs: number): void {
    const { market, account } = holding
    const { style, role } = account.agent
    if (role === 'maker' || role === 'liquidated' || account.awaitsLiquidation) return
    const isSame = this.planTime(holding, timeMs, timeMs)
    if (!market.isPerp) return
    const deviation = market.memory.deviation(style.holdMs)
    // Nobody aims at less than trading costs.
    const least = Math.max(SPREADS_MIN * halfSpread(market), FEES_MIN * usualFee(account.agent))
    const away = (deviations: number) => Math.max(deviations * deviation, least)
    holding.targetPx = this.level(holding, away(style.target), true)
    holding.stopPx = this.level(holding, away(style.stop), false)
    this.arm(holding, holding.targetPx, true, timeMs, isSame)
    this.arm(holding, holding.stopPx, false, timeMs, isSame)
  }

  /** Plans the way out of a position that has been open since some instant. */
  resume(holding: Holding, openMs: number, timeMs: number): void {
    const { market, account } = holding
    const { style, role } = account.agent
    if (role === 'maker' || !holding.position) return
    const isSame = this.planTime(holding, openMs, timeMs)
    if (!market.isPerp) return
    const deviation = market.memory.deviation(style.holdMs)
    const away = (deviations: number) =>
      Math.max(deviations * deviation, SPREADS_MIN * halfSpread(market))
    // Where he means to leave was planned from the price at which he came.
    const entry =
      Math.abs(raw(holding.cost) / raw(holding.sz) / market.value(size(1))) * raw(market.px)
    holding.targetPx ??= this.ahead(holding, away(style.target), true, entry)
    holding.stopPx ??= this.ahead(holding, away(style.stop), false, entry)
    this.arm(holding, holding.targetPx, true, timeMs, isSame)
    this.arm(holding, holding.stopPx, false, timeMs, isSame)
  }

  /** A level planned from an entry price; from the present one where that has been passed. */
  private ahead(holding: Holding, away: number, gains: boolean, entry: number): number | null {
    const px = this.level(holding, away, gains, entry)
    const up = holding.sz > ZERO === gains
    if (px === null || px > raw(holding.market.px) === up) return px
    return this.level(holding, away, gains)
  }

  /** Has the owner leave when his time is over; answers whether the position is still the same. */
  private planTime(holding: Holding, openMs: number, timeMs: number): () => boolean {
    const { style } = holding.account.agent
    const position = holding.position?.id
    const isSame = () => holding.position?.id === position
    const holdMs = Math.max(3_000, style.holdMs * Math.exp(TIME_SPREAD * this.random.normal()))
    const dueMs = Math.floor(openMs + holdMs)
    // Whose time is over already leaves within a while.
    const lateMs = () => timeMs + Math.ceil(this.random.unit() * style.holdMs)
    this.acting.tasks.put(dueMs >= timeMs ? dueMs : lateMs(), (_, runMs) => {
      if (isSame()) this.leaveInTime(holding, isSame, QUOTES, runMs)
    })
    return isSame
  }

  /** Leaves because time is over: the patient offer some times, and take what there is at last. */
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

  /** Price at a gain or a loss of so much; null where none is planned. */
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

  /** Closes it, all or half; at a price of its own where one is given. */
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

  private half(held: Sz, lot: number): Sz {
    return size(Math.floor(raw(held) / 2 / lot) * lot)
  }
}

/** What an order of somebody's usually costs, as a part of its value. */
function usualFee({ style, takerRate, makerRate, builder }: Agent): number {
  const { patience } = style
  const rate = patience * raw(makerRate) + (1 - patience) * raw(takerRate)
  return (Math.max(0, rate) + (builder ? raw(builder.rate) : 0)) / 1e6
}

/** The stop or target of a position that rests for a price. */
const triggerAt = ({ triggers }: Holding, px: number): LiveOrder | undefined =>
  triggers.find(
    ({ endMs, triggerPx }) => endMs === null && triggerPx !== null && raw(triggerPx) === px,
  )

/** It becomes a market order: filled from now on, and not cancelled with what it closes. */
function fireTrigger(venue: Venue, holding: Holding, order: LiveOrder, timeMs: number): void {
  const held = absolute(holding.sz)
  if (held === ZERO || holding.account.awaitsLiquidation) return
  holding.triggers = holding.triggers.filter((one) => one !== order)
  const side = holding.sz > ZERO ? 'A' : 'B'
  const sz = lesser(held, subtract(order.origSz, order.filledSz))
  venue.submit({ holding, side, sz, reduceOnly: true, limitPx: null, order }, timeMs)
}
