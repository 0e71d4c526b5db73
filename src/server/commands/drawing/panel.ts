// Numbers of scales in a trader's notation.

/** A number with separated thousands. */
export function plainText(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 6 })
}

/** 1.2M. */
export function dollarText(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${trimmed(value / 1e9)}B`
  if (size >= 1e6) return `${trimmed(value / 1e6)}M`
  if (size >= 1e3) return `${trimmed(value / 1e3)}k`
  return trimmed(value)
}

const trimmed = (value: number) => String(Number(value.toPrecision(3)))

// Common parts of the documents' drawings: SVG without fonts and scripts.

/** The range of values and pixels of a panel. */
export interface Panel {
  x: number
  y: number
  width: number
  height: number
}

const DARK = '@media (prefers-color-scheme: dark)'

/** A drawing in the reader's preferred colours; `style` adds to the classes `ink` and `rule`. */
export function drawing(
  title: string,
  { width, height }: { width: number; height: number },
  parts: readonly string[],
  style = '',
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`,
    ' font-family="sans-serif" font-size="11" fill="none">',
    '<style>.paper{fill:#fff}.ink{fill:#222}.rule{stroke:#8886}',
    `${DARK}{.paper{fill:#14171c}.ink{fill:#d5d9e0}}${style}</style>`,
    `<title>${escaped(title)}</title>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="ink" x="14" y="19" font-size="14">${escaped(title)}</text>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

/** A line of text; `anchor` is its end at the given point. */
export function textAt(
  [x, y]: readonly [number, number],
  text: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
): string {
  const at = anchor === 'start' ? '' : ` text-anchor="${anchor}"`
  return `<text class="ink" x="${short(x)}" y="${short(y)}"${at}>${escaped(text)}</text>`
}

/** A coordinate, to a tenth. */
export const short = (value: number): string => String(Math.round(value * 10) / 10)

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Maps an instant and a value to x and y. */
export interface Scales {
  x: (timeMs: number) => number
  y: (value: number) => number
}

/** The range of both scales of a panel. */
export interface Extent {
  fromMs: number
  toMs: number
  low: number
  high: number
}

/** The frame of a panel: title, lines at round values, and times below. */
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

/** Below this height, a panel has room for a few values only. */
const LOW = 60

/** Round values within a range, approximately so many. */
function roundValues(low: number, high: number, about: number): number[] {
  const rough = (high - low) / about
  if (!(rough > 0)) return [low]
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? 10 * power
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.floor(high / step + 1e-9) - first + 1
  return Array.from({ length: count }, (_, at) => (first + at) * step)
}

/** Steps between times, ms: from a second to twenty days. */
const [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS] = [1_000, 60_000, 3_600_000, 86_400_000]
const STEPS_MS = [
  ...[1, 5, 10, 30].map((count) => count * SECOND_MS),
  ...[1, 2, 5, 10, 30].map((count) => count * MINUTE_MS),
  ...[1, 2, 4, 12].map((count) => count * HOUR_MS),
  ...[1, 2, 5, 10, 20].map((count) => count * DAY_MS),
]
const INSTANTS_MAX = 7

/** At most seven round times; dates where they are days apart. */
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
