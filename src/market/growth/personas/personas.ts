import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../clock/instant.ts'
import { absolute, add, raw, type Sz, sz as size, times, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Agent } from '../../casting/agents/agents.ts'
import type { CastingContext } from '../../casting/casting-context.ts'
import type { Holding, MarketState } from '../../casting/market/market-state.ts'
import { quotedPx, quoteOnce } from '../../casting/market/market-state.ts'
import type { LiveOrder } from '../../casting/matching/order-manager.ts'
import { BUSIEST } from '../../casting/personas/busiest.ts'
import { MAKER } from '../../casting/personas/market-maker.ts'
import { keepDistance, OVER_LEVERAGED, startMoney } from '../../casting/personas/over-leveraged.ts'
import type { OrderValue } from '../../casting/personas/persona-planner.ts'
import { STAR } from '../../casting/personas/star.ts'
import { WHALE } from '../../casting/personas/whale.ts'
import type { Persona } from '../../schema/schema.ts'

const QUOTE_MS = 12_000
/** Longest time that both sides are quoted, until one of them is filled. */
const OFFERED_MS = 12 * MINUTE_MS
const WINDOW = { periodMs: HOUR_MS, within: 0.7 }

/** Quotes both sides at times, and then the other side of its position. Never takes. */
function continueMarketMaker(day: PersonaDay): void {
  for (const market of day.perps.slice(0, MAKER.markets)) {
    let offersUntilMs = 0
    const holding = day.holding(market)
    const name = `of ${market.row.coin}`
    const whole = day.size(market, MAKER.value)
    day.each(`window ${name}`, WINDOW, (timeMs) => {
      offersUntilMs = timeMs + OFFERED_MS
    })
    day.each(`quote ${name}`, { periodMs: QUOTE_MS, within: 0.5 }, (timeMs) => {
      if (holding.sz !== ZERO) {
        // A maker that has bought quotes its position.
        offersUntilMs = 0
        const side = holding.sz > ZERO ? 'A' : 'B'
        quoteOnce(day.context.venue, holding, side, absolute(holding.sz), timeMs)
      } else if (timeMs < offersUntilMs) {
        const offer = (side: 'B' | 'A') => ({ px: quotedPx(market, side), sz: whole })
        day.context.venue.quote({ holding, bid: offer('B'), ask: offer('A') }, timeMs)
      }
    })
    day.each(`rest ${name}`, { periodMs: HOUR_MS, within: 1 }, (timeMs) =>
      restOrders(day, market, timeMs),
    )
  }
}

/** Places missing orders on each side, away from the price. */
function restOrders({ context, agent }: PersonaDay, market: MarketState, timeMs: number): void {
  const isOwn = (one: LiveOrder) => one.owner === agent && one.endMs === null
  for (const side of ['B', 'A'] as const) {
    if (market.passiveOrders.some((one) => isOwn(one) && one.side === side)) continue
    for (const away of MAKER.resting.away) {
      const limitPx = market.onTick(raw(market.px) * (1 + (side === 'B' ? -away : away)))
      const origSz = market.sizeFor(MAKER.resting.usd)
      context.passiveOrders.place(agent, market, { timeMs, side, limitPx, origSz, tif: 'Alo' })
    }
  }
}

/** Of each ten successive positions, so many close with a gain. */
const BLOCK = { positions: 10, wins: 7 }
/** Gains and losses at which an old enough position is closed, as fractions of its cost. */
const GAIN = 0.005
const LOSS = 0.002
/** Fractions of its time: from when on it may be closed, and when it always is. */
const AGE = { least: 0.3, most: 8 }
const LOOK_MS = 5 * MINUTE_MS

/**
 * Follows the trend, and holds each position until it reaches its intended result: 7 of 10 gain.
 */
