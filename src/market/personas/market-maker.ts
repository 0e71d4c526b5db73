import { HOUR_MS, MINUTE_MS } from '../../clock/instant.ts'
import { absolute, type Px, raw, sz as size, ZERO } from '../../decimal/quantity.ts'
import type { MarketPast } from '../casting/history/past.ts'
import { type MarketState, quotedPx, quoteOnce } from '../casting/market/market-state.ts'
import type { LiveOrder } from '../casting/matching/order-manager.ts'
import type { PersonaPlanner, PersonaTrader, PlannedOrder } from './persona-planner.ts'
import type { PersonaSchedule } from './personas.ts'

const USD = 12_000_000
const VALUE = { ofHour: 0.012, leastUsd: 1_000, mostUsd: 900_000 }
const MARKETS = 2
/** Distances of its resting orders from the price, and the value of each, micro-dollars. */
const RESTING = { away: [0.004, 0.006, 0.009, 0.013], usd: 20_000e6 }
/** Between its bid and its ask, as a fraction of the price. */
const SPREAD = 0.0004
const WINDOW_MS = 2 * HOUR_MS
/** Time until the other side of its quote is filled. */
const HOLD_MS = 3 * MINUTE_MS
/** Largest share of losing windows, and their share of the profit. */
const JUMPS = 0.08
const LOSSES = 0.58
/** It quotes less after losses. */
const SIZE_IN_TROUBLE = 0.5
/** Bounds of its volume by activity, relative to the usual. */
const PACE = { least: 0.3, most: 3, exponent: 1.3 }

/** Possible quotes within some hours, the worst first. */
interface Window {
  quotes: readonly Quote[]
  /** Turnover of the window relative to the usual. */
  pace: number
}

/** A bid and an ask filled one after the other. */
interface Quote {
  openMs: number
  buysFirst: boolean
  openPx: Px
  closePx: Px
  /** Profit per unit of price. */
  gain: number
}

/**
 * Plans buys at its bid and sells at its ask. In calm hours both fill at about one price; in a
 * trend the first fills on the wrong side and the other follows at a loss.
 */
export function planMarketMaker(planner: PersonaPlanner): void {
  const maker = planner.trader('marketMaker', 'maker', USD, 10)
  const firstMs = planner.startMs - 29 * planner.dayMs
  const count = Math.floor((planner.startMs - HOUR_MS - firstMs) / WINDOW_MS)
  for (const past of planner.perps.slice(0, MARKETS)) {
    const usual = volumeOf(past, firstMs, firstMs + count * WINDOW_MS) / count
    const windows = Array.from({ length: count }, (_, at): Window => {
      const fromMs = firstMs + at * WINDOW_MS
      const quotes = quotesOf(past, fromMs).sort((a, b) => a.gain - b.gain)
      return { quotes, pace: paceOf(volumeOf(past, fromMs, fromMs + WINDOW_MS) / usual) }
    })
    const runOver = runOverWindows(windows)
    placeQuotes(planner, maker, past)
    for (const window of windows) {
      const { quotes, pace } = window
      const runs = runOver.has(window)
      const quote = runs ? quotes[0] : nearest(quotes, SPREAD)
      if (quote) maker.plan(ordersOf(planner, past, quote, runs ? SIZE_IN_TROUBLE * pace : pace))
    }
  }
}

/** The losing windows: those with the largest moves, until half of the profit is lost. */
function runOverWindows(windows: readonly Window[]): ReadonlySet<Window> {
  const earned = windows.reduce(
    (sum, { quotes, pace }) => sum + pace * nearest(quotes, SPREAD).gain,
    0,
  )
  const found = new Set<Window>()
  let left = LOSSES * earned
  for (const window of windows.toSorted((a, b) => worstOf(a) - worstOf(b))) {
    const loss = -worstOf(window) * SIZE_IN_TROUBLE
    if (found.size >= JUMPS * windows.length || loss <= 0) break
    if (loss > left) continue
    left -= loss
    found.add(window)
  }
  return found
}

const worstOf = ({ quotes: [worst], pace }: Window) => (worst?.gain ?? 0) * pace

/** Total volume between two instants. */
function volumeOf(past: MarketPast, fromMs: number, toMs: number): number {
  const { bought, sold } = past.bars
  let sum = 0
  for (let at = past.minuteOf(fromMs); at < past.minuteOf(toMs); at++)
    sum += (bought[at] ?? 0) + (sold[at] ?? 0)
  return sum
}

const paceOf = (share: number) => Math.min(PACE.most, Math.max(PACE.least, share ** PACE.exponent))

