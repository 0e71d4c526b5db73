/** A part of a drawing with a scale of values on its left and a scale of time below. */
import { type Panel, short, textAt } from '../../scripts/svg-drawing.ts'
import { DAY_MS, HOUR_MS } from '../bars.ts'

/** Places of a panel: an instant and a value to x and y. */
export interface Scales {
  x: (timeMs: number) => number
  y: (value: number) => number
}

/** What a panel shows of both scales. */
export interface Extent {
  fromMs: number
  toMs: number
  low: number
  high: number
}

/** The frame of a panel: its title, lines at round values, and instants below. */
export function framed(
  panel: Panel,
  title: string,
  extent: Extent,
  form: (value: number) => string,
): { scales: Scales; frame: string } {
  const { fromMs, toMs, low, high } = extent
  const spread = high - low || 1
  const scales: Scales = {
    x: (timeMs) => panel.x + ((timeMs - fromMs) / (toMs - fromMs)) * panel.width,
    y: (value) => panel.y + panel.height - ((value - low) / spread) * panel.height,
  }
  const lines = roundValues(low, high).map((value) => {
    const y = scales.y(value)
    return [
      `<path class="rule" d="M${panel.x} ${short(y)}h${panel.width}"/>`,
      textAt([panel.x - 5, y + 4], form(value), 'end'),
    ].join('')
  })
  const bottom = panel.y + panel.height + 13
  const times = instants(fromMs, toMs).map(({ timeMs, name }) =>
    textAt([scales.x(timeMs), bottom], name, 'middle'),
  )
  const head = textAt([panel.x, panel.y - 5], title)
  return { scales, frame: [head, ...lines, ...times].join('\n') }
}

/** Three to seven round values within a range. */
function roundValues(low: number, high: number): number[] {
  const rough = (high - low) / 6
  if (!(rough > 0)) return [low]
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? 10 * power
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, at) => (first + at) * step)
}

/** Every fifth day of a span of days; every fourth hour of a shorter one. */
function instants(fromMs: number, toMs: number): { timeMs: number; name: string }[] {
  const isLong = toMs - fromMs > 4 * DAY_MS
  const stepMs = isLong ? 5 * DAY_MS : 4 * HOUR_MS
  const first = Math.ceil(fromMs / stepMs) * stepMs
  const count = Math.max(0, Math.floor((toMs - first) / stepMs) + 1)
  return Array.from({ length: count }, (_, at) => {
    const timeMs = first + at * stepMs
    const iso = new Date(timeMs).toISOString()
    return { timeMs, name: isLong ? iso.slice(5, 10) : iso.slice(11, 16) }
  })
}
