/** The samples of a soak as a drawing: one panel for each measure, with its trend. */

import type { MeasuredTrend } from './measures.ts'
import type { Sample } from './soaking.ts'

const [WIDTH, HEIGHT, COLUMNS, MARGIN] = [380, 150, 2, 46]

/** An SVG that stands for itself: black on white, no font and no script of its own. */
export function plot(
  title: string,
  samples: readonly Sample[],
  trends: readonly MeasuredTrend[],
): string {
  const rows = Math.ceil(trends.length / COLUMNS)
  const [width, height] = [COLUMNS * WIDTH, 30 + rows * HEIGHT]
  const panels = trends.map((trend, at) => {
    const [x, y] = [(at % COLUMNS) * WIDTH, 30 + Math.floor(at / COLUMNS) * HEIGHT]
    return `<g transform="translate(${x} ${y})">${panel(samples, trend)}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`,
    ' font-family="sans-serif" font-size="11">',
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="${MARGIN}" y="18" font-size="14">${escaped(title)}</text>`,
    ...panels,
    '</svg>\n',
  ].join('\n')
}

function panel(samples: readonly Sample[], { measure, trend }: MeasuredTrend): string {
  const values = samples.map((sample) => sample[measure.of])
  const most = Math.max(1, ...values) * 1.1
  const lastMinute = samples.at(-1)?.minute || 1
  const [right, bottom] = [WIDTH - 14, HEIGHT - 28]
  const xOf = (minute: number) => MARGIN + (minute / lastMinute) * (right - MARGIN)
  const yOf = (value: number) => bottom - (value / most) * (bottom - 24)
  const dots = samples.map(
    ({ minute }, at) => `M${xOf(minute).toFixed(1)} ${yOf(values[at] ?? 0).toFixed(1)}h0`,
  )
  const half = (trend.slope * lastMinute) / 2
  const line = [trend.median - half, trend.median + half].map((value) => yOf(value).toFixed(1))
  const unit = measure.unit ? ` ${measure.unit}` : ''
  return [
    `<text x="${MARGIN}" y="14">${escaped(measure.name)}: ${trend.verdict}</text>`,
    `<path d="M${MARGIN} 20V${bottom}H${right}" fill="none" stroke="#888"/>`,
    `<text x="${MARGIN - 4}" y="30" text-anchor="end">${rounded(most)}${unit}</text>`,
    `<text x="${MARGIN - 4}" y="${bottom}" text-anchor="end">0</text>`,
    `<text x="${right}" y="${bottom + 14}" text-anchor="end">${rounded(lastMinute)} min</text>`,
    `<path d="M${MARGIN} ${line[0]}L${right} ${line[1]}" stroke="#c33" stroke-dasharray="4"/>`,
    // One path of points: an hour has thousands of them.
    `<path d="${dots.join('')}" stroke="#246" stroke-width="3.2" stroke-linecap="round"/>`,
  ].join('\n')
}

const rounded = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1))

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
