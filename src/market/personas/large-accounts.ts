/** The upper end of a venue's accounts: whale-sized positions, their margins and their exits. */
import { HOUR_MS, MINUTE_MS } from '../../clock/instant.ts'
import { raw, sz as size, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import type { MarketPast } from '../casting/history/past.ts'
import { logUniform } from '../synth/distributions.ts'
import type { PersonaPlanner, PersonaTrader, PlannedOrder } from './persona-planner.ts'

/** Number of accounts, and of most-traded markets among which each has its own. */
const ACCOUNTS = 150
const MARKETS = 12
/** Number of markets of an account, and the ratio by which each is rarer than the previous. */
const HELD = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7]
const RARER = 0.8
/** Positions in markets beyond so many are smaller by their turnover. */
const LIQUID = 4
/** Part of the accounts on isolated margin, by the number of their markets. */
const ISOLATED = [0.12, 0.3, 0.6]
/** Values of positions: a power law from above a whale's minimum. */
const LEAST_USD = 1_250_000
const MOST_USD = 14_000_000
const EXPONENT = 1.3
/** Part of the positions that are smaller than that, by up to so many powers of ten. */
const SMALL = { part: 0.2, powers: 2 }
/** Leverages with the whole equity behind the positions, after what these have lost at worst. */
const LEVERAGES = [3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25]
/** Leverage limit of accounts from this total value on. */
const LARGEST = { fromUsd: 12_000_000, leverage: 10 }
const SPARE = 1.25
/** Part of the accounts that keep much in cash: their equity is a power law as well. */
const RICH = 0.08
const EQUITY = { leastUsd: 1_400_000, exponent: 1.8, mostUsd: 25_000_000 }
/** Number of accounts with a running TWAP when the tape begins. */
const TWAPS = 12

/**
 * Plans accounts with whale-sized positions held for weeks: the upper end of a venue's accounts,
 * too rare among some hundred drawn traders.
 */
export function planLargeAccounts(planner: PersonaPlanner): void {
  const { random } = planner
  const traded = planner.perps.slice(0, MARKETS)
  for (let at = 0; at < ACCOUNTS; at++) {
    const markets = drawMarkets(traded, at < TWAPS, random)
    const values = markets.map((past) => drawValue(planner) * shareOf(traded, past))
    const plans = markets.map((past, place) => positions(planner, past, values[place] as number))
    const orders = plans.flat()
    const total = values.reduce((sum, value) => sum + value, 0)
    const lost = plans.reduce((sum, plan) => sum + worstLoss(planner, plan), 0)
    const most = total < LARGEST.fromUsd ? Number.POSITIVE_INFINITY : LARGEST.leverage
    const leverage = Math.min(most, random.pick(LEVERAGES))
    const needed = (SPARE * total) / leverage + LOSS_SPARE * lost
    const usd = random.chance(RICH) ? Math.max(needed, drawEquity(planner)) : needed
    // Margins of single positions bear their losses as well.
    const granted = Math.max(1, Math.floor((SPARE * total) / needed))
    const trader = planner.trader(null, 'whale', usd, granted, isIsolated(random, markets.length))
    trader.plan(orders)
    for (const past of markets) planExits(planner, trader, past, total / needed)
    const [past] = markets
    if (past && at < TWAPS) planTwap(planner, trader, past)
  }
}

const isIsolated = (random: RandomSource, markets: number) =>
  random.chance(ISOLATED[Math.min(markets, ISOLATED.length) - 1] as number)

/** Markets of an account, with the most traded one among them where it must be. */
function drawMarkets(
  traded: readonly MarketPast[],
  withFirst: boolean,
  random: RandomSource,
): MarketPast[] {
  const count = Math.min(traded.length, random.pick(HELD))
  const found = new Set(withFirst ? traded.slice(0, 1) : [])
  while (found.size < count)
    for (const past of traded) {
      if (found.size === count) break
      if (random.chance(1 - RARER)) found.add(past)
    }
  return [...found]
}

/** Part of a usual value that a position in a market has. */
function shareOf(traded: readonly MarketPast[], { market }: MarketPast): number {
  const least = traded[Math.min(LIQUID, traded.length) - 1]?.market.survey.usdPerSecond ?? 0
  return Math.min(1, market.survey.usdPerSecond / least)
}

function drawValue({ random }: PersonaPlanner): number {
  if (random.chance(SMALL.part)) return LEAST_USD * 10 ** (-SMALL.powers * random.unit())
  return Math.min(MOST_USD, LEAST_USD * (1 - random.unit()) ** (-1 / EXPONENT))
}

/** Instants at which what is lost is looked at, and spare equity for what lies between them. */
const LOOKS = 120
const LOSS_SPARE = 1.1

