/** The samples of a soak as a plot: one panel for each measure, with its trend. */

import { drawing, short, textAt } from '../../src/server/commands/drawing/panel.ts'
import type { MeasuredTrend } from './measures.ts'
import type { Sample } from './soaking.ts'

const [WIDTH, HEIGHT, COLUMNS, MARGIN] = [380, 150, 2, 46]
const STYLE =
  '.trend{stroke:#c33;stroke-dasharray:4}' +
  '.dots{stroke:#4a80c0;stroke-width:3.2;stroke-linecap:round}'

/** A self-contained SVG, without fonts and scripts. */
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
  return drawing(title, { width, height }, panels, STYLE)
}

function panel(samples: readonly Sample[], { measure, trend }: MeasuredTrend): string {
  const values = samples.map((sample) => sample[measure.of])
  const most = Math.max(1, ...values) * 1.1
  const lastMinute = samples.at(-1)?.minute || 1
  const [right, bottom] = [WIDTH - 14, HEIGHT - 28]
  const xOf = (minute: number) => MARGIN + (minute / lastMinute) * (right - MARGIN)
  const yOf = (value: number) => bottom - (value / most) * (bottom - 24)
  const dots = samples.map(
    ({ minute }, at) => `M${short(xOf(minute))} ${short(yOf(values[at] ?? 0))}h0`,
  )
  const half = (trend.slope * lastMinute) / 2
  const [from, to] = [trend.median - half, trend.median + half].map((value) => short(yOf(value)))
  const unit = measure.unit ? ` ${measure.unit}` : ''
  return [
    textAt([MARGIN, 14], `${measure.name}: ${trend.verdict}`),
    `<path class="rule" d="M${MARGIN} 20V${bottom}H${right}"/>`,
    textAt([MARGIN - 4, 30], `${rounded(most)}${unit}`, 'end'),
    textAt([MARGIN - 4, bottom], '0', 'end'),
    textAt([right, bottom + 14], `${rounded(lastMinute)} min`, 'end'),
    `<path class="trend" d="M${MARGIN} ${from}L${right} ${to}"/>`,
    // One path of points: an hour has thousands of them.
    `<path class="dots" d="${dots.join('')}"/>`,
  ].join('\n')
}

const rounded = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(1))
