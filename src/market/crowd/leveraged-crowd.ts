/**
 * Positions of the crowd in one contract, by the price at which each is liquidated. Positions are
 * opened where the price is, by a distribution of leverage, and are closed by turnover; a moving
 * price closes those that it reaches. Everything is a share of the usual open interest, so that
 * all exchanges can share one crowd.
 */

/** Logarithmic width of a step of the ladder, and its steps on each side of the price. */
const STEP = 0.0025
const STEPS = 256
/** Leverage with the whole margin of an account behind it: median and log-deviation. */
const LEVERAGE = { median: 3.3, deviation: 0.9 }
/** Distance before a liquidation price at which some owners close by stops, and their share. */
const STOPS = { before: 0.006, share: 0.3 }
/**
 * Owners of positions near their liquidation reduce them or add margin in time: how much more often
 * than others are turned over, and up to which distance, relative to the maintenance margin.
 */
const CARE = { often: 30, distance: 1.2, least: 0.02, most: 0.05 }
/** Part of closed positions that is not opened anew at once: open interest falls by it. */
export const GIVEN_UP = 0.8
/** Return of the extremes to the price, by each share of the positions that is turned over. */
const FORGETTING = 12

/** A crowd as plain data. */
export interface CrowdState {
  /** Logarithm of the price. */
  log: number
  /** Lowest and highest price of late, logarithms. */
  low: number
  high: number
  /** Positions of a step of the ladder, by its number modulo the length; to be scaled. */
  longs: number[]
  shorts: number[]
  scale: number
  /** Open interest relative to the usual. */
  held: number
  /** Recently liquidated positions. */
  lost: { long: number; short: number }
}

/** Positions closed by a move, shares of the usual open interest. */
export interface ClosedShares {
  /** Liquidated positions. */
  long: number
  short: number
  /** Closed by their owners' stops. */
  longStops: number
  shortStops: number
}

/** One bar of the price: logarithms, and the share of all positions turned over in it. */
export interface CrowdBar {
  low: number
  high: number
  close: number
  turned: number
}

/** A crowd that has traded at one price for a long time. */
export function newCrowd(log: number, maxLeverage: number): CrowdState {
  const none = () => new Array<number>(STEPS).fill(0)
  const lost = { long: 0, short: 0 }
  const state = { log, low: log, high: log, longs: none(), shorts: none(), scale: 1, held: 0, lost }
  new LeveragedCrowd(state, maxLeverage).turn(1)
  return state
}

/** Share of all positions that is turned over in a usual minute. */
export const TURNED_PER_MINUTE = 0.03 / 60
/** Minutes of a bar of closes. */
const BAR_MINUTES = 10
/** Part of the turnover that does not depend on the move, and limit relative to the mean. */
const STEADY = 0.4
const BUSIEST = 4

/** The crowd after closes of minutes, logarithms, oldest first; busy in large moves. */
export function crowdAfter(logs: readonly number[], maxLeverage: number): CrowdState {
  const state = newCrowd(logs[0] ?? 0, maxLeverage)
  const crowd = new LeveragedCrowd(state, maxLeverage)
  const bars: number[][] = []
  for (let at = 0; at < logs.length; at += BAR_MINUTES) bars.push(logs.slice(at, at + BAR_MINUTES))
  const sizes = bars.map((bar) => Math.max(...bar) - Math.min(...bar))
  const mean = sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length)
  for (const [at, bar] of bars.entries()) {
    const busy = mean > 0 ? STEADY + ((1 - STEADY) * (sizes[at] as number)) / mean : 1
    const turned = TURNED_PER_MINUTE * bar.length * Math.min(BUSIEST, busy)
    const close = bar.at(-1) as number
    crowd.pass({ low: Math.min(...bar), high: Math.max(...bar), close, turned })
  }
  return state
}

/** A crowd after each minute: open interest relative to the usual, and its imbalance. */
export interface CrowdPath {
  held: Float64Array
  imbalance: Float64Array
}

/** The crowd along a path of returns of minutes. */
export function crowdAlong(returns: Float64Array, maxLeverage: number): CrowdPath {
  const crowd = new LeveragedCrowd(newCrowd(0, maxLeverage), maxLeverage)
  const held = new Float64Array(returns.length)
  const imbalance = new Float64Array(returns.length)
  let log = 0
  for (let at = 0; at < returns.length; at++) {
    log += returns[at] as number
    if (at % PASSED_MINUTES === PASSED_MINUTES - 1) crowd.move(log)
    if (at % BAR_MINUTES === BAR_MINUTES - 1) crowd.turn(TURNED_PER_MINUTE * BAR_MINUTES)
    held[at] = crowd.held
    imbalance[at] = crowd.imbalance
  }
  return { held, imbalance }
}

/** Minutes between two looks at the price. */
const PASSED_MINUTES = 2

export class LeveragedCrowd {
  private readonly fresh: FreshShares
  /** Steps from the price within which owners take care. */
  private readonly careful: number

