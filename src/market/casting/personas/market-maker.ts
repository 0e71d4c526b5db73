import { HOUR_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { type Px, raw, sz as size } from '../../../decimal/quantity.ts'
import type { MarketPast } from '../history/past.ts'
import type { PersonaDesk } from './persona-desk.ts'
import type { PersonaTrader, PlannedOrder } from './persona-trader.ts'

const USD = 3_000_000
const VALUE = { ofHour: 0.004, leastUsd: 1_000, mostUsd: 60_000 }
const MARKETS = 2
/** How far its orders rest from the price on each side, and what each is worth, micro-dollars. */
const RESTING = { away: [0.004, 0.006, 0.009, 0.013], usd: 20_000e6 }
/** What it goes on with after the tape. */
export const MAKER = { markets: MARKETS, value: VALUE, resting: RESTING }
/** Between its bid and its ask, as part of the price. */
const SPREAD = 0.0004
const WINDOW_MS = 2 * HOUR_MS
/** How long it takes until the other side of its quote is hit. */
const HOLD_MS = 3 * MINUTE_MS
/** At most so many windows run over its quote, and cost so much of what it earns in the others. */
const JUMPS = 0.08
const LOSSES = 0.58
/** It quotes less where it has seen trouble. */
const SIZE_IN_TROUBLE = 0.5
/** It is hit for more in busy windows, at least and at most so many times the usual. */
const PACE = { least: 0.3, most: 3, exponent: 1.3 }

/** What it could quote within some hours, the worst first. */
interface Window {
  quotes: readonly Quote[]
  /** How much is traded in them, against the usual. */
  pace: number
}

/** A bid and an ask that are hit one after the other. */
interface Quote {
  openMs: number
  buysFirst: boolean
  openPx: Px
  closePx: Px
  /** What a unit of price earns. */
  gain: number
}

/**
 * Buys at its bid and sells at its ask. In calm hours both are hit at about one price; when the
 * price runs, the first is hit on the wrong side and the other follows at a loss.
 */
export function planMarketMaker(desk: PersonaDesk): void {
  const maker = desk.trader('marketMaker', 'maker', USD, 10)
  const firstMs = desk.startMs - 29 * desk.dayMs
  const count = Math.floor((desk.startMs - HOUR_MS - firstMs) / WINDOW_MS)
  for (const past of desk.perps.slice(0, MARKETS)) {
    const usual = volumeOf(past, firstMs, firstMs + count * WINDOW_MS) / count
    const windows = Array.from({ length: count }, (_, at): Window => {
      const fromMs = firstMs + at * WINDOW_MS
      const quotes = quotesOf(past, fromMs).sort((a, b) => a.gain - b.gain)
      return { quotes, pace: paceOf(volumeOf(past, fromMs, fromMs + WINDOW_MS) / usual) }
    })
    const runOver = runOverWindows(windows)
    placeQuotes(desk, maker, past)
    for (const window of windows) {
      const { quotes, pace } = window
      const runs = runOver.has(window)
      const quote = runs ? quotes[0] : nearest(quotes, SPREAD)
      if (quote) maker.plan(ordersOf(desk, past, quote, runs ? SIZE_IN_TROUBLE * pace : pace))
    }
  }
}

/** The windows in which it loses: those that move most, until half of what it earns is lost. */
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

/** What everybody trades between two instants. */
function volumeOf(past: MarketPast, fromMs: number, toMs: number): number {
  const { bought, sold } = past.bars
  let sum = 0
  for (let at = past.minuteOf(fromMs); at < past.minuteOf(toMs); at++)
    sum += (bought[at] ?? 0) + (sold[at] ?? 0)
  return sum
}

const paceOf = (share: number) => Math.min(PACE.most, Math.max(PACE.least, share ** PACE.exponent))

/** Orders that still rest on both sides of the price when the tape begins. */
function placeQuotes({ context, startMs }: PersonaDesk, maker: PersonaTrader, past: MarketPast) {
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

/** What could be quoted within a window, first on either side. */
function quotesOf(past: MarketPast, fromMs: number): Quote[] {
  const times = Array.from({ length: 11 }, (_, at) => fromMs + (at + 1) * 10 * MINUTE_MS)
  return times.flatMap((openMs) =>
    [true, false].map((buysFirst) => {
      const openPx = quotedPx(past, openMs, buysFirst)
      const closePx = quotedPx(past, openMs + HOLD_MS, !buysFirst)
      const gain = (raw(closePx) / raw(openPx) - 1) * (buysFirst ? 1 : -1)
      return { openMs, buysFirst, openPx, closePx, gain }
    }),
  )
}

/** Its bid or its ask at an instant, where the minute's trades have been. */
function quotedPx(past: MarketPast, timeMs: number, bid: boolean): Px {
  const away = (bid ? -SPREAD : SPREAD) / 2
  return past.within(past.market.onTick(raw(past.pxAt(timeMs)) * (1 + away)), timeMs)
}

const nearest = (quotes: readonly Quote[], gain: number) =>
  quotes.reduce((a, b) => (Math.abs(b.gain - gain) < Math.abs(a.gain - gain) ? b : a))

function ordersOf(
  desk: PersonaDesk,
  past: MarketPast,
  { openMs, buysFirst, openPx, closePx }: Quote,
  share: number,
): PlannedOrder[] {
  const whole = desk.size(past, VALUE)
  const lot = raw(past.market.survey.lot)
  const sz = size(Math.ceil((raw(whole) * share) / lot) * lot)
  const [first, other] = buysFirst ? (['B', 'A'] as const) : (['A', 'B'] as const)
  return [
    { past, timeMs: openMs, side: first, sz, px: openPx, rests: true },
    { past, timeMs: openMs + HOLD_MS, side: other, sz, px: closePx, rests: true },
  ]
}
