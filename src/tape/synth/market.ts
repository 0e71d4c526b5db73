import { power } from '../../decimal/scaled.ts'
import type { Dice } from '../../random/dice.ts'
import type { Draft } from '../event.ts'
import { Agenda, type Task } from './agenda.ts'
import { fills } from './fills.ts'
import { type Forced, forced } from './forced.ts'
import { Gauges } from './gauges.ts'
import { type Ladder, ladder } from './ladder.ts'
import { look, Makers, type View } from './maker.ts'
import type { Cascade } from './plot.ts'
import { FairPrice } from './price.ts'
import { Printer } from './printer.ts'
import type { Profile } from './roster.ts'
import { type Half, Shelves } from './shelves.ts'
import { Takers } from './taker.ts'
import { STEP_MS, type Weather } from './weather.ts'

const EVERY = { mark: 3000, interest: 30_000, snapshot: 60_000, funding: 3_600_000 }

/** How stale quotes make their makers look again at once. */
const ALARM = 1

/** One instrument's market: its book, those who quote and those who take, and what it publishes. */
export class Market {
  readonly price: FairPrice
  private readonly rungs: Ladder
  private readonly book = new Shelves()
  private readonly makers: Makers
  private readonly takers: Takers
  private readonly gauges: Gauges
  private readonly printer: Printer
  private readonly pace: Dice
  private readonly splits: Dice
  private readonly agenda: Agenda
  private snapshotMs: number
  private arrivals: number[] = []
  private plans: Forced[] = []
  private plannedUntilMs = 0
  private lastRung = 0
  private weather: Weather = { move: 0, heat: 1, quiet: 0, stress: 0, driftPerS: 0 }

  constructor(
    private readonly profile: Profile,
    private readonly dice: Dice,
    nextTid: () => number,
    private readonly startMs: number,
    leader?: Market,
  ) {
    this.price = new FairPrice(profile, dice.fork('price'), leader?.price)
    this.rungs = ladder(profile.pxDecimals)
    this.makers = new Makers(profile, dice.fork('makers'))
    this.takers = new Takers(profile, dice.fork('takers'))
    this.pace = dice.fork('pace')
    this.splits = dice.fork('splits')
    const interest = Math.round(profile.interestUsd / this.lotUsd())
    this.gauges = new Gauges(profile, this.rungs, dice.fork('gauges'), interest)
    this.printer = new Printer(profile, this.rungs, nextTid)
    this.agenda = new Agenda(profile.kind === 'perp', this.pace.between(1, profile.refreshMs))
    this.snapshotMs = this.pace.between(0.4 * EVERY.snapshot, EVERY.snapshot)
  }

  /** The first book. */
  open(): Draft {
    this.makers.open(this.book, this.view())
    this.lastRung = this.book.best('bids')
    this.book.changes()
    return this.printer.levels('book', this.startMs, this.book)
  }

  /** What happens in the step that begins `fromMs` after the start, in order of time. */
  step(fromMs: number, weather: Weather, cascade: Cascade): Draft[] {
    this.weather = weather
    this.price.step(weather)
    this.plan(cascade)
    const pull = this.pull()
    if (Math.abs(pull) > ALARM) this.hurry(fromMs)
    this.arrivals = this.takers.arrivals(weather, pull).map((ms) => fromMs + ms)
    this.agenda.set('order', this.arrivals.shift())
    const events: Draft[] = []
    for (;;) {
      const { task, ms } = this.agenda.next()
      if (ms >= fromMs + STEP_MS) return events
      events.push(...this.run(task, ms))
    }
  }

  private run(task: Task, ms: number): Draft[] {
    if (task === 'forced') return this.close(ms)
    if (task === 'order') return this.order(ms)
    if (task === 'refresh') return this.refresh(ms)
    const [time, { coin }] = [this.startMs + ms, this.profile]
    const late = task === 'funding' ? time % EVERY.funding : 0
    this.agenda.set(task, ms + EVERY[task] - late)
    if (task === 'mark') return [this.mark(time)]
    if (task === 'funding') return [{ time, kind: task, coin, data: this.gauges.funding() }]
    return [{ time, kind: task, coin, data: this.gauges.openInterest() }]
  }

