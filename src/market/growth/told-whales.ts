import { MINUTE_MS } from '../../clock/durations.ts'
import { subtract } from '../../decimal/quantity.ts'
import type { Agent } from '../casting/agents/agent.ts'
import type { TwapProgram } from '../casting/agents/twap-program.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import type { Holding, MarketState } from '../casting/market/market-state.ts'
import type { TradePrint } from '../casting/matching/taker-order.ts'
import { eventEndMs, type MarketEvent, type TimedMarketEvent } from '../events/market-event.ts'
import type { TwapRow } from '../schema/schema.ts'
import { split, sumOf, type TradedOrder } from './trade-parts.ts'

/** The first of its parts has been traded by then. */
const FIRST_SLICE_MS = 30_000

type WhaleEvent = Extract<MarketEvent, { kind: 'whale' }>

/** The orders of whales that a market was told of belong to one account, whom all answers name. */
export class ToldWhales {
  /** The TWAPs that it has worked, by tag. */
  private readonly programs = new Map<number, TwapProgram>()

  constructor(
    private readonly context: CastingContext,
    private readonly told: readonly TimedMarketEvent[],
  ) {}

  private get owner(): Agent | undefined {
    const { agents } = this.context
    return agents.all.find(({ persona }) => persona === 'whale') ?? agents.of('whale')[0]
  }

  /** Gives trades of an order that a market event brought about to its owner; answers the rest. */
  take(tag: number, order: TradedOrder): readonly TradePrint[] {
    const { context, owner } = this
    const timed = this.told[-1 - tag]
    if (!owner || timed?.event.kind !== 'whale') return order.prints
    const { market, timeMs, side } = order
    const taker = context.ledger.holding(owner, market)
    const isWorked = timed.event.overS !== undefined
    const program = isWorked ? this.programOf(tag, timed, taker, order) : undefined
    if (isWorked && (!program || program.endMs !== null)) return order.prints
    const most = program ? subtract(program.sz, program.executedSz) : sumOf(order.prints)
    const [own, rest] = split(order.prints, most, context.numbers)
    const request = { market, timeMs, side, prints: own, taker, program }
    if (own.length > 0) context.matching.execute(request)
    return rest
  }

  /** Whether a TWAP that runs is one that was told: then its slices are. */
  isTold({ timeMs, trader, side, minutes }: TwapRow, { row }: MarketState): boolean {
    return this.told.some((timed) => {
      const { event, fromMs } = timed
      return (
        event.kind === 'whale' &&
        event.coin === row.coin &&
        trader === this.owner?.id &&
        side === sideOf(event) &&
        minutes === minutesOf(timed) &&
        timeMs >= fromMs &&
        timeMs <= eventEndMs(timed)
      )
    })
  }

  /** Begun with the first of its slices, for all that is to be traded. */
  private programOf(
    tag: number,
    { event, fromMs }: TimedMarketEvent,
    holding: Holding,
    { market, timeMs, side }: TradedOrder,
  ): TwapProgram | undefined {
    const { twaps } = this.context
    const known = this.programs.get(tag) ?? twaps.fed(holding, side)
    if (known || event.kind !== 'whale' || timeMs > fromMs + FIRST_SLICE_MS) return known
    const sz = market.sizeFor(event.usd * 1e6)
    const minutes = minutesOf({ event, fromMs })
    const order = { holding, side, sz, minutes, reduceOnly: false, share: 1, isFed: true }
    const program = twaps.start(order, timeMs)
    this.programs.set(tag, program)
    return program
  }
}

const sideOf = ({ side }: WhaleEvent) => (side === 'buy' ? 'B' : 'A')

/** As the venue counts: whole minutes. */
const minutesOf = (timed: Pick<TimedMarketEvent, 'event' | 'fromMs'>): number =>
  Math.max(1, Math.ceil((eventEndMs(timed) - timed.fromMs) / MINUTE_MS))
