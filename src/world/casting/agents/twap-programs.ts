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
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { TwapRow } from '../../schema.ts'
import type { MarketState } from '../market/market-state.ts'
import type { RowSink, Untimed } from '../writing/row-sink.ts'
import type { Agent, AgentPool } from './agents.ts'

/** A TWAP that runs. */
export interface TwapProgram extends Untimed<TwapRow> {
  owner: Agent
  market: MarketState
  /** When it will stop, and how. */
  stopMs: number
  stopStatus: 'finished' | 'terminated'
}

const DURATIONS_MIN = [5, 10, 15, 30, 30, 60, 120, 240, 480, 720]
const RUNNING_MAX = 3
/** The smallest slice. */
const SLICE_MIN = sz(1)

/** Large orders that are worked in slices. */
export class TwapPrograms {
  private readonly running = new Map<number, TwapProgram[]>()
  private ids = 0
  /** None of the running stops before this; once one has ended early, the next may stop later. */
  private nextMs = Number.POSITIVE_INFINITY

  constructor(
    private readonly rows: RowSink,
    private readonly agents: AgentPool,
    private readonly random: RandomSource,
    private readonly firstId: number,
  ) {}

  /** An agent starts one of so many minutes, if the instrument has room for it. */
  start(market: MarketState, timeMs: number, minMinutes: number, maxMinutes: number): void {
    const { random } = this
    const list = this.of(market)
    const owner = random.pick(this.agents.of('twap'))
    if (list.length >= RUNNING_MAX || owner.joinMs >= timeMs) return
    if (list.some((program) => program.owner === owner)) return
    const fitting = DURATIONS_MIN.filter(
      (minutes) => minutes >= minMinutes && minutes <= maxMinutes,
    )
    const minutes = random.pick(fitting.length > 0 ? fitting : [5])
    const holding = market.holdings.get(owner.id)
    const reduces = holding !== undefined && holding.sz !== ZERO && random.chance(0.7)
    const side = reduces ? (holding.sz > ZERO ? 'A' : 'B') : random.chance(0.5) ? 'B' : 'A'
    const usd = market.survey.usdPerSecond * minutes * 60 * (0.01 + 0.025 * random.unit())
    const budgetUsd = Math.min(usd, 1.5 * owner.wealthUsd)
    const wantedSz = market.sizeFor(Math.max(budgetUsd, 4 * market.survey.tradeUsd))
    const size = reduces ? absolute(holding.sz) : wantedSz
    const terminated = random.chance(0.15)
    const share = terminated ? 0.2 + 0.7 * random.unit() : 1
    const stopMs = timeMs + Math.floor(minutes * 60_000 * share)
    this.nextMs = Math.min(this.nextMs, stopMs)
    list.push({
      id: this.firstId + this.ids++,
      trader: owner.id,
      instrument: market.row.id,
      side,
      sz: size,
      minutes,
      reduceOnly: reduces && market.isPerp,
      randomize: random.chance(0.3),
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
  slice(
    market: MarketState,
    side: 'B' | 'A' | null,
    sz: Sz,
    timeMs: number,
  ): TwapProgram | undefined {
    const fits = this.of(market).filter(
      (program) =>
        (side === null || program.side === side) &&
        subtract(program.sz, program.executedSz) >= greater(sz, SLICE_MIN) &&
        program.stopMs > timeMs &&
        this.reduces(program, sz),
    )
    return fits.length > 0 ? this.random.pick(fits) : undefined
  }

  recordSlice(program: TwapProgram, sz: Sz, notional: Usd, timeMs: number): void {
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

  /** Writes those that are still running. */
  finish(): void {
    for (const list of this.running.values()) for (const program of list) this.write(program)
  }

  /** A reduce-only slice may not be larger than what is left of the position. */
  private reduces({ reduceOnly, owner, market, side }: TwapProgram, sz: Sz): boolean {
    if (!reduceOnly) return true
    const holding = market.holdings.get(owner.id)?.sz ?? ZERO
    return (side === 'A' ? holding : negate(holding)) >= greater(sz, SLICE_MIN)
  }

  private of(market: MarketState): TwapProgram[] {
    return this.running.get(market.row.id) ?? []
  }

  private end(program: TwapProgram, timeMs: number, status: 'finished' | 'terminated'): void {
    program.endMs = timeMs
    program.endStatus = status
    const rest = this.of(program.market).filter((one) => one !== program)
    this.running.set(program.instrument, rest)
    this.write(program)
  }

  private write(program: TwapProgram): void {
    this.rows.add('twap', program)
  }
}
