import type { Dice } from '../../random/dice.ts'
import { exponential, lognormal, neat, poisson } from './draws.ts'
import { tickBp } from './ladder.ts'
import type { Profile } from './roster.ts'
import type { Half, Shelf, Shelves } from './shelves.ts'
import type { Weather } from './weather.ts'

/** What the makers of one instrument see when they look at their quotes. */
export interface View {
  /** Where the price should be, in rungs. */
  fair: number
  /** Spread they ask for, in ticks. */
  spread: number
  /** Depth against the normal one. */
  depth: number
  /** Dollars of one lot at this price. */
  lotUsd: number
}

/** The view of an instrument in this weather: busy makers quote wider and less. */
export function look(profile: Profile, weather: Weather, fair: number, lotUsd: number): View {
  const { heat, stress, quiet } = weather
  const width = (0.65 + 0.3 * heat) * (1 + 1.2 * stress) * (1 - 0.25 * quiet)
  return {
    fair,
    spread: Math.max(1, Math.round(profile.spreadTicks * width)),
    depth: ((1 - 0.4 * stress) * (1 + 0.2 * quiet)) / (0.6 + 0.4 * heat),
    lotUsd,
  }
}

const LEVELS = { least: 45, fill: 49, most: 58, trim: 54 }
/** Share of the way to a better price that makers go in one look; worse prices go at once. */
const CHASE = 0.8
/** Quotes are left alone while the fair price stays so near. */
const PATIENCE_BP = 0.25

/** The makers of one instrument: they keep the book around the fair price. */
export class Makers {
  private readonly band: number

  constructor(
    private readonly profile: Profile,
    private readonly dice: Dice,
  ) {
    this.band = Math.max(0.6 + 0.35 * profile.spreadTicks, PATIENCE_BP / tickBp(profile))
  }

  /** Fills an empty book. */
  open(book: Shelves, view: View): void {
    const bid = Math.floor(view.fair - (view.spread - 1) / 2)
    book.put('bids', this.draw(bid, 0, view))
    book.put('asks', this.draw(bid + view.spread, 0, view))
    for (const half of HALVES) this.extend(book, half, view)
  }

  /** One look at the quotes: the touch follows the price, orders come and go. */
  refresh(book: Shelves, view: View): void {
    this.retouch(book, view)
    this.churn(book, view)
    for (const half of HALVES) this.extend(book, half, view)
  }

  /** How far the fair price may stand from the middle, in rungs, before quotes are moved. */
  patience(book: Shelves): number {
    return (book.best('asks') - book.best('bids')) / 2 + this.band
  }

  /** A level as it would be set up now, `distance` levels away from the touch. */
  private draw(rung: number, distance: number, view: View): Shelf {
    const { dice, profile } = this
    const shape = 0.45 + 1.1 * (1 - Math.exp(-distance / 10)) + distance / 45
    const usd = profile.levelUsd * view.depth * shape * roundness(rung)
    const size = lognormal(dice, usd * 0.5, 1.15)
    const lots = neat(dice, Math.max(size, 11) / view.lotUsd)
    const orders = 1 + Math.min(60, poisson(dice, (2.2 * size) / profile.levelUsd))
    return { rung, lots, orders }
  }

  /** Moves the touch when the fair price has left it or the spread has become too wide. */
  private retouch(book: Shelves, view: View): void {
    const [bid, ask] = [book.best('bids'), book.best('asks')]
    const { spreadTicks } = this.profile
    const inside = Math.abs(view.fair - book.mid()) <= this.patience(book)
    if (inside && ask - bid <= view.spread + Math.floor(spreadTicks * 0.4)) return
    const wantedBid = Math.floor(view.fair - (view.spread - 1) / 2)
    const wantedAsk = wantedBid + view.spread
    book.withdraw('bids', (rung) => rung > wantedBid)
    book.withdraw('asks', (rung) => rung < wantedAsk)
    this.approach(book, 'bids', wantedBid, view)
    this.approach(book, 'asks', wantedAsk, view)
  }

  /** New levels between the old best and the price that is wanted, with holes as usual. */
  private approach(book: Shelves, half: Half, wanted: number, view: View): void {
    const outward = OUTWARD[half]
    const from = book[half][0]?.rung
    const way = Math.abs(wanted - (from ?? wanted))
    if (from === wanted) return
    const to = wanted + outward * Math.floor(way * (way > 2 ? 1 - CHASE : 0))
    // A long way is taken with fewer levels: a gap that has just opened is not filled at once.
    const odds = Math.min(1, 12 / way) / this.profile.gapTicks
    for (let rung = (from ?? to) - outward; (rung - to) * outward > 0; rung -= outward)
      if (this.dice.chance(odds)) book.put(half, this.draw(rung, Math.abs(rung - to), view))
    book.put(half, this.draw(to, 0, view))
  }

  /** Some orders come, some go, most near the touch. */
  private churn(book: Shelves, view: View): void {
    const { dice, profile } = this
    for (let left = 1 + poisson(dice, 2.8); left > 0; left--) {
      const half = dice.pick(HALVES)
      const list = book[half]
      const at = Math.min(list.length - 1, Math.floor(exponential(dice, 5)))
      const shelf = list[at]
      if (!shelf) continue
      const action = dice.unit()
      if (action < 0.5) book.put(half, this.amended(shelf, at, view))
      else if (action < 0.75) {
        const rung = shelf.rung + OUTWARD[half] * Math.ceil(exponential(dice, profile.gapTicks))
        if (!list.some((other) => other.rung === rung)) book.put(half, this.draw(rung, at, view))
      } else if (at > 0) book.put(half, { ...shelf, lots: 0, orders: 0 })
    }
  }

  /** The level after one order joined it, left it or took another's place. */
  private amended(shelf: Shelf, at: number, view: View): Shelf {
    const { dice } = this
    if (shelf.orders === 1 || dice.chance(0.35)) return this.draw(shelf.rung, at, view)
    const part = Math.max(1, neat(dice, (shelf.lots / shelf.orders) * (0.4 + dice.unit())))
    if (dice.chance(0.5) && part < shelf.lots)
      return { ...shelf, lots: shelf.lots - part, orders: shelf.orders - 1 }
    return { ...shelf, lots: shelf.lots + part, orders: shelf.orders + 1 }
  }

  /** Far levels are added where they ran out and dropped where they pile up. */
  private extend(book: Shelves, half: Half, view: View): void {
    const list = book[half]
    if (list.length > LEVELS.most)
      for (const shelf of list.slice(LEVELS.trim)) book.put(half, { ...shelf, lots: 0, orders: 0 })
    if (list.length >= LEVELS.least) return
    while (list.length < LEVELS.fill) {
      const last = list.at(-1)?.rung ?? Math.round(view.fair)
      const hole = Math.floor(exponential(this.dice, Math.max(0, this.profile.gapTicks - 0.6)))
      book.put(half, this.draw(last + OUTWARD[half] * (1 + hole), list.length, view))
    }
  }
}

const HALVES: readonly Half[] = ['bids', 'asks']

const OUTWARD = { bids: -1, asks: 1 }

/** Round prices draw orders. */
function roundness(rung: number): number {
  if (rung % 100 === 0) return 5
  if (rung % 50 === 0) return 3.2
  return rung % 10 === 0 ? 2 : 1
}
