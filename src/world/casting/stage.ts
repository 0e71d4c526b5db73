import { ratio, raw, ZERO } from '../../decimal/quantity.ts'
import type { Dice } from '../../random/dice.ts'
import { Bank } from './bank.ts'
import { BookRoom } from './book-room.ts'
import { Choice } from './choice.ts'
import { Errands } from './errands.ts'
import { Floor } from './floor.ts'
import { FundingClock } from './funding-clock.ts'
import { Gauges } from './gauges.ts'
import { Ladders } from './ladder.ts'
import type { Holding, Market } from './market.ts'
import { OrderRoom } from './order-room.ts'
import { People } from './people.ts'
import { isolatedEquity } from './purse.ts'
import type { Rows } from './rows.ts'
import { Settlement } from './settlement.ts'
import { Twaps } from './twaps.ts'

/** A price may move so far before everybody's margin is looked at again. */
const LOOK = 0.004
/** An isolated position is given up when so much of its margin is left. */
const STOP_LOSS = 0.55

/** Everything that a story is written with, put together. */
export class Stage {
  readonly people: People
  readonly bank: Bank
  readonly orders: OrderRoom
  readonly ladders: Ladders
  readonly twaps: Twaps
  readonly choice: Choice
  readonly settlement: Settlement
  readonly floor: Floor
  readonly clock: FundingClock
  readonly gauges: Gauges
  readonly books: BookRoom
  readonly errands: Errands

  constructor(
    readonly rows: Rows,
    readonly markets: readonly Market[],
    readonly dice: Dice,
    readonly storyStartMs: number,
    startMs: number,
  ) {
    const treasury = `0x${dice.fork('treasury').hex(40)}`
    this.people = new People(rows, dice.fork('people'), storyStartMs, markets.length)
    this.bank = new Bank(rows, dice.fork('bank'), treasury)
    this.orders = new OrderRoom(rows, storyStartMs)
    this.ladders = new Ladders(this.orders, this.people, dice.fork('ladders'))
    this.twaps = new Twaps(
      rows,
      this.people,
      dice.fork('twaps'),
      dice.fork('ids').between(1e6, 2e6),
    )
    this.choice = new Choice(this.people, this.bank, dice.fork('choice'))
    this.settlement = new Settlement(rows, this.bank, this.orders, this.opened, this.closed)
    const { bank, orders, settlement, choice, twaps } = this
    this.floor = new Floor(bank, orders, settlement, choice, twaps, dice.fork('floor'))
    this.clock = new FundingClock(rows, startMs)
    this.gauges = new Gauges(rows)
    this.books = new BookRoom(rows)
    this.errands = new Errands(this.bank, dice.fork('errands'))
  }

  /** Ends what was to end by now. Charged hours are left to who calls. */
  tick(timeMs: number): void {
    this.orders.tick(timeMs)
    this.twaps.tick(timeMs)
  }

  /**
   * Looks after everybody once a price has moved; answers who should give up an isolated position.
   */
  moved(market: Market, timeMs: number): Holding[] {
    this.ladders.watch(market, timeMs)
    if (!market.perp || Math.abs(ratio(market.px, market.checkedPx) - 1) < LOOK) return []
    market.checkedPx = market.px
    const stops: Holding[] = []
    for (const held of market.holdings.values()) {
      if (held.sz === ZERO || held.purse.doomed) continue
      if (!held.isolated) this.bank.cover(held.purse, 0, null, timeMs)
      else if (isolatedEquity(held) < (STOP_LOSS * Math.abs(raw(held.cost))) / held.leverage)
        stops.push(held)
    }
    return stops
  }

  /** Writes what is still open when the story ends. */
  finish(): void {
    this.orders.finish()
    this.twaps.finish()
    this.settlement.finish(this.markets)
  }

  private opened = (held: Holding, timeMs: number): void => {
    const holdMs = this.choice.holdMs(held.purse.trader.role)
    if (holdMs !== undefined) held.market.plan(held, timeMs + holdMs)
    this.ladders.protect(held, timeMs)
  }

  private closed = (held: Holding, timeMs: number): void => {
    this.ladders.release(held, timeMs)
  }
}
