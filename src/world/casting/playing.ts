import { px as price, sz as size, sum, ZERO } from '../../decimal/quantity.ts'
import { parse } from '../../decimal/scaled.ts'
import type { Dice } from '../../random/dice.ts'
import type { Print } from './floor.ts'
import type { Forced } from './forced.ts'
import type { TapeEvent, TapeTrade } from './input.ts'
import type { Market } from './market.ts'
import { nearest, rateOf } from './reading.ts'
import type { Stage } from './stage.ts'

/** What goes on besides the tape happens in steps of this. */
const BEAT_MS = 2_000
const HOUR_MS = 3_600_000

/** Trades of one instrument, instant and taker that are one order. */
interface Pending {
  side: 'B' | 'A'
  timeMs: number
  user: string | undefined
  forced: Forced | undefined
  prints: Print[]
}

/** Plays a tape's events into the story. */
export class Playing {
  private nowMs: number
  private beatMs: number
  private readonly pending = new Map<Market, Pending>()
  private readonly forced = new Map<Market, Forced>()

  constructor(
    private readonly stage: Stage,
    private readonly force: (market: Market, event: TapeEvent & { kind: 'liquidation' }) => Forced,
    private readonly dice: Dice,
    startMs: number,
  ) {
    this.nowMs = startMs
    this.beatMs = startMs
  }

  /** One event; times must not go backwards. */
  play(market: Market | undefined, event: TapeEvent): void {
    if (event.time > this.nowMs) this.advance(event.time)
    if (!market) return
    const { stage } = this
    const { time } = event
    const { pxDecimals, szDecimals, id } = market.row
    if (event.kind === 'trade') this.trade(market, time, event.data)
    else if (event.kind === 'delta') stage.books.change(market, time, event.data)
    else if (event.kind === 'book') stage.books.whole(market, time, event.data)
    else if (event.kind === 'bbo') stage.books.best(market, time, event.data.bid, event.data.ask)
    else if (event.kind === 'mark') {
      market.marked = true
      const mark = price(nearest(event.data.mark, pxDecimals))
      stage.gauges.mark(market, time, mark, price(nearest(event.data.oracle, pxDecimals)))
    } else if (event.kind === 'funding') {
      const { rate, premium } = event.data
      if (market.perp) stage.clock.announce(market, time, rateOf(rate), rateOf(premium))
    } else if (event.kind === 'interest') {
      const reported = size(nearest(event.data.openInterest, szDecimals))
      stage.rows.add('interest', { id: event.seq, instrument: id, timeMs: time, reported })
    } else if (event.kind === 'liquidation') {
      this.settle(market)
      this.forced.set(market, this.force(market, event))
    }
    if (!market.marked) stage.gauges.sample(market, time, () => stage.books.middle(market))
  }

  /** Goes on to the end of the tape. */
  finish(endMs: number): void {
    this.advance(endMs)
    this.flush()
    this.stage.clock.tick(this.stage.markets, endMs + 1)
    for (const forced of this.forced.values()) forced.finish()
  }

  private advance(timeMs: number): void {
    this.flush()
    for (; this.beatMs < timeMs; this.beatMs += BEAT_MS) this.beat(this.beatMs)
    this.stage.tick(timeMs)
    this.stage.clock.tick(this.stage.markets, timeMs)
    this.nowMs = timeMs
  }

  private beat(timeMs: number): void {
    const { stage, dice } = this
    stage.tick(timeMs)
    stage.clock.tick(stage.markets, timeMs)
    const market = dice.pick(stage.markets)
    if (market.px === ZERO) return
    if (dice.chance(0.6)) stage.ladders.lean(market, timeMs, 6 * HOUR_MS)
    if (dice.chance(0.06)) stage.twaps.start(market, timeMs, 5, 60)
    if (dice.chance(0.05)) stage.errands.run(timeMs)
  }

  private trade(market: Market, timeMs: number, data: TapeTrade): void {
    const { side, tid, hash, users } = data
    const px = price(parse(data.px, market.row.pxDecimals))
    const sz = size(parse(data.sz, market.row.szDecimals))
    if (sz <= ZERO || px <= ZERO) throw new RangeError('a trade needs a price and a size above 0')
    const user = users?.[side === 'B' ? 0 : 1]
    const other = users?.[side === 'B' ? 1 : 0]
    const forced = this.forced.get(market)
    const mine = forced?.takes(tid, side) ? forced : undefined
    const open = this.pending.get(market)
    const same = open && open.side === side && open.user === user && open.forced === mine
    if (!same) this.settle(market)
    const { people, bank } = this.stage
    const maker = other === undefined ? undefined : bank.holding(people.namedBy(other), market)
    const print = { px, sz, tid, hash, maker }
    if (same) open.prints.push(print)
    else this.pending.set(market, { side, timeMs, user, forced: mine, prints: [print] })
  }

  private flush(): void {
    if (this.pending.size === 0) return
    for (const market of [...this.pending.keys()]) this.settle(market)
  }

  private settle(market: Market): void {
    const open = this.pending.get(market)
    if (!open) return
    this.pending.delete(market)
    const { stage } = this
    const { side, timeMs, user, prints, forced } = open
    const sz = sum(prints.map((print) => print.sz))
    const named = user === undefined ? undefined : stage.people.namedBy(user)
    const small = market.value(sz) < 4 * market.survey.tradeUsd
    const sliced = !named && !forced?.held && small && this.dice.chance(0.5)
    const program = sliced ? stage.twaps.slice(market, side, sz, timeMs) : undefined
    const owner = named ?? program?.owner
    const taker =
      (named ? undefined : forced?.held) ??
      (owner ? stage.bank.holding(owner, market) : stage.choice.taker(market, side, sz, timeMs))
    forced?.before(taker, timeMs)
    const liquidation = forced?.id
    const done = stage.floor.run({ market, timeMs, side, prints, taker, program, liquidation })
    forced?.after(taker, done)
    stage.moved(market, timeMs)
  }
}
