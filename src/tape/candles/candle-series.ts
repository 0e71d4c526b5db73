/** Candles of one coin, each checked against the earlier ones. */
import { DAY_MS, MINUTE_MS } from '../../clock/instant.ts'
import { UserError } from '../../platform/user-error.ts'
import type { CandleField, TimeForm } from './candle-file.ts'

/** A candle as written. */
export interface RecordedCandle {
  /** Line of the file, counted from 1. */
  line: number
  /** Start. */
  timeMs: number
  open: string
  high: string
  low: string
  close: string
  /** In units of the coin. */
  volume: string
}

/** Candles of one length, oldest first, without a gap where none is allowed. */
export interface RecordedCandles {
  file: string
  /** null where the file does not name the coin. */
  coin: string | null
  lengthMs: number
  candles: readonly RecordedCandle[]
  /** Number of intervals between them that have no candle. */
  missing: number
}

/** Whether intervals may have no candle, as exchanges write none where nothing was traded. */
export type CandleGaps = 'refused' | 'counted'

/** No price doubles or halves from one candle to the next, or changes tenfold within one. */
const JUMP_MAX = 2
const RANGE_MAX = 10

export class CandleSeries {
  private readonly candles: RecordedCandle[] = []
  private form: TimeForm | null = null
  private lengthMs = 0
  private missing = 0

  constructor(
    private readonly file: string,
    readonly coin: string | null,
    private readonly gaps: CandleGaps = 'refused',
  ) {}

  /** Takes the next line; a UserError names its line and field. */
  add(candle: RecordedCandle, form: TimeForm): void {
    this.checkForm(candle, form)
    this.checkTime(candle)
    this.checkPrices(candle)
    this.candles.push(candle)
  }

  /** All of them; a UserError when their length is unknown. */
  result(): RecordedCandles {
    const { file, coin, lengthMs, candles, missing } = this
    if (candles.length < 2)
      throw new UserError(
        `${file}: ${coin === null ? '' : `of ${coin} `}there is only one candle: two at least ` +
          'are needed, which say how long they are',
      )
    return { file, coin, lengthMs, candles, missing }
  }

  private checkForm({ line }: RecordedCandle, form: TimeForm): void {
    this.form ??= form
    if (form !== this.form)
      throw this.flaw(line, 'time', `${form}, and the lines before have ${this.form}: one of them`)
  }

  private checkTime({ line, timeMs }: RecordedCandle): void {
    const before = this.candles.at(-1)
    if (timeMs % MINUTE_MS !== 0)
      throw this.flaw(line, 'time', `${isoOf(timeMs)} is no full minute, where candles begin`)
    if (before === undefined) return
    const stepMs = timeMs - before.timeMs
    if (stepMs === 0)
      throw this.flaw(line, 'time', `${isoOf(timeMs)} is there twice: also in line ${before.line}`)
    if (stepMs < 0)
      throw this.flaw(
        line,
        'time',
        `${isoOf(timeMs)} is before ${isoOf(before.timeMs)} in line ${before.line}: oldest first`,
      )
    if (this.lengthMs === 0) this.setLength(line, stepMs)
    if (stepMs !== this.lengthMs && !this.isGap(line, stepMs, before))
      throw this.flaw(
        line,
        'time',
        `${isoOf(timeMs)} follows ${isoOf(before.timeMs)}, and the candles are of ` +
          `${minutesText(this.lengthMs)}: next is ${isoOf(before.timeMs + this.lengthMs)}`,
      )
  }

  /** Counts the intervals of an allowed gap; a shorter step shows that earlier ones were gaps. */
  private isGap(line: number, stepMs: number, { timeMs: beforeMs }: RecordedCandle): boolean {
    if (this.gaps === 'refused') return false
    if (stepMs % this.lengthMs === 0) {
      this.missing += stepMs / this.lengthMs - 1
      return true
    }
    if (this.lengthMs % stepMs !== 0) return false
    this.setLength(line, stepMs)
    const firstMs = this.candles[0]?.timeMs ?? beforeMs
    this.missing = (beforeMs - firstMs) / stepMs - (this.candles.length - 1)
    return true
  }

  private setLength(line: number, lengthMs: number): void {
    if (lengthMs > DAY_MS || DAY_MS % lengthMs !== 0)
      throw this.flaw(
        line,
        'time',
        `it is ${minutesText(lengthMs)} after the line before: candles have a length that ` +
          'divides a day, such as 1, 5, 15, 60 or 1440 minutes',
      )
    this.lengthMs = lengthMs
  }

  private checkPrices({ line, open, high, low, close }: RecordedCandle): void {
    const [o, h, l, c] = [open, high, low, close].map(Number) as [number, number, number, number]
    const before = this.candles.at(-1)
    if (h < l) throw this.flaw(line, 'high', `${high} is below the low, ${low}`)
    if (h < Math.max(o, c))
      throw this.flaw(
        line,
        'high',
        `${high} is below the ${h < o ? `open, ${open}` : `close, ${close}`}`,
      )
    if (l > Math.min(o, c))
      throw this.flaw(
        line,
        'low',
        `${low} is above the ${l > o ? `open, ${open}` : `close, ${close}`}`,
      )
    if (h > l * RANGE_MAX)
      throw this.flaw(line, 'high', `${high} is over ${RANGE_MAX} times the low, ${low}: one unit`)
    const jump = before === undefined ? 1 : o / Number(before.close)
    if (jump > JUMP_MAX || jump < 1 / JUMP_MAX)
      throw this.flaw(
        line,
        'open',
        `${open}, and the candle before closed at ${before?.close}: prices of one market, one unit`,
      )
  }

  private flaw(line: number, field: CandleField, what: string): UserError {
    return candleFlaw(this.file, line, field, what)
  }
}

/** An error for a field of a line. */
export const candleFlaw = (file: string, line: number, field: string, what: string): UserError =>
  new UserError(`${file}: line ${line}, ${field}: ${what}`)

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString().replace('.000Z', 'Z')

const minutesText = (ms: number): string => `${ms / MINUTE_MS} min`
