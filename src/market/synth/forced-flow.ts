import { randomSource } from '../../random/random-source.ts'
import type { DerivativeMetrics } from './derivative-metrics.ts'
import type { ForcedOrder } from './effects/forced-order.ts'
import type { FairPrice } from './fair-price.ts'
import type { LiquidationCascade } from './market-regime.ts'
import type { MarketState } from './market-state.ts'
import type { OrderMatching } from './order-matching.ts'
import { type PlannedLiquidation, plannedLiquidations } from './planned-liquidations.ts'
import { tickBp } from './price-grid.ts'
import type { Publications } from './publications.ts'
import type { Quoting } from './quoting.ts'
import type { SubmittedOrder } from './submitted-order.ts'
import { type BookSide, OUTWARD_STEP, type SynthBook } from './synth-book.ts'
import type { SynthEvent, TakerSide } from './synth-event.ts'
import type { TaskSchedule } from './task-schedule.ts'
import { UsualLiquidations } from './usual-liquidations.ts'

/** How far from the best price an order from outside goes, as a part of it. */
const SLIPPAGE = 0.03
/** The same of one that closes a position by force: the rest waits until the book is full again. */
const CLOSING_SLIPPAGE = 0.0025
const WHOLE_BOOK = Number.POSITIVE_INFINITY

/** Orders that an instrument's takers do not decide on: liquidations, and those from outside. */
export class ForcedFlow {
  private readonly usual: UsualLiquidations | null
  /** Ticks that a price consists of, where the market began. */
  private readonly ticksOfPrice: number

  constructor(
    private readonly state: MarketState,
    private readonly book: SynthBook,
    private readonly price: FairPrice,
    private readonly metrics: DerivativeMetrics,
    private readonly matching: OrderMatching,
    private readonly quoting: Quoting,
    private readonly publications: Publications,
    private readonly schedule: TaskSchedule,
    private readonly startMs: number,
  ) {
    const { closings, profile } = state
    this.ticksOfPrice = 10_000 / tickBp(profile)
    this.usual = closings && new UsualLiquidations(profile, closings)
  }

  /** Plans the liquidations of a cascade once; `key` names what is drawn. */
  plan(cascade: LiquidationCascade, nowMs: number, key: string): void {
    const { state } = this
    if (cascade.toMs <= state.plannedUntilMs) return
    state.plannedUntilMs = cascade.toMs
    const random = randomSource(key, `forced ${cascade.fromMs}`)
    const planned = plannedLiquidations(state.profile, cascade, this.price.lotDollars(), random)
    this.add(planned.filter(({ atMs }) => atMs >= nowMs))
  }

  /** Plans those of the minute that begins now, outside cascades, if there are any. */
  planMinute(nowMs: number): void {
    const { usual, price } = this
    if (!usual) return
    const log = Math.log(price.dollars())
    this.metrics.onMinute(log)
    this.add(usual.ofMinute(nowMs, log, price.lotDollars()))
  }

  private add(planned: readonly PlannedLiquidation[]): void {
    const { state } = this
    if (planned.length === 0) return
    state.liquidations = [...state.liquidations, ...planned].sort((a, b) => a.atMs - b.atMs)
    this.schedule.set('liquidation', state.liquidations[0]?.atMs)
  }

  /** Carries out the liquidation that is due. */
  liquidateNext(ms: number, events: SynthEvent[]): void {
    const { liquidations } = this.state
    const plan = liquidations.shift()
    this.schedule.set('liquidation', liquidations[0]?.atMs)
    if (plan) this.liquidate(ms, plan.position, plan.lots, events)
  }

  /** An order from outside. */
  submit(ms: number, order: SubmittedOrder, events: SynthEvent[]): void {
    this.trade(ms, order, order.liquidates ? CLOSING_SLIPPAGE : SLIPPAGE, events)
  }

  private trade(
    ms: number,
    { side, lots, tag, liquidates }: Omit<SubmittedOrder, 'coin'>,
    slippage: number,
    events: SynthEvent[],
  ): void {
    const taken = this.takeable(ms, side, lots, slippage, events)
    if (liquidates) this.metrics.onLiquidation(taken.lots)
    else this.metrics.onTrade(taken.lots)
    if (this.matching.match(this.startMs + ms, { ...taken, tag }, events)) this.quoting.hasten(ms)
  }

  /** An order that a market event brings about. */
  force(ms: number, order: ForcedOrder, events: SynthEvent[]): void {
    const { side, usd, liquidates, tag } = order
    const lots = Math.max(1, Math.round(usd / this.price.lotDollars()))
    if (liquidates) this.liquidate(ms, liquidates, lots, events, tag)
    else this.trade(ms, { side, lots, tag }, WHOLE_BOOK, events)
  }

  /** A liquidation: the mark that triggers it, the liquidation itself, and its trades. */
  private liquidate(
    ms: number,
    position: 'long' | 'short',
    wanted: number,
    events: SynthEvent[],
    tag?: number,
  ): void {
    const taken = this.takeable(ms, position === 'long' ? 'A' : 'B', wanted, WHOLE_BOOK, events)
    const { lots } = taken
    const timeMs = this.startMs + ms
    const published = this.publications.mark(timeMs)
    const { mark, coin } = published
    const tids: number[] = []
    events.push(published, { kind: 'liquidation', timeMs, coin, position, lots, mark, tids })
    if (this.matching.match(timeMs, { ...taken, tag, tids }, events)) this.quoting.hasten(ms)
    this.metrics.onLiquidation(lots)
  }

  /** As much of an order as the book reaches; makers refill one that is thin before. */
  private takeable(
    ms: number,
    takerSide: TakerSide,
    lots: number,
    slippage: number,
    events: SynthEvent[],
  ): { side: BookSide; lots: number } {
    const { book } = this
    const side: BookSide = takerSide === 'B' ? 'asks' : 'bids'
    if (book.isThin(side)) this.quoting.refresh(ms, events)
    const worst = book.best(side) + OUTWARD_STEP[side] * slippage * this.ticksOfPrice
    const levels = Math.max(1, book.levelsUpTo(side, worst))
    return { side, lots: Math.min(lots, book.sizeWithin(side, levels)) }
  }
}
