import {
  absolute,
  add,
  greater,
  negate,
  type Sz,
  subtract,
  sz,
  type Usd,
  ZERO,
} from '../../decimal/quantity.ts'
import type { Dice } from '../../random/dice.ts'
import type { TwapRow } from '../schema.ts'
import type { Market } from './market.ts'
import type { People, Trader } from './people.ts'
import type { Rows, Untimed } from './rows.ts'

/** A TWAP that runs. */
export interface Program extends Untimed<TwapRow> {
  owner: Trader
  market: Market
  /** When it will stop, and how. */
  stopMs: number
  stopStatus: 'finished' | 'terminated'
}

const MINUTES = [5, 10, 15, 30, 30, 60, 120, 240, 480, 720]
const MOST_RUNNING = 3
/** A slice has something of a size. */
const LEAST = sz(1)

/** Who works a large order in slices. */
export class Twaps {
  private readonly running = new Map<number, Program[]>()
  private ids = 0
  /** When the next one stops; late where one has ended before its time. */
  private nextMs = Number.POSITIVE_INFINITY

  constructor(
    private readonly rows: Rows,
    private readonly people: People,
    private readonly dice: Dice,
    private readonly firstId: number,
  ) {}

  /** Somebody starts one of so many minutes, if the instrument has room for it. */
  start(market: Market, timeMs: number, shortest: number, longest: number): void {
    const { dice } = this
    const list = this.of(market)
    const owner = dice.pick(this.people.of('twap'))
    if (list.length >= MOST_RUNNING || owner.joinMs >= timeMs) return
    if (list.some((program) => program.owner === owner)) return
    const fitting = MINUTES.filter((minutes) => minutes >= shortest && minutes <= longest)
    const minutes = dice.pick(fitting.length > 0 ? fitting : [5])
    const held = market.holdings.get(owner.id)
    const reduces = held !== undefined && held.sz !== ZERO && dice.chance(0.7)
    const side = reduces ? (held.sz > ZERO ? 'A' : 'B') : dice.chance(0.5) ? 'B' : 'A'
    const usd = market.survey.usdPerSecond * minutes * 60 * (0.01 + 0.025 * dice.unit())
    const most = Math.min(usd, 1.5 * owner.wealthUsd)
    const wanted = market.size(Math.max(most, 4 * market.survey.tradeUsd))
    const size = reduces ? absolute(held.sz) : wanted
    const terminated = dice.chance(0.15)
    const part = terminated ? 0.2 + 0.7 * dice.unit() : 1
    const stopMs = timeMs + Math.floor(minutes * 60_000 * part)
    this.nextMs = Math.min(this.nextMs, stopMs)
    list.push({
      id: this.firstId + this.ids++,
      trader: owner.id,
      instrument: market.row.id,
      side,
      sz: size,
      minutes,
      reduceOnly: reduces && market.perp,
      randomize: dice.chance(0.3),
      timeMs,
      endMs: null,
      endStatus: null,
      executedSz: ZERO,
      executedNotional: ZERO,
      owner,
      market,
      stopMs,
      stopStatus: terminated ? 'terminated' : 'finished',
    })
    this.running.set(market.row.id, list)
  }

  /** One of the running that can take a slice of `sz` on `side` (ZERO: any; null: any side). */
  slice(market: Market, side: 'B' | 'A' | null, sz: Sz, timeMs: number): Program | undefined {
    const fits = this.of(market).filter(
      (program) =>
        (side === null || program.side === side) &&
        subtract(program.sz, program.executedSz) >= greater(sz, LEAST) &&
        program.stopMs > timeMs &&
        this.reduces(program, sz),
    )
    return fits.length > 0 ? this.dice.pick(fits) : undefined
  }

  done(program: Program, sz: Sz, notional: Usd, timeMs: number): void {
    program.executedSz = add(program.executedSz, sz)
    program.executedNotional = add(program.executedNotional, notional)
    if (program.executedSz === program.sz) this.end(program, timeMs, 'finished')
  }

  /** Stops those whose time is over. */
  tick(timeMs: number): void {
    if (timeMs < this.nextMs) return
    this.nextMs = Number.POSITIVE_INFINITY
    for (const list of [...this.running.values()])
      for (const program of list)
        if (program.stopMs <= timeMs) this.end(program, program.stopMs, program.stopStatus)
        else this.nextMs = Math.min(this.nextMs, program.stopMs)
  }

  /** Writes those that run on. */
  finish(): void {
    for (const list of this.running.values()) for (const program of list) this.write(program)
  }

  /** A reduce-only slice may not be larger than what is left of the position. */
  private reduces({ reduceOnly, owner, market, side }: Program, sz: Sz): boolean {
    if (!reduceOnly) return true
    const held = market.holdings.get(owner.id)?.sz ?? ZERO
    return (side === 'A' ? held : negate(held)) >= greater(sz, LEAST)
  }

  private of(market: Market): Program[] {
    return this.running.get(market.row.id) ?? []
  }

  private end(program: Program, timeMs: number, status: 'finished' | 'terminated'): void {
    program.endMs = timeMs
    program.endStatus = status
    const rest = this.of(program.market).filter((one) => one !== program)
    this.running.set(program.instrument, rest)
    this.write(program)
  }

  private write(program: Program): void {
    this.rows.add('twap', program)
  }
}