function continueStar(day: PersonaDay): void {
  const markets = day.perps.slice(0, STAR.markets)
  const periodMs = (STAR.days * DAY_MS * markets.length) / STAR.positions
  for (const [at, market] of markets.entries()) {
    const name = `of ${market.row.coin}`
    day.each(`opening ${name}`, { periodMs, within: 0.25 }, (timeMs) => {
      const holding = day.holding(market)
      if (holding.sz === ZERO)
        day.take(holding, sideOf(market), day.size(market, STAR.value), timeMs)
    })
    day.each(`look ${name}`, { periodMs: LOOK_MS, within: 1 }, (timeMs) => {
      const holding = day.holding(market)
      if (!holding.position) return
      const { openMs } = holding.position
      const nth = Math.floor((openMs - day.times.originMs) / periodMs) * markets.length + at
      const gained = day.gained(holding)
      const isDone = isWin(day, nth) ? gained > GAIN : gained < -LOSS
      const age = (timeMs - openMs) / periodMs
      if ((isDone && age > AGE.least) || age > AGE.most) day.close(holding, timeMs)
    })
  }
}

const sideOf = (market: MarketState) =>
  market.memory.returnOver(60, raw(market.px)) >= 0 ? 'B' : 'A'

/** Whether the n-th position is to gain. */
function isWin(day: PersonaDay, nth: number): boolean {
  const block = Math.floor(nth / BLOCK.positions)
  const draws = day.draws('outcomes', block)
  const order = Array.from({ length: BLOCK.positions }, (_, place) => ({
    place,
    drawn: draws.unit(),
  })).sort((a, b) => a.drawn - b.drawn)
  const { place } = order[nth - block * BLOCK.positions] as { place: number }
  return place < BLOCK.wins
}

/** A position is held for a week, and none for three days. */
const CYCLE_MS = 10 * DAY_MS
/**
 * Time in a cycle, from the tape's beginning, at which a position is closed and the next one built.
 */
const TAKEN_DOWN_MS = 1 * DAY_MS
const BUILT_MS = 4 * DAY_MS
const PART = { everyMs: 20 * MINUTE_MS, within: 0.75 }

/** Builds positions worth millions in the largest markets and closes them, order by order. */
function continueWhale(day: PersonaDay): void {
  for (const market of day.perps.slice(0, WHALE.markets))
    day.each(`part of ${market.row.coin}`, partOf(), (timeMs, nth) => {
      const sinceMs = nth * PART.everyMs
      const cycle = Math.floor(sinceMs / CYCLE_MS)
      const draws = day.draws(`cycle of ${market.row.coin}`, cycle)
      const lateMs = draws.between(0, 20) * 60 * MINUTE_MS
      const buys = draws.chance(0.5)
      const inCycleMs = sinceMs - cycle * CYCLE_MS - lateMs
      const holding = day.holding(market)
      const down = Math.floor((inCycleMs - TAKEN_DOWN_MS) / PART.everyMs)
      if (down >= 0 && down < WHALE.parts && holding.sz !== ZERO)
        day.close(
          holding,
          timeMs,
          size(Math.ceil(raw(absolute(holding.sz)) / (WHALE.parts - down))),
        )
      const up = Math.floor((inCycleMs - BUILT_MS) / PART.everyMs)
      if (up < 0 || up >= WHALE.parts) return
      const lot = raw(market.survey.lot)
      const part = Math.floor(raw(day.size(market, WHALE.value)) / WHALE.parts / lot) * lot
      day.take(holding, buys ? 'B' : 'A', size(Math.max(lot, part)), timeMs)
    })
}

const partOf = () => ({ periodMs: PART.everyMs, within: PART.within })

/** After a liquidation it opens a position again within hours. */
const RETURN = { periodMs: 3 * HOUR_MS, within: 1 }
/** Additional schedule of distance checks. */
const LOOK = { periodMs: HOUR_MS, within: 0.05 }
/** Time for an order to be filled. */
const FILLED_MS = MINUTE_MS

