import type { RandomSource } from '../../random/random-source.ts'
import { exponential, lognormal, poisson, roundLots } from './distributions.ts'
import type { InstrumentProfile } from './instrument-profiles.ts'
import type { Conditions } from './market-conditions.ts'
import { tickBp } from './price-grid.ts'
import type { BookSide, SynthBook, SynthLevel } from './synth-book.ts'

/** What the makers of one instrument quote by. */
export interface MakerView {
  /** Where the price should be, in ticks. */
  fair: number
  /** Spread that they quote, in ticks. */
  spread: number
  /** Depth against the normal one. */
  depth: number
  /** Dollars of one lot at this price. */
  lotUsd: number
}

/** The view of an instrument in these conditions: in a busy market makers quote wider and less. */
export function makerView(
  profile: InstrumentProfile,
  conditions: Conditions,
  fair: number,
  lotUsd: number,
): MakerView {
  const { volatility, stress, quiet } = conditions
  const width = (0.65 + 0.3 * volatility) * (1 + 1.2 * stress) * (1 - 0.25 * quiet)
  return {
    fair,
    spread: Math.max(1, Math.round(profile.spreadTicks * width)),
    depth: ((1 - 0.4 * stress) * (1 + 0.2 * quiet)) / (0.6 + 0.4 * volatility),
    lotUsd,
  }
}

const LEVELS = { least: 45, fill: 49, most: 58, trim: 54 }
/** Share of the distance to a better price that makers go in one refresh; worse ones go at once. */
const APPROACH_SHARE = 0.8
/** Quotes are not moved while the fair price is this near. */
const REQUOTE_BP = 0.25

/** The makers of one instrument: they keep the book around the fair price. */
export class Makers {
  private readonly band: number

  constructor(
    private readonly profile: InstrumentProfile,
    private readonly random: RandomSource,
  ) {
    this.band = Math.max(0.6 + 0.35 * profile.spreadTicks, REQUOTE_BP / tickBp(profile))
  }

  /** Fills an empty book. */
  open(book: SynthBook, view: MakerView): void {
    const bid = Math.floor(view.fair - (view.spread - 1) / 2)
    book.put('bids', this.draw(bid, 0, view))
    book.put('asks', this.draw(bid + view.spread, 0, view))
    for (const side of BOOK_SIDES) this.extend(book, side, view)
  }

  /** One refresh of the quotes: the touch follows the price, orders come and go. */
  refresh(book: SynthBook, view: MakerView): void {
    this.retouch(book, view)
    this.churn(book, view)
    for (const side of BOOK_SIDES) this.extend(book, side, view)
  }

  /** How far the fair price may be from the mid price, in ticks, before quotes are moved. */
  requoteDistance(book: SynthBook): number {
    return (book.best('asks') - book.best('bids')) / 2 + this.band
  }

  /** A new level, `distance` levels away from the touch. */
  private draw(tick: number, distance: number, view: MakerView): SynthLevel {
    const { random, profile } = this
    const shape = 0.45 + 1.1 * (1 - Math.exp(-distance / 10)) + distance / 45
    const usd = profile.levelUsd * view.depth * shape * roundness(tick)
    const size = lognormal(random, usd * 0.5, 1.15)
    const lots = roundLots(random, Math.max(size, 11) / view.lotUsd)
    const orders = 1 + Math.min(60, poisson(random, (2.2 * size) / profile.levelUsd))
    return { tick, lots, orders }
  }

  /** Moves the touch when the fair price has left it or the spread has become too wide. */
  private retouch(book: SynthBook, view: MakerView): void {
    const [bid, ask] = [book.best('bids'), book.best('asks')]
    const { spreadTicks } = this.profile
    const inside = Math.abs(view.fair - book.mid()) <= this.requoteDistance(book)
    if (inside && ask - bid <= view.spread + Math.floor(spreadTicks * 0.4)) return
    const wantedBid = Math.floor(view.fair - (view.spread - 1) / 2)
    const wantedAsk = wantedBid + view.spread
    book.cancelStale('bids', (tick) => tick > wantedBid)
    book.cancelStale('asks', (tick) => tick < wantedAsk)
    this.approach(book, 'bids', wantedBid, view)
    this.approach(book, 'asks', wantedAsk, view)
  }

  /** New levels between the old best and the target price, with the usual gaps. */
  private approach(book: SynthBook, side: BookSide, target: number, view: MakerView): void {
    const outward = OUTWARD_STEP[side]
    const from = book[side][0]?.tick
    const distance = Math.abs(target - (from ?? target))
    if (from === target) return
    const to = target + outward * Math.floor(distance * (distance > 2 ? 1 - APPROACH_SHARE : 0))
    // A long distance gets fewer levels: a gap that has just opened is not filled at once.
    const odds = Math.min(1, 12 / distance) / this.profile.gapTicks
    for (let tick = (from ?? to) - outward; (tick - to) * outward > 0; tick -= outward)
      if (this.random.chance(odds)) book.put(side, this.draw(tick, Math.abs(tick - to), view))
    book.put(side, this.draw(to, 0, view))
  }

  /** Some orders come, some go, most near the touch. */
  private churn(book: SynthBook, view: MakerView): void {
    const { random, profile } = this
    for (let changes = 1 + poisson(random, 2.8); changes > 0; changes--) {
      const side = random.pick(BOOK_SIDES)
      const list = book[side]
      const at = Math.min(list.length - 1, Math.floor(exponential(random, 5)))
      const level = list[at]
      if (!level) continue
      const action = random.unit()
      if (action < 0.5) book.put(side, this.amended(level, at, view))
      else if (action < 0.75) {
        const tick =
          level.tick + OUTWARD_STEP[side] * Math.ceil(exponential(random, profile.gapTicks))
        if (!list.some((other) => other.tick === tick)) book.put(side, this.draw(tick, at, view))
      } else if (at > 0) book.put(side, { ...level, lots: 0, orders: 0 })
    }
  }

  /** The level after one order joined it, left it or took another's place. */
  private amended(level: SynthLevel, at: number, view: MakerView): SynthLevel {
    const { random } = this
    if (level.orders === 1 || random.chance(0.35)) return this.draw(level.tick, at, view)
    const part = Math.max(1, roundLots(random, (level.lots / level.orders) * (0.4 + random.unit())))
    if (random.chance(0.5) && part < level.lots)
      return { ...level, lots: level.lots - part, orders: level.orders - 1 }
    return { ...level, lots: level.lots + part, orders: level.orders + 1 }
  }

  /** Far levels are added when there are too few and removed when there are too many. */
  private extend(book: SynthBook, side: BookSide, view: MakerView): void {
    const list = book[side]
    if (list.length > LEVELS.most)
      for (const level of list.slice(LEVELS.trim)) book.put(side, { ...level, lots: 0, orders: 0 })
    if (list.length >= LEVELS.least) return
    while (list.length < LEVELS.fill) {
      const last = list.at(-1)?.tick ?? Math.round(view.fair)
      const gap = Math.floor(exponential(this.random, Math.max(0, this.profile.gapTicks - 0.6)))
      book.put(side, this.draw(last + OUTWARD_STEP[side] * (1 + gap), list.length, view))
    }
  }
}

const BOOK_SIDES: readonly BookSide[] = ['bids', 'asks']

const OUTWARD_STEP = { bids: -1, asks: 1 }

/** Round prices draw orders. */
function roundness(tick: number): number {
  if (tick % 100 === 0) return 5
  if (tick % 50 === 0) return 3.2
  return tick % 10 === 0 ? 2 : 1
}
