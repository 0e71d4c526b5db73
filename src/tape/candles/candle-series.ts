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

/** Candles of one length, oldest first; exchanges write none where nothing was traded. */
export interface RecordedCandles {
  file: string
  /** null where the file does not name the coin. */
  coin: string | null
  lengthMs: number
  candles: readonly RecordedCandle[]
  /** Number of intervals between them that have no candle. */
  missing: number
}

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
    const [, second] = candles
    if (second === undefined)
      throw new UserError(
        `${file}: ${coin === null ? '' : `of ${coin} `}there is only one candle: two at least ` +
          'are needed, which say how long they are',
      )
    if (candles.every(beginsMonth)) throw this.flaw(second.line, 'time', `a month ${TOO_LONG}`)
    if (!isLength(lengthMs)) throw this.lengthFlaw(second.line)
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
    if (this.lengthMs === 0) this.lengthMs = stepMs
    else if (!this.isStep(stepMs, before))
      throw this.flaw(
        line,
        'time',
        `${isoOf(timeMs)} follows ${isoOf(before.timeMs)}, and the candles are of ` +
          `${minutesText(this.lengthMs)}: next is ${isoOf(before.timeMs + this.lengthMs)}`,
      )
  }

  /** Counts the intervals of a gap; a shorter step shows that earlier ones were gaps. */
  private isStep(stepMs: number, { timeMs: beforeMs }: RecordedCandle): boolean {
    const lengthMs = commonLength(this.lengthMs, stepMs)
    // A first step that divides no day was a gap, or else the file is refused in the end.
    if (lengthMs !== stepMs && lengthMs !== this.lengthMs && DAY_MS % this.lengthMs === 0)
      return false
    if (lengthMs !== this.lengthMs) {
      this.lengthMs = lengthMs
      const firstMs = this.candles[0]?.timeMs ?? beforeMs
      this.missing = (beforeMs - firstMs) / lengthMs - (this.candles.length - 1)
    }
    this.missing += stepMs / lengthMs - 1
    return true
  }

  private lengthFlaw(line: number): UserError {
    const days = this.lengthMs / DAY_MS
    const isLonger = days > 7 && Number.isInteger(days)
    return this.flaw(
      line,
      'time',
      isLonger
        ? `${days} days ${TOO_LONG}`
        : `it is ${minutesText(this.lengthMs)} after the line before: candles have a length that ` +
            'divides a day, such as 1, 5, 15, 60 or 1440 minutes, or is of whole days up to a week',
    )
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

const WEEK_MS = 7 * DAY_MS

const TOO_LONG = 'after the line before: candles are of a week at most, take 1w or shorter ones'

/** Parts of a day, or whole days up to a week. */
const isLength = (ms: number): boolean => DAY_MS % ms === 0 || (ms % DAY_MS === 0 && ms <= WEEK_MS)

/** Months are of several lengths, of which a day is the common one. */
const beginsMonth = ({ timeMs }: RecordedCandle): boolean =>
  timeMs % DAY_MS === 0 && new Date(timeMs).getUTCDate() === 1

/** The longest length of which both are multiples. */
const commonLength = (a: number, b: number): number => (b === 0 ? a : commonLength(b, a % b))

const isoOf = (timeMs: number): string => new Date(timeMs).toISOString().replace('.000Z', 'Z')

const minutesText = (ms: number): string => `${ms / MINUTE_MS} min`