  constructor(
    private readonly state: CrowdState,
    maxLeverage: number,
  ) {
    this.fresh = freshShares(maxLeverage)
    const { distance, least, most } = CARE
    const near = Math.min(most, Math.max(least, (distance * 0.5) / maxLeverage))
    this.careful = Math.round(near / STEP)
  }

  /** Open interest relative to the usual. */
  get held(): number {
    return this.state.held
  }

  /** Logarithm of the price. */
  get log(): number {
    return this.state.log
  }

  /** Recently liquidated positions, shares of the usual open interest. */
  get lost(): Readonly<CrowdState['lost']> {
    return this.state.lost
  }

  /** Shorts less longs that were liquidated of late: the other side is the larger one since. */
  get imbalance(): number {
    const { long, short } = this.state.lost
    return short - long
  }

  /** Moves the price, a logarithm; it closes the positions in between. */
  move(log: number): ClosedShares {
    const { state } = this
    const closed: ClosedShares = { long: 0, short: 0, longStops: 0, shortStops: 0 }
    if (log < state.log) {
      closed.long = this.take(state.longs, state.log, log, 1)
      if (log < state.low) {
        const { before, share } = STOPS
        closed.longStops = this.take(state.longs, state.low - before, log - before, share)
        state.low = log
      }
    } else if (log > state.log) {
      closed.short = this.take(state.shorts, state.log, log, 1)
      if (log > state.high) {
        const { before, share } = STOPS
        closed.shortStops = this.take(state.shorts, state.high + before, log + before, share)
        state.high = log
      }
    }
    this.shift(log)
    this.settle(closed)
    return closed
  }

  /** Turns over a share of the positions: some are closed evenly, others opened at the price. */
  turn(share: number): void {
    const { state } = this
    const part = Math.min(1, share)
    // Most minutes turn nothing over: that changes the extremes' last bits alone.
    if (part > 0) this.turnLadder(part)
    const forgotten = Math.exp(-FORGETTING * part)
    state.low = state.log - (state.log - state.low) * forgotten
    state.high = state.log + (state.high - state.log) * forgotten
  }

  private turnLadder(part: number): void {
    const { state, fresh } = this
    state.scale *= 1 - part
    if (state.scale < LEAST_SCALE) this.rescale()
    this.open(state.longs, fresh.longs, -1, part + this.secure(state.longs, -1, part))
    this.open(state.shorts, fresh.shorts, 1, part + this.secure(state.shorts, 1, part))
    state.held += part * (1 - state.held)
    state.lost.long *= 1 - part
    state.lost.short *= 1 - part
  }

  /** Passes a bar; the order of its extremes follows from its direction. */
  pass({ low, high, close, turned }: CrowdBar): ClosedShares {
    const isFall = close < this.state.log
    const sums = this.move(isFall ? high : low)
    for (const log of [isFall ? low : high, close]) {
      const { long, short, longStops, shortStops } = this.move(log)
      sums.long += long
      sums.short += short
      sums.longStops += longStops
      sums.shortStops += shortStops
    }
    this.turn(turned)
    return sums
  }

  /** Removes a share of the positions that a price meets on its way from one to another. */
  private take(side: number[], from: number, to: number, share: number): number {
    const { state } = this
    const [low, high] = from < to ? [from / STEP, to / STEP] : [to / STEP, from / STEP]
    const [first, last] = [Math.floor(low), Math.floor(high)]
    let taken = 0
    // Further steps than the ladder has are the same ones again.
    for (let step = first; step <= Math.min(last, first + STEPS - 1); step++) {
      const place = placeOf(step)
      const [bottom, top] = [Math.max(low, step), Math.min(high, step + 1)]
      // Positions of a step that the price has entered and emptied lie in the rest of it.
      const rest = share < 1 ? 1 : from < to ? step + 1 - bottom : top - step
      if (rest <= 0) continue
      const part = (side[place] as number) * share * ((top - bottom) / rest)
      side[place] = (side[place] as number) - part
      taken += part
    }
    return taken * state.scale
  }

  /** Changes the price: steps that it has passed belong to the other end of the ladder now. */
  private shift(log: number): void {
    const { state } = this
    const [from, to] = [Math.floor(state.log / STEP), Math.floor(log / STEP)]
    state.log = log
    if (from === to) return
    const count = Math.min(STEPS, Math.abs(to - from))
    const [clearedLongs, clearedShorts] = to < from ? [to + 1, to] : [to - count + 1, to - count]
    for (let nth = 0; nth < count; nth++) {
      state.longs[placeOf(clearedLongs + nth)] = 0
      state.shorts[placeOf(clearedShorts + nth)] = 0
    }
  }

  /** Closes the other side of what was closed, and opens some of it anew at the price. */
  private settle({ long, short, longStops, shortStops }: ClosedShares): void {
    const { state, fresh } = this
    const [longs, shorts] = [long + longStops, short + shortStops]
    const all = longs + shorts
    if (all === 0 || state.held <= 0) return
    state.lost.long += long
    state.lost.short += short
    const left = Math.max(0, 1 - (GIVEN_UP * all) / state.held)
    state.held *= left
    const [closing, opening] =
      longs > shorts ? [state.shorts, state.longs] : [state.longs, state.shorts]
    for (let place = 0; place < STEPS; place++) closing[place] = (closing[place] as number) * left
    const [shares, way] =
      longs > shorts ? ([fresh.longs, -1] as const) : ([fresh.shorts, 1] as const)
    this.open(opening, shares, way, (1 - GIVEN_UP) * all)
  }

