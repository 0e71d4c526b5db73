import { HOUR_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { raw, sz as size } from '../../../decimal/quantity.ts'
import type { MarketPast } from '../history/past.ts'
import type { PersonaDesk } from './persona-desk.ts'
import type { PersonaTrader, PlannedOrder } from './persona-trader.ts'

/** How many there are, and in how many of the most traded markets each has a position. */
const ACCOUNTS = 76
const MARKETS = 4
/** Values of positions: a power law, from more than what makes a whale. */
const LEAST_USD = 1_250_000
const MOST_USD = 14_000_000
const EXPONENT = 1.3
/** Leverages of their positions, on isolated margin; equity beyond what these want. */
const LEVERAGES = [3, 4, 5, 5, 6, 8, 10, 12, 15, 20, 20]
/** From so much in all nobody dares more than this. */
const LARGEST = { fromUsd: 12_000_000, leverage: 6 }
const SPARE = 1.25
/** What they own is a power law as well; who has little at stake keeps the rest. */
const EQUITY = { leastUsd: 1_400_000, exponent: 1.8, mostUsd: 25_000_000 }
/** So many work a TWAP when the tape begins. */
const TWAPS = 12

/**
 * Accounts whose positions are worth a whale's, held for weeks: the upper end of a venue's
 * accounts, too few to be met by chance among some hundred traders.
 */
export function planLargeAccounts(desk: PersonaDesk): void {
  const markets = desk.perps.slice(0, MARKETS)
  for (let at = 0; at < ACCOUNTS; at++) {
    const values = markets.map(() => drawValue(desk))
    const total = values.reduce((sum, value) => sum + value, 0)
    const most = total < LARGEST.fromUsd ? Number.POSITIVE_INFINITY : LARGEST.leverage
    const leverage = Math.min(most, desk.random.pick(LEVERAGES))
    const usd = Math.max((SPARE * total) / leverage, drawEquity(desk))
    const trader = desk.trader(null, 'whale', usd, leverage, true)
    for (const [place, past] of markets.entries())
      trader.plan(positions(desk, past, values[place] as number))
    const [past] = markets
    if (past && at < TWAPS) planTwap(desk, trader, past)
  }
}

function drawValue({ random }: PersonaDesk): number {
  return Math.min(MOST_USD, LEAST_USD * (1 - random.unit()) ** (-1 / EXPONENT))
}

function drawEquity({ random }: PersonaDesk): number {
  const { leastUsd, exponent, mostUsd } = EQUITY
  return Math.min(mostUsd, leastUsd * (1 - random.unit()) ** (-1 / exponent))
}

/** A position that is held now, and often one that was closed before. */
function positions(desk: PersonaDesk, past: MarketPast, usd: number): PlannedOrder[] {
  const { random, startMs, dayMs } = desk
  const openDay = 0.5 + 16 * random.unit()
  const orders = parts(desk, past, startMs - openDay * dayMs, usd, random.chance(0.5))
  if (random.chance(0.5)) return orders
  const buys = random.chance(0.5)
  const closeDay = openDay + 1 + 3 * random.unit()
  const before = usd * (0.9 + 0.4 * random.unit())
  const opening = parts(
    desk,
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

/** Some orders within hours that build a position. */
function parts(
  { random }: PersonaDesk,
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

/** Adds a little by a TWAP that the tape finds at work. */
function planTwap(
  { context, startMs, random }: PersonaDesk,
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