/** Keeps a position on minimal margin; opens another one after a liquidation. */
function continueOverLeveraged(day: PersonaDay): void {
  const { context, agent } = day
  const [market] = day.perps.toSorted((a, b) => b.row.maxLeverage - a.row.maxLeverage)
  const held = context.markets
    .map(({ holdings }) => holdings.get(agent.id))
    .find((holding) => holding?.position)
  day.each('distance', LOOK, (timeMs) => {
    if (held?.position) keepDistance(context, held, timeMs)
  })
  if (!market) return
  day.each('return', RETURN, (timeMs, nth) => {
    const holding = day.holding(market)
    if (holding.position || held?.position) return
    const sz = day.size(market, OVER_LEVERAGED.value)
    const long = day.draws('side', nth).chance(0.5)
    const { ledger, tasks } = context
    const { account } = holding
    holding.leverage = market.row.maxLeverage
    holding.isolated = false
    ledger.depositUsd(account, startMoney(market, sz, long), Math.max(timeMs, account.lastMs))
    day.take(holding, long ? 'B' : 'A', sz, timeMs)
    tasks.put(timeMs + FILLED_MS, (_, dueMs) => {
      if (raw(holding.sz) !== 0) keepDistance(context, holding, dueMs)
    })
  })
}

/** Reverses constantly in one market, works a position in another, and sweeps money in and out. */
function continueBusiest(day: PersonaDay): void {
  const [first, second = first] = day.perps
  if (!first || !second) return
  const unit = (of: typeof first) => day.size(of, BUSIEST.value)
  if (second !== first)
    day.each('turn', { periodMs: BUSIEST.reversalMs, within: 0.8 }, (timeMs) => {
      const holding = day.holding(second)
      const sz = add(absolute(holding.sz), unit(second))
      day.take(holding, holding.sz > ZERO ? 'A' : 'B', sz, timeMs)
    })
  day.each('execution', { periodMs: BUSIEST.executionMs, within: 0.02 }, (timeMs, nth) => {
    const holding = day.holding(first)
    const isSmall = holding.sz < times(unit(first), BUSIEST.heldUnits / 2)
    const sz = isSmall ? times(unit(first), BUSIEST.heldUnits) : unit(first)
    day.take(holding, isSmall || nth % 2 === 0 ? 'B' : 'A', sz, timeMs)
  })
  day.each('sweep', { periodMs: BUSIEST.reversalMs, within: 0 }, (timeMs, nth) => {
    const { ledger } = day.context
    const account = ledger.account(day.agent, '')
    const dueMs = Math.max(timeMs, account.lastMs)
    if (nth % 2 === 0) ledger.deposit(account, BUSIEST.sweepUsd, dueMs)
    else if (account.cash > BUSIEST.sweepUsd) ledger.withdraw(account, BUSIEST.sweepUsd, dueMs)
  })
}

const VALUE = { ofHour: 0, leastUsd: 60, mostUsd: 60 }
const PERIOD = { periodMs: 2 * DAY_MS, within: 0.5 }
const HELD_MOST_H = 12

/** Makes a small trade every other day, closed within hours. */
function continueBeginner(day: PersonaDay): void {
  const [market] = day.perps
  if (!market) return
  day.each('trade', PERIOD, (timeMs, nth) => {
    const holding = day.holding(market)
    const side = day.draws('side', nth).chance(0.6) ? 'B' : 'A'
    if (holding.sz === ZERO) day.take(holding, side, day.size(market, VALUE), timeMs)
  })
  // Checked every hour, so that the position's row is all the state it needs.
  day.each('look', { periodMs: HOUR_MS, within: 1 }, (timeMs, nth) => {
    const holding = day.holding(market)
    const heldMs = timeMs - (holding.position?.openMs ?? timeMs)
    const isOver = heldMs > HELD_MOST_H * HOUR_MS || day.draws('end', nth).chance(0.2)
    if (heldMs > HOUR_MS && isOver) day.close(holding, timeMs)
  })
}

