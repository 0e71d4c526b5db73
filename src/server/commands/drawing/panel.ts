/** A part of a drawing with a scale of values on its left and a scale of time below. */
import { type Panel, short, textAt } from './svg-drawing.ts'

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
  const lines = roundValues(low, high, panel.height < LOW ? 2 : 6).map((value) => {
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

/** A panel of less height has room for a few values only. */
const LOW = 60

/** Round values within a range, about so many. */
function roundValues(low: number, high: number, about: number): number[] {
  const rough = (high - low) / about
  if (!(rough > 0)) return [low]
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? 10 * power
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, at) => (first + at) * step)
}

/** Steps between instants, ms: from a second to twenty days. */
const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000]
const STEPS_MS = [
  ...[1, 5, 10, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 5, 10, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 4, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 5, 10, 20].map((count) => count * DAY_MS),
]
const INSTANTS_MAX = 7

/** At most seven instants at round times; days where they are days apart. */
function instants(fromMs: number, toMs: number): { timeMs: number; name: string }[] {
  const spanMs = toMs - fromMs
  const stepMs = STEPS_MS.find((one) => spanMs / one <= INSTANTS_MAX) ?? spanMs / INSTANTS_MAX
  const first = Math.ceil(fromMs / stepMs) * stepMs
  const count = Math.max(0, Math.floor((toMs - first) / stepMs) + 1)
  return Array.from({ length: count }, (_, at) => {
    const timeMs = first + at * stepMs
    const iso = new Date(timeMs).toISOString()
    const [from, to] = stepMs >= DAY_MS ? [5, 10] : stepMs >= MINUTE_MS ? [11, 16] : [11, 19]
    return { timeMs, name: iso.slice(from, to) }
  })
}
