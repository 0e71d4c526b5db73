/** Candles with volume, live at the right and as far back as there are any. */
import { useSignal } from '@preact/signals'
import {
  CandlestickSeries,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type Time,
} from 'lightweight-charts'
import { useEffect, useRef } from 'preact/hooks'
import { hostClock } from '../../../../clock/system-clock.ts'
import { type TokenColors, useChart, withAlpha } from '../../parts/chart.ts'
import type { Account } from '../../session/account.ts'
import { inNextDrawing, timeNow, useStream } from '../../session/asking.ts'
import { era, session } from '../../session/connection.ts'
import { errorText } from '../../shell/toast-list.tsx'
import type { CandleInterval } from './candle-window.ts'
import { type Bar, CandleWindow } from './candle-window.ts'
import { precisionOf } from './coin-head.tsx'
import { say } from './words.ts'

export interface CandleChartProps {
  coin: string
  interval: CandleInterval
}

/** Older candles are loaded within this distance of the first visible one. */
const LOAD_WITHIN = 60
const POLL_MS = 1000

/** Free space after the last candle. */
const RIGHT_BARS = 3

export function CandleChart({ coin, interval }: CandleChartProps) {
  const series = useRef<ChartSeries | null>(null)
  const feed = useRef<CandleFeed | null>(null)
  const shownCoin = useRef(coin)
  const failure = useSignal('')
  const isBack = useSignal(false)
  const isEmpty = useSignal(false)
  const { place, chart } = useChart((made, colors) => {
    series.current = new ChartSeries(made, colors)
    made.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (range === null) return
      isBack.value = range.to < (series.current?.length ?? 0) - 2
      if (range.from < LOAD_WITHIN) void feed.current?.loadOlder()
      const isNear = range.to > (series.current?.length ?? 0) - LOAD_WITHIN
      if (isNear && feed.current?.isAtPresent === false) void feed.current.loadNewer()
    })
    return (changed) => series.current?.paint(changed)
  })
  const current = session.value
  useEffect(() => {
    if (current === null) return undefined
    const made = new CandleFeed(current.account, coin, interval, shownMs, {
      onBars: (bars, why) => {
        isEmpty.value = bars.length === 0
        series.current?.show(bars, why)
      },
      onLast: (bar) => {
        isEmpty.value = false
        series.current?.update(bar)
      },
      onError: (text) => {
        failure.value = text
      },
    })
    feed.current = made
    failure.value = ''
    // Until the first page, and if there is none: the candles of another coin have another scale.
    if (shownCoin.current !== coin) series.current?.show([], 'new')
    shownCoin.current = coin
    chart()
      ?.timeScale()
      .applyOptions({ secondsVisible: interval.seconds < 60 })
    void made.loadNewest()
    const stop = interval.isPushed ? () => {} : pollOnAndOn(made)
    return () => {
      stop()
      made.close()
    }
  }, [current, coin, interval, era.value])
  useCandles(coin, interval, (bar) => feed.current?.push(bar))
  const toPresent = () => {
    if (feed.current?.isAtPresent === false) void feed.current.loadNewest()
    chart()?.timeScale().scrollToPosition(RIGHT_BARS, false)
  }
  return (
    <div class="candle-chart">
      <div
        ref={place}
        class={isEmpty.value ? 'chart-place is-empty' : 'chart-place'}
        role="img"
        aria-label={say('chartOf', { coin })}
      />
      {failure.value !== '' && <p class="error-note">{failure.value}</p>}
      {isEmpty.value && <p class="note over-chart">{say('noCandles', { coin })}</p>}
      {isBack.value && (
        <button type="button" class="to-present" onClick={toPresent}>
          {say('toPresent')}
        </button>
      )}
    </div>
  )
}

const shownMs = () => timeNow()?.shownMs ?? Number.POSITIVE_INFINITY

/** Candles of the channel, the newest of each moment. */
function useCandles(coin: string, interval: CandleInterval, take: (bar: Bar) => void): void {
  const arrived = useRef(new Map<number, Bar>())
  const passOn = useRef(() => {
    const bars = [...arrived.current.values()]
    arrived.current.clear()
    for (const bar of bars) take(bar)
  })
  const name = interval.name as '1m'
  useStream('candle', interval.isPushed ? { coin, interval: name } : null, (candle) => {
    if (candle.s !== coin || candle.i !== interval.name) return
    const time = candle.t / 1000
    const { o, h, l, c, v } = candle
    const values = { open: +o, high: +h, low: +l, close: +c, volume: +v }
    arrived.current.set(time, { time, ...values })
    inNextDrawing(passOn.current)
  })
}

