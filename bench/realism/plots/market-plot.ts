/** A month and a day of the leading coin, and the month of the others. */

import {
  dollarText,
  drawing,
  framed,
  type Panel,
  plainText,
} from '../../../src/server/commands/drawing/panel.ts'
import { type Bar, DAY_MS, dollarsOf, HOUR_MS, MINUTE_MS, merged } from '../bars.ts'
import { LEADER } from '../figures/candle-figures.ts'
import type { Observations } from '../observations.ts'
import { candles, legend, line, STYLE, volumes } from './marks.ts'

const [WIDTH, HEIGHT] = [960, 900]
const MONTH_CANDLE_MS = 2 * HOUR_MS
const DAY_CANDLE_MS = 5 * MINUTE_MS
const COMPARED = 8

/** Candles and turnover of a world or of a recording. */
export function marketPlot(title: string, seen: Observations): string {
  const minutes = seen.minutes.get(LEADER) ?? []
  const month = merged(minutes, MONTH_CANDLE_MS)
  const day = merged(
    minutes.filter(({ timeMs }) => timeMs > seen.endMs - DAY_MS),
    DAY_CANDLE_MS,
  )
  return drawing(
    title,
    { width: WIDTH, height: HEIGHT },
    [
      priced(area(46, 220), `${LEADER}, a month of candles of 2 hours`, month, MONTH_CANDLE_MS),
      traded(area(300, 80), 'turnover, dollars', month, MONTH_CANDLE_MS),
      priced(area(424, 180), `${LEADER}, the last day in candles of 5 minutes`, day, DAY_CANDLE_MS),
      traded(area(638, 60), 'turnover, dollars', day, DAY_CANDLE_MS),
      compared(area(742, 134), seen),
    ],
    STYLE,
  )
}

/** Candles and turnover of the leader before a tape and after it, with the tape between. */
export function continuedPlot(
  title: string,
  minutes: readonly Bar[],
  tape: { startMs: number; endMs: number },
): string {
  const bars = merged([...minutes], CONTINUED_MS)
  const days = merged([...minutes], DAY_MS).slice(0, -1)
  const { fromMs, toMs } = span(bars, CONTINUED_MS)
  const panels = [area(46, 260), area(340, 90)] as const
  const x = (timeMs: number) => 74 + ((timeMs - fromMs) / (toMs - fromMs)) * (WIDTH - 90)
  const seam = [tape.startMs, tape.endMs].map((timeMs) => `M${x(timeMs).toFixed(1)} 46V430`)
  return drawing(
    title,
    { width: WIDTH, height: 460 },
    [
      priced(
        panels[0],
        `${LEADER}, candles of 4 hours; the tape is at the line`,
        bars,
        CONTINUED_MS,
      ),
      traded(panels[1], 'turnover of a day, dollars', days, DAY_MS),
      `<path class="c1" stroke-dasharray="3 3" d="${seam.join('')}"/>`,
    ],
    STYLE,
  )
}

const CONTINUED_MS = 4 * HOUR_MS

const area = (y: number, height: number): Panel => ({ x: 74, y, width: WIDTH - 90, height })

function span(bars: readonly Bar[], lengthMs: number) {
  const [first, last] = [bars[0]?.timeMs ?? 0, bars.at(-1)?.timeMs ?? 0]
  return { fromMs: first, toMs: last + lengthMs }
}

function priced(panel: Panel, title: string, bars: readonly Bar[], lengthMs: number): string {
  const low = Math.min(...bars.map((bar) => bar.low))
  const high = Math.max(...bars.map((bar) => bar.high))
  const { fromMs, toMs } = span(bars, lengthMs)
  const { scales, frame } = framed(panel, title, { fromMs, toMs, low, high }, plainText)
  return [frame, candles(bars, scales, lengthMs)].join('\n')
}

function traded(panel: Panel, title: string, bars: readonly Bar[], lengthMs: number): string {
  const high = Math.max(...bars.map(dollarsOf))
  const { fromMs, toMs } = span(bars, lengthMs)
  const { scales, frame } = framed(panel, title, { fromMs, toMs, low: 0, high }, dollarText)
  return [frame, volumes(bars, scales, lengthMs)].join('\n')
}

/** Closes of each coin relative to its first one. */
function compared(panel: Panel, { minutes }: Observations): string {
  const coins = [...minutes.keys()].slice(0, COMPARED)
  const lines = coins.map((coin) => {
    const bars = merged(minutes.get(coin) ?? [], 4 * HOUR_MS)
    const first = bars[0]?.open ?? 1
    return bars.map(({ timeMs, close }) => ({ timeMs, value: 100 * (close / first - 1) }))
  })
  const [values, times] = [
    lines.flat().map(({ value }) => value),
    lines.flat().map(({ timeMs }) => timeMs),
  ]
  const extent = {
    fromMs: Math.min(...times),
    toMs: Math.max(...times),
    low: Math.min(...values),
    high: Math.max(...values),
  }
  const { scales, frame } = framed(panel, 'a month of coins, percent', extent, plainText)
  const names = legend([panel.x + panel.width, panel.y - 5], coins)
  return [frame, names, ...lines.map((one, at) => line(one, scales, at))].join('\n')
}
