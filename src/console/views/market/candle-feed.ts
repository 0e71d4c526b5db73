/** Loads and follows the candles of a coin, and has whoever draws them told. */
import { hostClock } from '../../../clock/system-clock.ts'
import type { Account } from '../../session/account.ts'
import { errorText } from '../../shell/error-text.ts'
import type { CandleInterval } from './candle-intervals.ts'
import { type Bar, CandleWindow } from './candle-window.ts'

export interface CandleDrawing {
  /** Everything is other than before. */
  onBars(bars: readonly Bar[], why: 'new' | 'older' | 'newer'): void
  /** Only the last one is. */
  onLast(bar: Bar): void
  onError(text: string): void
}

/** More than any other hold; thirty days of minutes go by in pages. */
export const MOST_BARS = 12_000
const PAGE = 1000

/** Pushes may skip a candle, or the last state of one: what they left out is asked for. */
const COMPLETED_AFTER_MS = 1500

export class CandleFeed {
  private readonly window: CandleWindow
  private isLoading = false
  private isAtBeginning = false
  private isClosed = false
  private incompleteFrom: number | null = null
  private cancelCompletion = () => {}

  constructor(
    private readonly account: Account,
    private readonly coin: string,
    private readonly interval: CandleInterval,
    private readonly shownMs: () => number,
    private readonly drawing: CandleDrawing,
  ) {
    this.window = new CandleWindow(MOST_BARS, interval.seconds)
  }

  get isAtPresent(): boolean {
    return this.window.isAtPresent
  }

  close(): void {
    this.isClosed = true
    this.cancelCompletion()
  }

  /** The newest page, in place of what there is. */
  loadNewest(): Promise<void> {
    return this.load(async () => {
      this.window.replace(await this.page({}))
      this.isAtBeginning = false
      this.drawing.onBars(this.window.bars, 'new')
    })
  }

  /** The page before the first candle. */
  loadOlder(): Promise<void> {
    const [first] = this.window.bars
    if (first === undefined || this.isAtBeginning) return Promise.resolve()
    return this.load(async () => {
      const bars = await this.page({ endTime: first.time * 1000 - 1 })
      this.isAtBeginning = bars.length === 0
      if (this.isAtBeginning) return
      this.window.addOlder(bars)
      this.drawing.onBars(this.window.bars, 'older')
    })
  }

  /** The page from the last candle on. */
  loadNewer(fromS = this.window.bars.at(-1)?.time): Promise<void> {
    if (fromS === undefined) return Promise.resolve()
    return this.load(async () => {
      const endTime = (fromS + PAGE * this.interval.seconds) * 1000 - 1
      const bars = await this.page({ startTime: fromS * 1000, endTime })
      this.window.addNewer(bars, endTime >= this.shownMs())
      this.drawing.onBars(this.window.bars, 'newer')
    })
  }

  /** Takes a candle that was pushed or asked for. */
  push(bar: Bar): void {
    const before = this.window.bars.at(-1)?.time ?? null
    const pushed = this.window.push(bar)
    if (pushed === null) return
    this.drawing.onLast(bar)
    if (pushed === 'added') this.completeSoon(before)
  }

  /** Asks for the last candle, where none are pushed. */
  async poll(): Promise<void> {
    if (this.isLoading || !this.window.isAtPresent) return
    const [bar] = await this.page({ limit: 1 })
    if (bar) this.push(bar)
  }

  private completeSoon(fromS: number | null): void {
    if (this.incompleteFrom !== null) return
    this.incompleteFrom = fromS
    this.cancelCompletion = hostClock.startTimer(COMPLETED_AFTER_MS, () => {
      const from = this.incompleteFrom
      this.incompleteFrom = null
      if (from !== null && this.window.isAtPresent) void this.loadNewer(from)
    })
  }

  private async load(task: () => Promise<void>): Promise<void> {
    if (this.isLoading || this.isClosed) return
    this.isLoading = true
    try {
      await task()
    } catch (error) {
      if (!this.isClosed) this.drawing.onError(errorText(error))
    } finally {
      this.isLoading = false
    }
  }

  private async page(query: { startTime?: number; endTime?: number; limit?: number }) {
    const { coin, interval } = this
    const rows = await this.account.perpdex.klinesWithTakerVol({
      path: { coin, interval: interval.name },
      query: { limit: PAGE, ...query },
    })
    if (this.isClosed) throw new Error('another chart is shown')
    return rows.map((row) => ({
      time: row.openTime / 1000,
      open: Number(row.open),
      high: Number(row.high),
      low: Number(row.low),
      close: Number(row.close),
      volume: Number(row.size),
    }))
  }
}
