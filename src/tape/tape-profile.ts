/** A tape's course over time: prices, turnover, spreads by interval, silences. */

import { type Silence, SilenceLog, type Silences } from '../market/bars/silence-log.ts'
import type { GapData } from './recorded-data.ts'
import type { TapeEvent, TapeHeader } from './tape-event.ts'
import type { Quote } from './tape-inspection.ts'

/** One coin over intervals of equal length. */
export interface CoinProfile {
  coin: string
  /** The last price of each interval; null before the first one. Mid prices without trades. */
  prices: (number | null)[]
  /** The lowest and highest price of each interval; null for none. */
  lows: (number | null)[]
  highs: (number | null)[]
  /** Turnover of each interval, in the quote currency. */
  turnovers: number[]
  /** Mean spread of each interval, basis points of the mid; null without a quote. */
  spreads: (number | null)[]
  /** The mean of all quotes. */
  meanSpread: number | null
  /** The longest time without any event of the coin, ms. */
  longestPauseMs: number
}

export interface TapeProfileSummary {
  intervalMs: number
  coins: CoinProfile[]
  /** Spans without any event. */
  silences: Silences
  /** A recorder's counts; null for none. */
  recording: RecordingSummary | null
}

/** Maximum number of listed silences. */
const LISTED_MAX = 10

/** Builds the profile from a tape's events in order; memory depends on coins and intervals only. */
export class TapeProfile {
  private readonly coins = new Map<string, CoinIntervals>()
  private readonly silences: SilenceLog
  private readonly recording = new RecordingProfile()
  private readonly intervalMs: number

  constructor(
    private readonly header: TapeHeader,
    private readonly intervals: number,
  ) {
    const { startMs, endMs, counts } = header
    const events = Object.values(counts).reduce((sum, count) => sum + count, 0)
    this.intervalMs = Math.max(1, (endMs - startMs + 1) / intervals)
    this.silences = new SilenceLog(startMs, (endMs - startMs) / Math.max(1, events), LISTED_MAX)
  }

  /** Takes the next event, and the quote after it where it changes one. */
  observe(event: TapeEvent, quote: Quote | null): void {
    this.silences.observe(event.time)
    // A gap may be of one coin.
    if (event.coin === COIN_OF_NONE || event.kind === 'gap') return this.recording.observe(event)
    let coin = this.coins.get(event.coin)
    if (!coin) {
      coin = new CoinIntervals(this.intervals, this.header.startMs)
      this.coins.set(event.coin, coin)
    }
    const last = this.intervals - 1
    const at = Math.min(last, Math.floor((event.time - this.header.startMs) / this.intervalMs))
    coin.pause(event.time)
    if (event.kind === 'trade') coin.trade(at, Number(event.data.px), Number(event.data.sz))
    else if (quote) coin.quote(at, quote)
  }

  summary(): TapeProfileSummary {
    const { intervalMs, header, silences, recording } = this
    return {
      intervalMs,
      coins: [...this.coins].map(([coin, one]) => one.profile(coin, header.endMs)),
      silences: silences.result(header.endMs),
      recording: recording.summary(),
    }
  }
}

class CoinIntervals {
  private readonly traded: PriceIntervals
  private readonly mids: PriceIntervals
  private readonly turnovers: number[]
  private readonly spreadSums: number[]
  private readonly quotes: number[]
  private longestPauseMs = 0

  constructor(
    intervals: number,
    private latestMs: number,
  ) {
    this.traded = new PriceIntervals(intervals)
    this.mids = new PriceIntervals(intervals)
    this.turnovers = Array(intervals).fill(0)
    this.spreadSums = Array(intervals).fill(0)
    this.quotes = Array(intervals).fill(0)
  }

  pause(timeMs: number): void {
    this.longestPauseMs = Math.max(this.longestPauseMs, timeMs - this.latestMs)
    this.latestMs = timeMs
  }

