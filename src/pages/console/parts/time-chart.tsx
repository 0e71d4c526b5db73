/** Values over time: lines, areas and columns in one chart. */
import {
  AreaSeries,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type Time,
} from 'lightweight-charts'
import { useEffect, useRef } from 'preact/hooks'
import { type TokenColors, tokenColors, useChart, withAlpha } from './chart.ts'

export interface TimeSeries {
  /** Style; columns are green above zero and red below. */
  kind: 'line' | 'area' | 'columns'
  color: 'accent' | 'up' | 'down' | 'warn' | 'faint'
  /** Oldest first, s; of equal times the last one counts. */
  points: readonly { time: number; value: number }[]
}

export interface TimeChartProps {
  /** Description for screen readers. */
  label: string
  series: readonly TimeSeries[]
  /** Formats a value on the scale. */
  text(value: number): string
}

/** Half of the last time's label, which would be cut at the edge. */
const LAST_LABEL_PX = 16

/** The number and kinds of series are fixed at first. */
export function TimeChart({ label, series, text }: TimeChartProps) {
  const drawn = useRef<DrawnSeries[]>([])
  const latest = useRef(text)
  latest.current = text
  const write = (value: number) => latest.current(value)
  const { place, chart } = useChart((made, colors) => {
    made.timeScale().applyOptions({ rightOffsetPixels: LAST_LABEL_PX })
    drawn.current = series.map((one) => drawnSeries(made, one, colors, write))
    return (changed) => {
      for (const one of drawn.current) one.paint(changed)
    }
  })
  useEffect(() => {
    for (const [at, one] of series.entries()) drawn.current[at]?.show(one.points)
    chart()?.timeScale().fitContent()
  }, [series])
  return (
    <div class="chart-frame">
      <div ref={place} class="chart-place" role="img" aria-label={label} />
    </div>
  )
}

interface DrawnSeries {
  paint(colors: TokenColors): void
  show(points: TimeSeries['points']): void
}

function drawnSeries(
  chart: IChartApi,
  of: TimeSeries,
  colors: TokenColors,
  write: (value: number) => string,
): DrawnSeries {
  const series: ISeriesApi<'Line' | 'Area' | 'Histogram'> =
    of.kind === 'line'
      ? chart.addSeries(LineSeries, { lineWidth: 2, priceLineVisible: false })
      : of.kind === 'area'
        ? chart.addSeries(AreaSeries, { lineWidth: 2, priceLineVisible: false })
        : chart.addSeries(HistogramSeries, { priceLineVisible: false, lastValueVisible: false })
  series.applyOptions({ priceFormat: { type: 'custom', minMove: 1e-8, formatter: write } })
  let current = colors
  let shown: TimeSeries['points'] = []
  const set = () =>
    series.setData(
      ascending(shown).map(({ time, value }) => ({
        time: time as Time,
        value,
        ...(of.kind === 'columns' ? { color: value < 0 ? current.down : current.up } : {}),
      })),
    )
  const paint = (changed: TokenColors) => {
    current = changed
    const color = changed[of.color]
    if (of.kind === 'line') series.applyOptions({ color })
    if (of.kind === 'area')
      series.applyOptions({
        lineColor: color,
        topColor: withAlpha(color, 0.28),
        bottomColor: withAlpha(color, 0.02),
      })
    set()
  }
  paint(colors)
  return {
    paint,
    show(points) {
      shown = points
      set()
    },
  }
}

/** Removes repeated times, which the chart rejects. */
function ascending(points: TimeSeries['points']) {
  const byTime = new Map(points.map((point) => [Math.floor(point.time), point.value]))
  return [...byTime].sort(([a], [b]) => a - b).map(([time, value]) => ({ time, value }))
}

/** A canvas that fills its place, sharp on any screen. */
export interface Drawing {
  context: CanvasRenderingContext2D
  /** In px of the page. */
  width: number
  height: number
  /** Height of text, px. */
  letterPx: number
  colors: TokenColors
}

interface CanvasProps {
  /** Description for screen readers. */
  label: string
  draw(drawing: Drawing): void
  /** It is redrawn when one of them changes, and when its size or the colours do. */
  of: readonly unknown[]
}

export function Canvas({ label, draw, of }: CanvasProps) {
  const place = useRef<HTMLCanvasElement>(null)
  const colors = tokenColors()
  const latest = useRef(() => {})
  latest.current = () => place.current && drawOn(place.current, colors, draw)
  useEffect(() => {
    const { current } = place
    if (current === null) return undefined
    const watch = new ResizeObserver(() => latest.current())
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  useEffect(() => latest.current(), [colors, ...of])
  return <canvas ref={place} class="canvas" role="img" aria-label={label} />
}

function drawOn(canvas: HTMLCanvasElement, colors: TokenColors, draw: CanvasProps['draw']): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const context = canvas.getContext('2d')
  if (context === null || width === 0 || height === 0) return
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  context.setTransform(scale, 0, 0, scale, 0, 0)
  const style = getComputedStyle(canvas)
  const letterPx = Math.round(Number.parseFloat(style.fontSize) * 0.88)
  context.font = `${letterPx}px ${style.fontFamily}`
  draw({ context, width, height, letterPx, colors })
}
