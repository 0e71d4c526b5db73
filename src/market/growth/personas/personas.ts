import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { absolute, add, raw, type Sz, sz as size, times, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Agent } from '../../casting/agents/agent.ts'
import type { CastingContext } from '../../casting/casting-context.ts'
import type { Holding, MarketState } from '../../casting/market/market-state.ts'
import { quotedPx, quoteOnce } from '../../casting/market/quoted-price.ts'
import type { LiveOrder } from '../../casting/matching/order-manager.ts'
import { BUSIEST } from '../../casting/personas/busiest.ts'
import { MAKER } from '../../casting/personas/market-maker.ts'
import { keepDistance, OVER_LEVERAGED, startMoney } from '../../casting/personas/over-leveraged.ts'
import type { OrderValue } from '../../casting/personas/persona-desk.ts'
import { STAR } from '../../casting/personas/star.ts'
import { WHALE } from '../../casting/personas/whale.ts'
import type { Persona } from '../../schema/schema.ts'

const QUOTE_MS = 12_000
/** Both sides are offered for so long at most, until one of them is met. */
const OFFERED_MS = 12 * MINUTE_MS
const WINDOW = { periodMs: HOUR_MS, within: 0.7 }

/** Offers both sides now and then, and then the other side of what it holds. Takes nothing. */
function goOnAsMarketMaker(day: PersonaDay): void {
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
        // Who has bought offers what he has.
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

/** Has orders rest on each side of the price, some way off, where it has none. */
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

/** Of so many positions one after the other, so many are closed with a gain. */
const BLOCK = { positions: 10, wins: 7 }
/** Gains and losses at which a position is closed that is old enough, as parts of its cost. */
const GAIN = 0.005
const LOSS = 0.002
/** Parts of its time: from when on it may be closed, and when it is whatever it has come to. */
const AGE = { least: 0.3, most: 8 }
const LOOK_MS = 5 * MINUTE_MS

/** Goes with the price, and waits until a position has come to what it should: 7 of 10 gain. */
function goOnAsStar(day: PersonaDay): void {
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
/** When in a cycle, counted from the tape's beginning, it is taken down and the next one built. */
const TAKEN_DOWN_MS = 1 * DAY_MS
const BUILT_MS = 4 * DAY_MS
const PART = { everyMs: 20 * MINUTE_MS, within: 0.75 }

/** Builds positions worth millions in the largest markets and takes them down, order by order. */
function goOnAsWhale(day: PersonaDay): void {
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

/** After a liquidation it is back within hours. */
const RETURN = { periodMs: 3 * HOUR_MS, within: 1 }
/** Distances are looked at so often besides. */
const LOOK = { periodMs: HOUR_MS, within: 0.05 }
/** How long an order takes to be filled. */
const FILLED_MS = MINUTE_MS

/** Keeps a position on as little margin as it can; opens another one when that is lost. */
function goOnAsOverLeveraged(day: PersonaDay): void {
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

/** Never stops: turns in one market, works a position in another, and sweeps money in and out. */
function goOnAsBusiest(day: PersonaDay): void {
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

/** A small trade every other day, which is over within hours. */
function goOnAsBeginner(day: PersonaDay): void {
  const [market] = day.perps
  if (!market) return
  day.each('trade', PERIOD, (timeMs, nth) => {
    const holding = day.holding(market)
    const side = day.draws('side', nth).chance(0.6) ? 'B' : 'A'
    if (holding.sz === ZERO) day.take(holding, side, day.size(market, VALUE), timeMs)
  })
  // Looked at every hour, so that nothing need be known of when it was opened but the row.
  day.each('look', { periodMs: HOUR_MS, within: 1 }, (timeMs, nth) => {
    const holding = day.holding(market)
    const heldMs = timeMs - (holding.position?.openMs ?? timeMs)
    const isOver = heldMs > HELD_MOST_H * HOUR_MS || day.draws('end', nth).chance(0.2)
    if (heldMs > HOUR_MS && isOver) day.close(holding, timeMs)
  })
}

/** Who works TWAPs goes on as all do who do that; two have stopped, or never began. */
const GOING_ON: Partial<Record<Persona, (day: PersonaDay) => void>> = {
  star: goOnAsStar,
  whale: goOnAsWhale,
  marketMaker: goOnAsMarketMaker,
  overLeveraged: goOnAsOverLeveraged,
  beginner: goOnAsBeginner,
  busiest: goOnAsBusiest,
}

/** Has the personas go on in their manner, as far as a segment goes. */
export function goOnAsPersonas(context: CastingContext, times: PersonaTimes): void {
  for (const agent of context.agents.all) {
    const goOn = agent.persona && GOING_ON[agent.persona]
    if (goOn) goOn(new PersonaDay(context, agent, times))
  }
}

/** When a segment is grown, and what its instants are counted from. */
interface PersonaTimes {
  /** When the tape began. */
  originMs: number
  fromMs: number
  toMs: number
}

/**
 * What a persona that goes on plans by. When it acts follows from its address and from the instant,
 * so that it does not matter where a segment begins.
 */
class PersonaDay {
  /** Perpetuals of the main dex: the most traded first. */
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

  /** What is drawn for the n-th time that something is done. */
  draws(what: string, nth: number): RandomSource {
    return this.habits.fork(`${what} ${nth}`)
  }

  /** Acts once in each period since the tape began, somewhere in its first part. */
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

  /** A size in proportion to what is traded in a market. */
  size(market: MarketState, { ofHour, leastUsd, mostUsd }: OrderValue): Sz {
    const usd = 3600 * market.survey.usdPerSecond * ofHour
    return market.sizeFor(Math.min(mostUsd * 1e6, Math.max(leastUsd * 1e6, usd)))
  }

  /** Takes what there is. */
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

  /** What a position has gained by now, as a part of what it cost. */
  gained({ market, sz, cost }: Holding): number {
    const paid = Math.abs(raw(cost))
    return paid === 0 ? 0 : (Math.sign(raw(sz)) * (Math.abs(market.value(sz)) - paid)) / paid
  }
}