/** What the orders of a market have lost at worst until the tape begins, dollars. */
function worstLoss({ startMs }: PersonaPlanner, orders: readonly PlannedOrder[]): number {
  const [first] = orders
  if (!first) return 0
  const { past } = first
  const [fromMs] = orders.map(({ timeMs }) => timeMs).sort((a, b) => a - b) as [number]
  let worst = 0
  for (let nth = 1; nth <= LOOKS; nth++) {
    const atMs = fromMs + ((startMs - fromMs) * nth) / LOOKS
    const now = raw(past.pxAt(atMs))
    const gained = orders
      .filter(({ timeMs }) => timeMs < atMs)
      .reduce((sum, { timeMs, side, sz: part }) => {
        const moved = now / raw(past.pxAt(timeMs)) - 1
        const usd = past.market.value(part) / 1e6
        return sum + (side === 'B' ? usd : -usd) * moved
      }, 0)
    worst = Math.max(worst, -gained)
  }
  return worst
}

/** Accounts with exits that rest at the venue, and of these those with either one. */
const EXITS = { part: 0.7, stop: 0.7, target: 0.65 }
/** Latest hours before the tape in which they are placed. */
const EXITS_PLACED_H = 60
/** Distances of stops and targets from the price; no stop lies beyond a part of the margin. */
const STOP_AWAY = [0.035, 0.14] as const
const TARGET_AWAY = [0.04, 0.3] as const
const STOP_WITHIN = 0.6

/** Plans a stop and a target that wait for the price when the tape begins. */
function planExits(
  { context, startMs, random }: PersonaPlanner,
  trader: PersonaTrader,
  past: MarketPast,
  leverage: number,
): void {
  if (!random.chance(EXITS.part)) return
  const atMs = startMs - Math.ceil((0.2 + EXITS_PLACED_H * random.unit() ** 2) * HOUR_MS)
  const stop = Math.min(logUniform(random, ...STOP_AWAY), STOP_WITHIN / Math.max(1, leverage))
  const exits = {
    stop: random.chance(EXITS.stop) ? stop : null,
    target: random.chance(EXITS.target) ? logUniform(random, ...TARGET_AWAY) : null,
  }
  context.tasks.put(atMs, (_, timeMs) => {
    context.venue.updatePrice(past.market, timeMs)
    const holding = trader.holding(past)
    if (holding.sz !== ZERO) context.passiveOrders.placeExits(holding, exits, timeMs)
  })
}

function drawEquity({ random }: PersonaPlanner): number {
  const { leastUsd, exponent, mostUsd } = EQUITY
  return Math.min(mostUsd, leastUsd * (1 - random.unit()) ** (-1 / exponent))
}

/** A position that is open now, and often one that was closed before. */
function positions(planner: PersonaPlanner, past: MarketPast, usd: number): PlannedOrder[] {
  const { random, startMs, dayMs } = planner
  const openDay = 0.5 + 16 * random.unit()
  const orders = parts(planner, past, startMs - openDay * dayMs, usd, random.chance(0.5))
  if (random.chance(0.5)) return orders
  const buys = random.chance(0.5)
  const closeDay = openDay + 1 + 3 * random.unit()
  const before = usd * (0.9 + 0.4 * random.unit())
  const opening = parts(
    planner,
    past,
    startMs - (closeDay + 1 + 6 * random.unit()) * dayMs,
    before,
    buys,
  )
  const closing = opening.map(({ sz }, at) => ({
    past,
    timeMs: Math.floor(startMs - closeDay * dayMs) + at * 7 * MINUTE_MS,
    side: buys ? ('A' as const) : ('B' as const),
    sz,
  }))
  return [...opening, ...closing, ...orders]
}

/** Splits an entry into orders within hours. */
function parts(
  { random }: PersonaPlanner,
  past: MarketPast,
  fromMs: number,
  usd: number,
  buys: boolean,
): PlannedOrder[] {
  const count = random.between(2, 4)
  const lot = raw(past.market.survey.lot)
  const part = Math.ceil(raw(past.market.sizeFor(usd * 1e6)) / count / lot) * lot
  const stepMs = (4 * HOUR_MS) / count
  return Array.from({ length: count }, (_, at) => ({
    past,
    timeMs: Math.floor(fromMs + (at + 0.8 * random.unit()) * stepMs),
    side: buys ? 'B' : 'A',
    sz: size(part),
  }))
}

/** Adds a little by a TWAP that still runs when the tape begins. */
function planTwap(
  { context, startMs, random }: PersonaPlanner,
  trader: PersonaTrader,
  past: MarketPast,
) {
  context.tasks.put(startMs - random.between(3, 15) * MINUTE_MS, (_, timeMs) => {
    const holding = trader.holding(past)
    const side = raw(holding.sz) > 0 ? 'B' : 'A'
    const sz = past.market.sizeFor(random.between(40, 200) * 1e9)
    const minutes = random.pick([60, 90, 120, 240])
    context.twaps.start({ holding, side, sz, minutes, reduceOnly: false, share: 1 }, timeMs)
  })
}
