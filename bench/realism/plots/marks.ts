/** Marks in a panel. */

import type { Scales } from '../../../src/server/commands/drawing/panel.ts'
import { short } from '../../../src/server/commands/drawing/panel.ts'
import { type Bar, dollarsOf } from '../bars.ts'
import type { Closings, Reading } from '../observations.ts'

/** Colours of falls, rises and several lines, readable on light and on dark. */
export const STYLE = [
  '.up{stroke:#1a9c6b}.down{stroke:#d94b4b}.line{stroke-width:1.2;stroke-linejoin:round}',
  ...['#3b82c4', '#d98a29', '#8d62c9', '#1a9c6b', '#d94b4b', '#8a8f98', '#b8578f', '#5f9e3a'].map(
    (colour, at) => `.c${at}{stroke:${colour}}.t${at}{fill:${colour}}`,
  ),
].join('')

const COLOURS = 8

/** Candles: wicks and bodies of rises as one path each, those of falls as another. */
export function candles(bars: readonly Bar[], { x, y }: Scales, lengthMs: number): string {
  const width = (x(lengthMs) - x(0)) * 0.7
  const side = (name: string, some: readonly Bar[]) => {
    const middle = ({ timeMs }: Bar) => short(x(timeMs + lengthMs / 2))
    const wicks = some.map((bar) => `M${middle(bar)} ${short(y(bar.high))}V${short(y(bar.low))}`)
    const bodies = some.map((bar) => {
      const [top, bottom] = [y(Math.max(bar.open, bar.close)), y(Math.min(bar.open, bar.close))]
      return `M${middle(bar)} ${short(top)}v${short(Math.max(0.6, bottom - top))}`
    })
    return [
      `<path class="${name}" stroke-width=".6" d="${wicks.join('')}"/>`,
      `<path class="${name}" stroke-width="${short(width)}" d="${bodies.join('')}"/>`,
    ].join('\n')
  }
  return [
    side(
      'up',
      bars.filter(({ open, close }) => close >= open),
    ),
    side(
      'down',
      bars.filter(({ open, close }) => close < open),
    ),
  ].join('\n')
}

/** Turnover of candles, each in its colour. */
export function volumes(bars: readonly Bar[], { x, y }: Scales, lengthMs: number): string {
  const width = short((x(lengthMs) - x(0)) * 0.7)
  const columns = (some: readonly Bar[]) =>
    some
      .map(
        (bar) =>
          `M${short(x(bar.timeMs + lengthMs / 2))} ${short(y(0))}V${short(y(dollarsOf(bar)))}`,
      )
      .join('')
  const up = bars.filter(({ open, close }) => close >= open)
  const down = bars.filter(({ open, close }) => close < open)
  return [
    `<path class="up" stroke-width="${width}" d="${columns(up)}"/>`,
    `<path class="down" stroke-width="${width}" d="${columns(down)}"/>`,
  ].join('\n')
}

/** A line through readings. */
export function line(readings: readonly Reading[], { x, y }: Scales, colour: number): string {
  const places = readings.map(({ timeMs, value }) => `${short(x(timeMs))} ${short(y(value))}`)
  return `<path class="line c${colour % COLOURS}" d="M${places.join('L')}"/>`
}

/** Liquidated long positions upwards, short ones downwards. */
export function closingColumns(closings: readonly Closings[], { x, y }: Scales): string {
  const columns = (side: 'long' | 'short', sign: number) =>
    closings
      .filter((one) => one[side] > 0)
      .map((one) => `M${short(x(one.timeMs))} ${short(y(0))}V${short(y(sign * one[side]))}`)
      .join('')
  return [
    `<path class="down" stroke-width="1" d="${columns('long', 1)}"/>`,
    `<path class="up" stroke-width="1" d="${columns('short', -1)}"/>`,
  ].join('\n')
}

/** Names in the colours of their lines, side by side. */
export function legend([x, y]: readonly [number, number], names: readonly string[]): string {
  const words = names.map((name, at) => `<tspan class="t${at % COLOURS}">${name}  </tspan>`)
  return `<text x="${x}" y="${y}" text-anchor="end" xml:space="preserve">${words.join('')}</text>`
}
