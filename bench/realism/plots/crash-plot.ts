/** A fall on all exchanges: prices, liquidations, open interest, and the venue's book. */
import {
  drawing,
  framed,
  type Panel,
  plainText,
} from '../../../src/server/commands/drawing/panel.ts'
import { MINUTE_MS } from '../bars.ts'
import type { CrashCourse } from '../crash.ts'
import type { Reading } from '../observations.ts'
import { legend, line, STYLE } from './marks.ts'

const [WIDTH, HEIGHT] = [960, 980]

export function crashPlot(title: string, { coins, books, eventMs, endMs }: CrashCourse): string {
  const pairs = coins.BTC
  const names = pairs.map(({ exchange }) => exchange)
  const before = (list: readonly Reading[]) =>
    list.findLast(({ timeMs }) => timeMs < eventMs)?.value ?? Number.NaN
  const relative = (list: readonly Reading[]) =>
    list.map(({ timeMs, value }) => ({ timeMs, value: 100 * (value / before(list) - 1) }))
  const closings = pairs.map(({ closings: list, interest }) => {
    const perMinute = new Map(list.map(({ timeMs, long, short }) => [timeMs, (long + short) / 1e6]))
    return interest.map(({ timeMs }) => ({ timeMs, value: perMinute.get(timeMs) ?? 0 }))
  })
  const others = Object.entries(coins).map(([, [own]]) => relative(own?.prices ?? []))
  const book = (of: 'spread' | 'depth', unit: number) => [
    books.map(({ timeMs, ...one }) => ({ timeMs, value: one[of] / unit })),
  ]
  const minutes = Math.round((endMs - eventMs) / MINUTE_MS)
  const panels: [height: number, title: string, names: string[], lines: Reading[][]][] = [
    [
      190,
      `price of BTC, percent; the fall takes ${minutes} minutes`,
      names,
      pairs.map(({ prices }) => relative(prices)),
    ],
    [110, 'the venue alone, percent', Object.keys(coins), others],
    [140, 'BTC: liquidated in a minute, millions of dollars', names, closings],
    [
      120,
      'BTC: open interest in coins, percent',
      names,
      pairs.map(({ interest }) => relative(interest)),
    ],
    [70, 'BTC: spread on the venue, basis points', [], book('spread', 1)],
    [70, 'BTC: value of the book within 0.5 %, millions of dollars', [], book('depth', 1e6)],
  ]
  let y = 48
  const parts = panels.map(([height, name, legendNames, lines]) => {
    const panel = { x: 74, y, width: WIDTH - 90, height }
    y += height + 40
    return drawn(panel, name, legendNames, lines)
  })
  return drawing(title, { width: WIDTH, height: HEIGHT }, parts, STYLE)
}

function drawn(panel: Panel, title: string, names: string[], lines: readonly Reading[][]): string {
  const all = lines.flat().filter(({ value }) => Number.isFinite(value))
  const [values, times] = [all.map(({ value }) => value), all.map(({ timeMs }) => timeMs)]
  const extent = {
    fromMs: Math.min(...times),
    toMs: Math.max(...times),
    low: Math.min(0, ...values),
    high: Math.max(0, ...values),
  }
  const { scales, frame } = framed(panel, title, extent, plainText)
  const head = legend([panel.x + panel.width, panel.y - 5], names)
  return [frame, head, ...lines.map((one, at) => line(one, scales, at))].join('\n')
}