/** Places orders that still rest on both sides of the price when the tape begins. */
function placeQuotes({ context, startMs }: PersonaPlanner, maker: PersonaTrader, past: MarketPast) {
  context.tasks.put(startMs - 5 * MINUTE_MS, (_, timeMs) => {
    const { market } = past
    market.px = past.pxAt(timeMs)
    for (const away of RESTING.away)
      for (const side of ['B', 'A'] as const) {
        const limitPx = market.onTick(raw(market.px) * (1 + (side === 'B' ? -away : away)))
        const origSz = market.sizeFor(RESTING.usd)
        context.passiveOrders.place(maker.agent, market, {
          timeMs,
          side,
          limitPx,
          origSz,
          tif: 'Alo',
        })
      }
  })
}

/** Possible quotes within a window, first on either side. */
function quotesOf(past: MarketPast, fromMs: number): Quote[] {
  const times = Array.from({ length: 11 }, (_, at) => fromMs + (at + 1) * 10 * MINUTE_MS)
  return times.flatMap((openMs) =>
    [true, false].map((buysFirst) => {
      const openPx = plannedPx(past, openMs, buysFirst)
      const closePx = plannedPx(past, openMs + HOLD_MS, !buysFirst)
      const gain = (raw(closePx) / raw(openPx) - 1) * (buysFirst ? 1 : -1)
      return { openMs, buysFirst, openPx, closePx, gain }
    }),
  )
}

/** Its bid or ask at an instant, within the minute's range. */
function plannedPx(past: MarketPast, timeMs: number, bid: boolean): Px {
  const away = (bid ? -SPREAD : SPREAD) / 2
  return past.within(past.market.onTick(raw(past.pxAt(timeMs)) * (1 + away)), timeMs)
}

const nearest = (quotes: readonly Quote[], gain: number) =>
  quotes.reduce((a, b) => (Math.abs(b.gain - gain) < Math.abs(a.gain - gain) ? b : a))

function ordersOf(
  planner: PersonaPlanner,
  past: MarketPast,
  { openMs, buysFirst, openPx, closePx }: Quote,
  share: number,
): PlannedOrder[] {
  const whole = planner.size(past, VALUE)
  const lot = raw(past.market.survey.lot)
  const sz = size(Math.ceil((raw(whole) * share) / lot) * lot)
  const [first, other] = buysFirst ? (['B', 'A'] as const) : (['A', 'B'] as const)
  return [
    { past, timeMs: openMs, side: first, sz, px: openPx, rests: true },
    { past, timeMs: openMs + HOLD_MS, side: other, sz, px: closePx, rests: true },
  ]
}

const QUOTE_MS = 12_000
/** Longest time that both sides are quoted, until one of them is filled. */
const OFFERED_MS = 12 * MINUTE_MS
const OFFERS = { periodMs: HOUR_MS, within: 0.7 }

/** Quotes both sides at times, and then the other side of its position. Never takes. */
export function continueMarketMaker(schedule: PersonaSchedule): void {
  for (const market of schedule.perps.slice(0, MARKETS)) {
    let offersUntilMs = 0
    const holding = schedule.holding(market)
    const name = `of ${market.row.coin}`
    const whole = schedule.size(market, VALUE)
    schedule.each(`window ${name}`, OFFERS, (timeMs) => {
      offersUntilMs = timeMs + OFFERED_MS
    })
    schedule.each(`quote ${name}`, { periodMs: QUOTE_MS, within: 0.5 }, (timeMs) => {
      if (holding.sz !== ZERO) {
        // A maker that has bought quotes its position.
        offersUntilMs = 0
        const side = holding.sz > ZERO ? 'A' : 'B'
        quoteOnce(schedule.context.venue, holding, side, absolute(holding.sz), timeMs)
      } else if (timeMs < offersUntilMs) {
        const offer = (side: 'B' | 'A') => ({ px: quotedPx(market, side), sz: whole })
        schedule.context.venue.quote({ holding, bid: offer('B'), ask: offer('A') }, timeMs)
      }
    })
    schedule.each(`rest ${name}`, { periodMs: HOUR_MS, within: 1 }, (timeMs) =>
      restOrders(schedule, market, timeMs),
    )
  }
}

/** Places missing orders on each side, away from the price. */
function restOrders(
  { context, agent }: PersonaSchedule,
  market: MarketState,
  timeMs: number,
): void {
  const isOwn = (one: LiveOrder) => one.owner === agent && one.endMs === null
  for (const side of ['B', 'A'] as const) {
    if (market.passiveOrders.some((one) => isOwn(one) && one.side === side)) continue
    for (const away of RESTING.away) {
      const limitPx = market.onTick(raw(market.px) * (1 + (side === 'B' ? -away : away)))
      const origSz = market.sizeFor(RESTING.usd)
      context.passiveOrders.place(agent, market, { timeMs, side, limitPx, origSz, tif: 'Alo' })
    }
  }
}