  /** Removes positions near their liquidation, which their owners will open with more margin. */
  private secure(side: number[], way: 1 | -1, part: number): number {
    const { state, careful } = this
    const at = Math.floor(state.log / STEP)
    let secured = 0
    for (let distance = 0; distance < careful; distance++) {
      const place = placeOf(at + way * distance)
      const share = 1 - Math.exp(-CARE.often * part * (1 - distance / careful))
      secured += (side[place] as number) * share
      side[place] = (side[place] as number) * (1 - share)
    }
    return secured * state.scale
  }

  private open(side: number[], fresh: readonly number[], way: 1 | -1, share: number): void {
    const at = Math.floor(this.state.log / STEP)
    const amount = share / this.state.scale
    for (let distance = 0; distance < fresh.length; distance++) {
      const place = placeOf(at + way * distance)
      side[place] = (side[place] as number) + amount * (fresh[distance] as number)
    }
  }

  private rescale(): void {
    const { state } = this
    for (const side of [state.longs, state.shorts])
      for (let place = 0; place < STEPS; place++)
        side[place] = (side[place] as number) * state.scale
    state.scale = 1
  }
}

const LEAST_SCALE = 1e-6

/** A step's number modulo the length, a power of two. */
const placeOf = (step: number) => step & (STEPS - 1)

/** Share of new positions by steps to their liquidation price; the rest is farther. */
interface FreshShares {
  longs: readonly number[]
  shorts: readonly number[]
}

const known = new Map<number, FreshShares>()

function freshShares(maxLeverage: number): FreshShares {
  const before = known.get(maxLeverage)
  if (before) return before
  const most = Math.max(1, maxLeverage)
  const maintenance = 0.5 / most
  const sides = { longs: new Array<number>(STEPS - 1).fill(0), shorts: [] as number[] }
  sides.shorts = sides.longs.slice()
  for (let nth = 0; nth < DRAWS; nth++) {
    const place = (nth + 0.5) / DRAWS
    const drawn = LEVERAGE.median * Math.exp(LEVERAGE.deviation * quantile(place))
    // Who would take more than the venue grants takes nearly that.
    const granted = most * CAPPED ** (((nth * GOLDEN) % 1) - 1)
    const leverage = Math.max(1, Math.min(drawn, granted))
    const fall = -Math.log(Math.max(1e-9, 1 - 1 / leverage) / (1 - maintenance))
    const rise = Math.log((1 + 1 / leverage) / (1 + maintenance))
    add(sides.longs, fall)
    add(sides.shorts, rise)
  }
  known.set(maxLeverage, sides)
  return sides
}

const DRAWS = 4000
/** Range of the leverage of those who take nearly all that is granted, and an even sequence. */
const CAPPED = 2.5
const GOLDEN = 0.618033988749895

function add(shares: number[], distance: number): void {
  const place = Math.floor(distance / STEP)
  if (place < shares.length) shares[place] = (shares[place] as number) + 1 / DRAWS
}

/** Quantile of the normal distribution, by the logistic one: within two hundredths. */
const quantile = (share: number): number => Math.log(share / (1 - share)) / 1.702

// Fear of a market: how far the price has run away within a minute, relative to its usual moves. In
// fear books are thin, spreads wide, and exchanges differ; it halves in minutes.

/** Fear as plain data. */
export interface FearState {
  /** Mean logarithm of the last seconds' prices. */
  mean: number
  /** From 0, usual, to 1. */
  fear: number
}

/** Memory of the mean price, s. */
const MEMORY_S = 45
/** Distances to the mean, in its usual deviations, at which fear begins and is complete. */
const DEVIATIONS = { from: 4.5, to: 18 }
/** Half-life, s. */
const HALF_LIFE_S = 150

/**
 * Notes a price, a logarithm, some seconds after the last one. `sigma` is the usual deviation of a
 * second's move.
 */
export function noteFear(state: FearState, log: number, afterS: number, sigma: number): void {
  const away = Math.abs(log - state.mean) / (sigma * Math.sqrt(MEMORY_S))
  const { from, to } = DEVIATIONS
  const now = Math.max(0, Math.min(1, (away - from) / (to - from)))
  state.fear = Math.max(now, state.fear * 0.5 ** (afterS / HALF_LIFE_S))
  state.mean += (log - state.mean) * (1 - Math.exp(-afterS / MEMORY_S))
}

/** The fear after closes of minutes, logarithms, oldest first. */
export function fearAfter(logs: readonly number[], sigma: number): FearState {
  const state = { mean: logs[0] ?? 0, fear: 0 }
  for (const log of logs) noteFear(state, log, 60, sigma)
  return state
}
