/**
 * The candles held by a chart: a gapless, bounded span. Scrolling back prepends older ones, and
 * then evicts the newest; pushes are appended while the end is the present. The service omits
 * intervals without trades: there the price stays at the last close, with no volume.
 */

/** A candle; times are its start, s. */
export interface Bar {
  time: number
  open: number
  high: number
  low: number
  close: number
  volume: number
}

/** The range of a day with its newest price, which is newer than the candles. */
export const rangeWith = (
  { high, low }: Pick<Bar, 'high' | 'low'>,
  price: number,
): Pick<Bar, 'high' | 'low'> => ({ high: Math.max(high, price), low: Math.min(low, price) })

/** Longer spans without trades, in candles, are not filled. */
const LONGEST_FILLED = 1000

export class CandleWindow {
  private held: Bar[] = []
  /** Whether the last one is current. */
  isAtPresent = true

  /** `most` candles of `seconds` each. */
  constructor(
    private readonly most: number,
    private readonly seconds: number,
  ) {}

  /** Oldest first. */
  get bars(): readonly Bar[] {
    return this.held
  }

  /** Restarts with the newest. */
  replace(bars: readonly Bar[]): void {
    this.held = withFlatBars(bars, this.seconds).slice(-this.most)
    this.isAtPresent = true
  }

  /** Prepends older candles; evicts the newest beyond the limit. */
  addOlder(bars: readonly Bar[]): void {
    const [first] = this.held
    const older = first === undefined ? bars : bars.filter(({ time }) => time < first.time)
    const all = withFlatBars([...older, ...this.held.slice(0, 1)], this.seconds)
    all.push(...this.held.slice(1))
    if (all.length > this.most) this.isAtPresent = false
    this.held = all.slice(0, this.most)
  }

  /** Replaces candles from a time on; evicts the oldest. */
  addNewer(bars: readonly Bar[], isPresent: boolean): void {
    const [first, last] = [bars[0], bars.at(-1)]
    this.isAtPresent = isPresent
    if (first === undefined || last === undefined) return
    const before = this.held.filter(({ time }) => time < first.time)
    const after = this.held.filter(({ time }) => time > last.time)
    const joined = withFlatBars([...before.slice(-1), ...bars], this.seconds)
    this.held = [...before.slice(0, -1), ...joined, ...after].slice(-this.most)
  }

  /**
   * Takes a pushed candle: null when it is not current, else whether it is new. Others may be
   * missing before it.
   */
  push(bar: Bar): 'changed' | 'added' | null {
    const last = this.held.at(-1)
    if (!this.isAtPresent || last === undefined || bar.time < last.time) return null
    if (bar.time === last.time) {
      this.held[this.held.length - 1] = bar
      return 'changed'
    }
    this.held.push(bar)
    if (this.held.length > this.most) this.held.shift()
    return 'added'
  }
}

/** The same candles, oldest first, with flat ones for missing intervals of `seconds`. */
function withFlatBars(bars: readonly Bar[], seconds: number): Bar[] {
  const all: Bar[] = []
  for (const bar of bars) {
    const before = all.at(-1)
    if (before) all.push(...flatBars(before, bar.time, seconds))
    all.push(bar)
  }
  return all
}

function flatBars({ time, close }: Bar, nextS: number, seconds: number): Bar[] {
  const missing = (nextS - time) / seconds - 1
  if (missing > LONGEST_FILLED) return []
  return Array.from({ length: missing }, (_, at) => {
    const flat = { open: close, high: close, low: close, close, volume: 0 }
    return { time: time + (at + 1) * seconds, ...flat }
  })
}

/** Selectable lengths of candles. */
export interface CandleInterval {
  name: string
  seconds: number
  /** Whether the channel has it; candles of other lengths are polled. */
  isPushed: boolean
}

export const CANDLE_INTERVALS = [
  { name: '1s', seconds: 1, isPushed: true },
  { name: '5s', seconds: 5, isPushed: true },
  { name: '15s', seconds: 15, isPushed: true },
  { name: '1m', seconds: 60, isPushed: true },
  { name: '5m', seconds: 300, isPushed: false },
  { name: '15m', seconds: 900, isPushed: true },
  { name: '1h', seconds: 3600, isPushed: true },
  { name: '4h', seconds: 14_400, isPushed: true },
  { name: '1d', seconds: 86_400, isPushed: false },
] as const satisfies readonly CandleInterval[]

/** The interval of a name; a minute for an unknown one. */
export const candleInterval = (name: string | undefined): CandleInterval =>
  CANDLE_INTERVALS.find((one) => one.name === name) ?? CANDLE_INTERVALS[3]