/** TWAP traders continue like all of their kind; two personas have stopped, or never began. */
const CONTINUATIONS: Partial<Record<Persona, (day: PersonaDay) => void>> = {
  star: continueStar,
  whale: continueWhale,
  marketMaker: continueMarketMaker,
  overLeveraged: continueOverLeveraged,
  beginner: continueBeginner,
  busiest: continueBusiest,
}

/** Continues the personas' behaviour to the end of a segment. */
export function continuePersonas(context: CastingContext, times: PersonaTimes): void {
  for (const agent of context.agents.all) {
    const continueDay = agent.persona && CONTINUATIONS[agent.persona]
    if (continueDay) continueDay(new PersonaDay(context, agent, times))
  }
}

/** Span of a segment, and the origin of its instants. */
interface PersonaTimes {
  /** Start of the tape. */
  originMs: number
  fromMs: number
  toMs: number
}

/**
 * Schedule of a continuing persona. Its times follow from its address and the instant, so they do
 * not depend on segment boundaries.
 */
class PersonaDay {
  /** Main-dex perpetuals, most traded first. */
  readonly perps: readonly MarketState[]
  private readonly habits: RandomSource

  constructor(
    readonly context: CastingContext,
    readonly agent: Agent,
    readonly times: PersonaTimes,
  ) {
    this.habits = context.agents.habitsOf(agent)
    this.perps = context.markets
      .filter(({ isPerp, row, px }) => isPerp && row.dex === '' && px !== ZERO)
      .sort((a, b) => b.survey.usdPerSecond - a.survey.usdPerSecond)
  }

  /** Random source of the n-th occurrence of an action. */
  draws(what: string, nth: number): RandomSource {
    return this.habits.fork(`${what} ${nth}`)
  }

  /** Acts once in each period since the tape began, at an instant in its first part. */
  each(
    what: string,
    { periodMs, within }: { periodMs: number; within: number },
    act: (timeMs: number, nth: number) => void,
  ): void {
    const { originMs, fromMs, toMs } = this.times
    const last = Math.floor((toMs - originMs) / periodMs)
    for (let nth = Math.floor((fromMs - originMs) / periodMs); nth <= last; nth++) {
      const part = within * this.draws(`${what} at`, nth).unit()
      const timeMs = Math.floor(originMs + (nth + part) * periodMs)
      if (timeMs > fromMs && timeMs <= toMs) this.context.tasks.put(timeMs, () => act(timeMs, nth))
    }
  }

  holding(market: MarketState): Holding {
    return this.context.ledger.holding(this.agent, market)
  }

  /** A size in proportion to a market's turnover. */
  size(market: MarketState, { ofHour, leastUsd, mostUsd }: OrderValue): Sz {
    const usd = 3600 * market.survey.usdPerSecond * ofHour
    return market.sizeFor(Math.min(mostUsd * 1e6, Math.max(leastUsd * 1e6, usd)))
  }

  /** Submits a market order. */
  take(holding: Holding, side: 'B' | 'A', sz: Sz, timeMs: number): void {
    if (sz <= ZERO || holding.account.awaitsLiquidation) return
    const closes = holding.sz !== ZERO && holding.sz > ZERO === (side === 'A')
    const reduceOnly = closes && sz <= absolute(holding.sz)
    this.context.venue.submit({ holding, side, sz, reduceOnly, limitPx: null }, timeMs)
  }

  /** Closes a position, or a part of it. */
  close(holding: Holding, timeMs: number, sz: Sz = absolute(holding.sz)): void {
    this.take(holding, holding.sz > ZERO ? 'A' : 'B', sz, timeMs)
  }

  /** Gain of a position, as a fraction of its cost. */
  gained({ market, sz, cost }: Holding): number {
    const paid = Math.abs(raw(cost))
    return paid === 0 ? 0 : (Math.sign(raw(sz)) * (Math.abs(market.value(sz)) - paid)) / paid
  }
}