  trade(at: number, px: number, sz: number): void {
    this.traded.add(at, px)
    this.turnovers[at] = (this.turnovers[at] ?? 0) + px * sz
  }

  quote(at: number, { bid, ask }: Quote): void {
    const mid = (bid + ask) / 2
    this.mids.add(at, mid)
    this.spreadSums[at] = (this.spreadSums[at] ?? 0) + ((ask - bid) / mid) * 10_000
    this.quotes[at] = (this.quotes[at] ?? 0) + 1
  }

  profile(coin: string, endMs: number): CoinProfile {
    this.pause(endMs)
    const { turnovers, spreadSums, quotes, longestPauseMs } = this
    const quoted = quotes.reduce((sum, count) => sum + count, 0)
    const spread = spreadSums.reduce((sum, one) => sum + one, 0)
    const { prices, lows, highs } = this.traded.isEmpty ? this.mids : this.traded
    return {
      coin,
      prices: carried(prices),
      lows,
      highs,
      turnovers,
      spreads: spreadSums.map((sum, at) => (quotes[at] ? sum / quotes[at] : null)),
      meanSpread: quoted > 0 ? spread / quoted : null,
      longestPauseMs,
    }
  }
}

class PriceIntervals {
  readonly prices: (number | null)[]
  readonly lows: (number | null)[]
  readonly highs: (number | null)[]
  isEmpty = true

  constructor(intervals: number) {
    this.prices = Array(intervals).fill(null)
    this.lows = Array(intervals).fill(null)
    this.highs = Array(intervals).fill(null)
  }

  add(at: number, price: number): void {
    this.isEmpty = false
    this.prices[at] = price
    this.lows[at] = Math.min(this.lows[at] ?? price, price)
    this.highs[at] = Math.max(this.highs[at] ?? price, price)
  }
}

/** An interval without a price takes that of the one before. */
function carried(prices: readonly (number | null)[]): (number | null)[] {
  let last: number | null = null
  return prices.map((price) => {
    last = price ?? last
    return last
  })
}

// Counts of a recorder's events: exchanges by method and status, frames by direction.

/** Coin of events without a market. */
const COIN_OF_NONE = ''

export interface RecordingSummary {
  /** By `GET 200`, the most frequent first. */
  exchanges: Record<string, number>
  /** By `in` and `out`. */
  frames: Record<string, number>
  /** Number of sockets. */
  connections: number
  /** Reported gaps, ms; the first ones. */
  missing: (Silence & { why: string; lost?: number })[]
  missingCount: number
}

/** Maximum number of listed gaps. */
const MISSING_MAX = 10

/** Counts the events without a coin. */
class RecordingProfile {
  private readonly exchanges = new Map<string, number>()
  private readonly frames = new Map<string, number>()
  private readonly connections = new Set<number>()
  private readonly missing: RecordingSummary['missing'] = []
  private missingCount = 0

  observe({ time, kind, data }: TapeEvent): void {
    if (kind === 'gap') this.noteMissing(time, data)
    if (kind === 'exchange') count(this.exchanges, `${data.method} ${data.status}`)
    if (kind === 'frame') count(this.frames, data.direction)
    if (kind === 'frame' || kind === 'connection') this.connections.add(data.connection)
  }

  /** Null for a tape without such events. */
  summary(): RecordingSummary | null {
    const { exchanges, frames, connections } = this
    if (exchanges.size + frames.size + connections.size + this.missingCount === 0) return null
    const sorted = (counts: Map<string, number>) =>
      Object.fromEntries([...counts].sort(([, a], [, b]) => b - a))
    return {
      exchanges: sorted(exchanges),
      frames: sorted(frames),
      connections: connections.size,
      missing: this.missing,
      missingCount: this.missingCount,
    }
  }

  private noteMissing(toMs: number, { fromMs, why, lost }: GapData): void {
    this.missingCount++
    if (this.missing.length === MISSING_MAX) return
    this.missing.push({ fromMs, toMs, why, ...(lost === undefined ? {} : { lost }) })
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
