import {
  absolute,
  add,
  lesser,
  raw,
  type Sz,
  sz as size,
  subtract,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { TwapRow } from '../../schema/schema.ts'
import type { Holding } from '../market/market-state.ts'
import type { RowNumbers } from '../row-numbers.ts'
import type { Acting } from '../venue.ts'
import type { RowSink, Untimed } from '../writing/row-sink.ts'

/** Parameters of a TWAP order. */
export interface TwapOrder {
  holding: Holding
  side: 'B' | 'A'
  sz: Sz
  minutes: number
  reduceOnly: boolean
  /** Share of the duration after which its owner cancels it; 1 for none. */
  share: number
  /** Its slices come from elsewhere: it plans none. */
  isFed?: boolean
}

/** The venue's slice interval, and the largest factor by which a slice may catch up. */
const SLICE_MS = 30_000
const CATCH_UP = 3
/** Probability that a suborder is skipped for slippage. */
const MISSED = 0.03
/** Spread of sizes where the owner chose randomisation. */
const VARIATION = 0.2

/** TWAP orders that are worked in slices. */
export class TwapPrograms {
  private readonly running = new Set<TwapProgram>()

  constructor(
    private readonly rows: RowSink,
    private readonly acting: Acting,
    private readonly random: RandomSource,
    private readonly numbers: RowNumbers,
  ) {}

  /** The TWAP of a trader in this instrument that takes slices from elsewhere, if any. */
  fed(holding: Holding, side: 'B' | 'A'): TwapProgram | undefined {
    for (const one of this.running)
      if (one.holding === holding && one.isFed && one.side === side) return one
    return undefined
  }

  /** Whether a trader has a running TWAP in this instrument. */
  isRunning(holding: Holding): boolean {
    for (const program of this.running) if (program.holding === holding) return true
    return false
  }

  start(order: TwapOrder, timeMs: number): TwapProgram {
    const { holding, minutes, share } = order
    const { account, market } = holding
    const program: TwapProgram = {
      id: this.numbers.next('twap'),
      trader: account.agent.id,
      instrument: market.row.id,
      side: order.side,
      sz: order.sz,
      minutes,
      reduceOnly: order.reduceOnly && market.isPerp,
      randomize: this.random.chance(0.3),
      timeMs,
      endMs: null,
      endStatus: null,
      executedSz: ZERO,
      executedNotional: ZERO,
      holding,
      stopMs: timeMs + Math.floor(minutes * 60_000 * share),
      stopStatus: share < 1 ? 'terminated' : 'finished',
      isFed: order.isFed === true,
    }
    this.running.add(program)
    this.plan(program, timeMs + this.random.between(200, 900))
    return program
  }

  recordSlice(program: TwapProgram, sz: Sz, notional: Usd, timeMs: number): void {
    program.executedSz = add(program.executedSz, sz)
    program.executedNotional = add(program.executedNotional, notional)
    if (program.executedSz === program.sz) this.end(program, timeMs, 'finished')
  }

  /** Restores a running TWAP whose next slice is due at an instant. */
  restore(program: TwapProgram, sliceMs: number): void {
    this.running.add(program)
    this.plan(program, sliceMs)
  }

  /** Writes those that are still running. */
  finish(): void {
    for (const program of this.running) this.write(program)
  }

  private plan(program: TwapProgram, timeMs: number): void {
    const { tasks } = this.acting
    if (timeMs < program.stopMs && !program.isFed)
      tasks.put(timeMs, () => this.slice(program, timeMs))
    else tasks.put(program.stopMs, () => this.end(program, program.stopMs, program.stopStatus))
  }

  private slice(program: TwapProgram, timeMs: number): void {
    if (program.endMs !== null) return
    const { holding, side, reduceOnly } = program
    const sz = this.dueSize(program, timeMs)
    if (sz > ZERO && !this.random.chance(MISSED))
      this.acting.venue.submit({ holding, side, sz, reduceOnly, limitPx: null, program }, timeMs)
    this.plan(program, timeMs + SLICE_MS)
  }

  /** Size due after this slice less what was executed. */
  private dueSize(program: TwapProgram, timeMs: number): Sz {
    const { holding, sz, executedSz, minutes, randomize } = program
    const lot = raw(holding.market.survey.lot)
    const count = (minutes * 60_000) / SLICE_MS
    const place = Math.floor((timeMs - program.timeMs) / SLICE_MS) + 1
    const whole = Math.max(lot, Math.floor(raw(sz) / count / lot) * lot)
    const left = subtract(sz, executedSz)
    const behind = (raw(sz) * Math.min(place, count)) / count - raw(executedSz)
    const vary = randomize ? 1 + VARIATION * (2 * this.random.unit() - 1) : 1
    const due = place >= count ? raw(left) : behind * vary
    const wanted = Math.min(Math.floor(due / lot) * lot, CATCH_UP * whole)
    const sized = lesser(size(Math.max(0, wanted)), left)
    return program.reduceOnly ? lesser(sized, this.reducible(program)) : sized
  }

  private reducible({ holding, side }: TwapProgram): Sz {
    return holding.sz > ZERO === (side === 'A') ? absolute(holding.sz) : ZERO
  }

  private end(program: TwapProgram, timeMs: number, status: 'finished' | 'terminated'): void {
    if (program.endMs !== null) return
    program.endMs = timeMs
    program.endStatus = status
    this.running.delete(program)
    this.write(program)
  }

  private write(program: TwapProgram): void {
    this.rows.add('twap', program)
  }
}

/** A running TWAP. */
export interface TwapProgram extends Untimed<TwapRow> {
  holding: Holding
  /** When and how it will stop. */
  stopMs: number
  stopStatus: 'finished' | 'terminated'
  /** Its slices come from elsewhere: it plans none. */
  isFed?: boolean
}