function pollOnAndOn(feed: CandleFeed): () => void {
  let cancel = () => {}
  const poll = async () => {
    await feed.poll().catch(() => {})
    cancel = hostClock.startTimer(POLL_MS, poll)
  }
  cancel = hostClock.startTimer(POLL_MS, poll)
  return () => cancel()
}

/** Both series of the chart. */
class ChartSeries {
  length = 0
  private added = 0
  private readonly candles: ISeriesApi<'Candlestick'>
  private readonly volumes: ISeriesApi<'Histogram'>
  private bars: readonly Bar[] = []

  constructor(
    private readonly chart: IChartApi,
    private colors: TokenColors,
  ) {
    this.volumes = chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    })
    this.candles = chart.addSeries(CandlestickSeries, candleColors(colors))
    chart.timeScale().applyOptions({ barSpacing: evenSpacing(chart) })
    this.candles.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: 0.24 } })
    this.volumes.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })
  }

  paint(colors: TokenColors): void {
    this.colors = colors
    this.candles.applyOptions(candleColors(colors))
    this.volumes.setData(this.bars.map((bar) => this.volumeOf(bar)))
  }

  show(bars: readonly Bar[], why: 'new' | 'older' | 'newer'): void {
    const range = this.chart.timeScale().getVisibleRange()
    this.bars = bars
    this.length = bars.length
    this.added = 0
    const last = bars.at(-1)
    if (last) this.candles.applyOptions({ priceFormat: precisionOf(last.close) })
    this.candles.setData(bars.map((bar) => ({ ...bar, time: bar.time as Time })))
    this.volumes.setData(bars.map((bar) => this.volumeOf(bar)))
    if (why === 'new') this.chart.timeScale().scrollToPosition(RIGHT_BARS, false)
    // The visible range stays fixed while candles are added beside it.
    else if (why === 'older' && range) this.chart.timeScale().setVisibleRange(range)
  }

  /** The last one, which was shown before. */
  update(bar: Bar): void {
    if (this.bars.length !== this.length) this.added++
    this.length = this.bars.length
    // The series keep evicted candles until they are reset.
    if (this.added > MOST_BARS / 4) this.show(this.bars, 'newer')
    this.candles.update({ ...bar, time: bar.time as Time })
    this.volumes.update(this.volumeOf(bar))
  }

  private volumeOf({ time, volume, open, close }: Bar) {
    const color = withAlpha(close < open ? this.colors.down : this.colors.up, 0.35)
    return { time: time as Time, value: volume, color }
  }
}

/** Candles between two labels of the time axis: a minute of 5 s, an hour of 5 min. */
const LABEL_CANDLES = 12

/**
 * Width of a candle with which labels stand at even times. The library puts one where there is room
 * for it, 5/8 of the font size and 4 px for each of 8 characters.
 */
const evenSpacing = (chart: IChartApi): number =>
  ((chart.options().layout.fontSize + 4) * 5) / LABEL_CANDLES + 0.01

const candleColors = ({ up, down }: TokenColors) => ({
  upColor: up,
  borderUpColor: up,
  wickUpColor: up,
  downColor: down,
  borderDownColor: down,
  wickDownColor: down,
})

/** Loads and subscribes to the candles of a coin, and notifies the drawing. */
interface CandleDrawing {
  /** All candles changed. */
  onBars(bars: readonly Bar[], why: 'new' | 'older' | 'newer'): void
  /** Only the last one changed. */
  onLast(bar: Bar): void
  onError(text: string): void
}

/** More than any other view holds; thirty days of minutes are paged. */
const MOST_BARS = 12_000
const PAGE = 1000

/** Pushes may skip a candle, or the last state of one: these are loaded. */
const COMPLETED_AFTER_MS = 1500

class CandleFeed {
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

  /** Loads the newest page, replacing all. */
  loadNewest(): Promise<void> {
    return this.load(async () => {
      this.window.replace(await this.page({}))
      this.isAtBeginning = false
      this.drawing.onBars(this.window.bars, 'new')
    })
  }

  /** Loads the page before the first candle. */
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

  /** Loads the page from the last candle on. */
  loadNewer(fromS = this.window.bars.at(-1)?.time): Promise<void> {
    if (fromS === undefined) return Promise.resolve()
    return this.load(async () => {
      const endTime = (fromS + PAGE * this.interval.seconds) * 1000 - 1
      const bars = await this.page({ startTime: fromS * 1000, endTime })
      this.window.addNewer(bars, endTime >= this.shownMs())
      this.drawing.onBars(this.window.bars, 'newer')
    })
  }

  /** Takes a pushed or loaded candle. */
  push(bar: Bar): void {
    const before = this.window.bars.at(-1)?.time ?? null
    const pushed = this.window.push(bar)
    if (pushed === null) return
    this.drawing.onLast(bar)
    if (pushed === 'added') this.completeSoon(before)
  }

  /** Requests the last candle, where none are pushed. */
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