  private refresh(ms: number): Draft[] {
    const hurry = 1 + 0.6 * this.weather.stress
    const waitMs = (this.profile.refreshMs * (0.7 + 0.6 * this.pace.unit())) / hurry
    this.agenda.set('refresh', ms + Math.ceil(waitMs))
    this.makers.refresh(this.book, this.view())
    const change = this.book.changes()
    if (ms >= this.snapshotMs) {
      this.snapshotMs += EVERY.snapshot
      return [this.printer.levels('book', this.startMs + ms, this.book)]
    }
    return change ? [this.printer.levels('delta', this.startMs + ms, change)] : []
  }

  private order(ms: number): Draft[] {
    this.agenda.set('order', this.arrivals.shift())
    const { half, lots } = this.takers.order(this.book, this.view(), this.pull(), this.weather)
    if (this.book.thin(half)) return this.refresh(ms)
    this.gauges.traded(lots)
    return this.execute(ms, half, lots).events
  }

  /** A forced closing: the mark it was judged by, the closing itself, and the trades that do it. */
  private close(ms: number): Draft[] {
    const plan = this.plans.shift()
    this.agenda.set('forced', this.plans[0]?.atMs)
    if (!plan) return []
    const half: Half = plan.position === 'long' ? 'bids' : 'asks'
    const before = this.book.thin(half) ? this.refresh(ms) : []
    const lots = Math.min(plan.lots, this.book.standing(half, Number.POSITIVE_INFINITY))
    const [time, { coin }] = [this.startMs + ms, this.profile]
    const mark = this.mark(time)
    const { events, tids } = this.execute(ms, half, lots)
    this.gauges.closed(lots)
    const sz = this.printer.size(lots)
    const data = { position: plan.position, sz, markPx: mark.data.mark, tids }
    return [...before, mark, { time, kind: 'liquidation', coin, data }, ...events]
  }

  /** A taker's order meets the book: its trades, then what is left of the levels. */
  private execute(ms: number, half: Half, lots: number): { events: Draft[]; tids: number[] } {
    const time = this.startMs + ms
    const best = this.book.best(half)
    const shelves = this.book.take(half, lots)
    this.lastRung = shelves.at(-1)?.rung ?? this.lastRung
    const parts = shelves.flatMap((shelf) => fills(shelf, this.splits))
    const trades = this.printer.trades(time, half, parts)
    const change = this.book.changes()
    const after = change ? [this.printer.levels('delta', time, change)] : []
    const levels = (lots * this.lotUsd()) / this.profile.levelUsd
    this.price.pressed(half === 'asks' ? 1 : -1, levels)
    // Makers step in soon after the best price has gone.
    if (this.book.best(half) !== best) this.hurry(ms)
    return { events: [...trades, ...after], tids: trades.map(({ data }) => data.tid) }
  }

  /** The makers look again soon. */
  private hurry(ms: number): void {
    this.agenda.hasten('refresh', ms + this.pace.between(40, 260))
  }

  private mark(time: number): Draft & { kind: 'mark' } {
    const data = this.gauges.mark(this.price.units(), this.book, this.lastRung)
    return { time, kind: 'mark', coin: this.profile.coin, data }
  }

  private plan(cascade: Cascade): void {
    if (cascade.toMs <= this.plannedUntilMs) return
    this.plannedUntilMs = cascade.toMs
    const dice = this.dice.fork(`forced ${cascade.fromMs}`)
    this.plans = forced(this.profile, cascade, this.lotUsd(), dice)
    this.agenda.set('forced', this.plans[0]?.atMs)
  }

  private view(): View {
    return look(this.profile, this.weather, this.fair(), this.lotUsd())
  }

  private fair(): number {
    return this.rungs.rungOf(this.price.units())
  }

  /** How far the fair price stands above the middle; beyond one the quotes are stale. */
  private pull(): number {
    const above = this.fair() - this.book.mid()
    return above / this.makers.patience(this.book)
  }

  private lotUsd(): number {
    return this.price.dollars() / power(this.profile.szDecimals)
  }
}
