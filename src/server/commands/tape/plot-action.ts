import { basename } from 'node:path'
import { UserError } from '../../../platform/user-error.ts'
import type { TapeHeader } from '../../../tape/tape-event.ts'
import { inspectTape } from '../../../tape/tape-inspection.ts'
import {
  type CoinProfile,
  TapeProfile,
  type TapeProfileSummary,
} from '../../../tape/tape-profile.ts'
import { openTape } from '../../../tape/tape-reader.ts'
import { writeAtomically } from '../bench/performance-page.ts'
import type { Run } from '../command.ts'
import {
  dollarText,
  drawing,
  type Extent,
  framed,
  type Panel,
  plainText,
  type Scales,
  short,
} from '../drawing/panel.ts'
import { progressLine } from '../terminal.ts'
import type { TAPE_PLOT } from './inspect-declarations.ts'
import { tapeOf, timeText } from './text-output.ts'

/** Intervals of a drawing: about two dots each. */
const INTERVALS = 420
/** Maximum number of coins of a drawing by default. */
const COINS_MOST = 8

/** `tape plot`: draws a tape. */
export const plot: Run<typeof TAPE_PLOT> = async ({ flags, rest }) => {
  const tape = await openTape(tapeOf(rest))
  const { header } = tape
  const wanted = flags.coins?.split(',').map((coin) => coin.trim())
  const known = header.instruments.map(({ coin }) => coin)
  const absent = wanted?.find((coin) => !known.includes(coin))
  if (absent !== undefined)
    throw new UserError(`${tape.path}: has no coin ${absent}, it has ${known.join(', ')}`)
  if (known.length === 0)
    throw new UserError(`${tape.path}: has no coin to draw; tape info says what is in it`)
  const coins = wanted ?? known.slice(0, COINS_MOST)
  const out = flags.out ?? `${basename(tape.path).replace(/\.tape\.ndjson(\.zst)?$/, '')}.svg`
  const profile = new TapeProfile(header, INTERVALS)
  const progress = progressLine()
  let read = 0
  await inspectTape(tape, (event, quote) => {
    profile.observe(event, quote)
    if (++read % 100_000 === 0) progress.show(`reading: ${read} events`)
  }).finally(() => progress.clear())
  await writeAtomically(out, tapePlot(basename(tape.path), header, profile.summary(), coins))
  console.log(`${out}: ${coins.join(', ')}`)
  return 0
}

/** The width of a drawing. */
const WIDTH = 960
/** The heights of a coin's three panels, and of the space between coins. */
const [PRICE, TURNOVER, SPREAD, BETWEEN] = [110, 40, 40, 34]
const ROW = PRICE + TURNOVER + SPREAD + 3 * BETWEEN + 8
const TOP = 56
const STYLE =
  '.price{stroke:#3b82c4;stroke-width:1.3;stroke-linejoin:round}.range{fill:#3b82c433}' +
  '.turnover{stroke:#1a9c6b}.spread{stroke:#d98a29}.gap{fill:#d94b4b22}'

/** The drawing of some coins of a tape. */
function tapePlot(
  name: string,
  { startMs, endMs }: TapeHeader,
  { coins, intervalMs, silences }: TapeProfileSummary,
  wanted: readonly string[],
): string {
  const rows = wanted.flatMap((coin) => coins.find((one) => one.coin === coin) ?? [])
  const time = { fromMs: startMs, toMs: Math.max(endMs, startMs + 1), intervalMs }
  const parts = rows.map((coin, at) => {
    const y = TOP + at * ROW
    return [
      priced({ ...COLUMN, y, height: PRICE }, coin, time),
      turnedOver({ ...COLUMN, y: y + PRICE + BETWEEN, height: TURNOVER }, coin, time),
      spread({ ...COLUMN, y: y + PRICE + TURNOVER + 2 * BETWEEN, height: SPREAD }, coin, time),
    ].join('\n')
  })
  const height = TOP + rows.length * ROW
  const title = `${name}, ${timeText(startMs)} to ${timeText(endMs)}`
  const gaps = silences.longest.map(({ fromMs, toMs }) => {
    const x = (ms: number) =>
      COLUMN.x + ((ms - time.fromMs) / (time.toMs - time.fromMs)) * COLUMN.width
    const width = short(Math.max(1, x(toMs) - x(fromMs)))
    const place = `x="${short(x(fromMs))}" y="30" width="${width}" height="${height - 40}"`
    return `<rect class="gap" ${place}/>`
  })
  return drawing(title, { width: WIDTH, height }, [...gaps, ...parts], STYLE)
}

const COLUMN = { x: 74, width: WIDTH - 90 } satisfies Partial<Panel>

interface Time {
  fromMs: number
  toMs: number
  intervalMs: number
}

function priced(panel: Panel, coin: CoinProfile, time: Time): string {
  const lows = coin.lows.filter((value) => value !== null)
  const highs = coin.highs.filter((value) => value !== null)
  const extent = { ...time, low: least(lows), high: most(highs) }
  const { scales, frame } = framed(panel, coin.coin, extent, plainText)
  const band = coin.lows.flatMap((low, at) => {
    const high = coin.highs[at]
    return low === null || high == null ? [] : [{ x: placeOf(at, time), low, high }]
  })
  const edge = (points: readonly { x: number }[], value: (at: number) => number) =>
    points.map(({ x }, at) => `${short(scales.x(x))} ${short(scales.y(value(at)))}`)
  const upper = edge(band, (at) => band[at]?.high ?? 0)
  const lower = edge(band, (at) => band[at]?.low ?? 0).reverse()
  const range =
    band.length > 1 ? `<path class="range" d="M${[...upper, ...lower].join('L')}Z"/>` : ''
  return [frame, range, line('price', coin.prices, scales, time)].join('\n')
}

function turnedOver(panel: Panel, coin: CoinProfile, time: Time): string {
  const extent: Extent = { ...time, low: 0, high: most(coin.turnovers) }
  const { scales, frame } = framed(panel, 'turnover', extent, dollarText)
  const columns = coin.turnovers.flatMap((value, at) =>
    value > 0
      ? [`M${short(scales.x(placeOf(at, time)))} ${short(scales.y(0))}V${short(scales.y(value))}`]
      : [],
  )
  return [frame, `<path class="turnover" stroke-width="1.4" d="${columns.join('')}"/>`].join('\n')
}

function spread(panel: Panel, coin: CoinProfile, time: Time): string {
  const known = coin.spreads.filter((value) => value !== null)
  const extent: Extent = { ...time, low: 0, high: most(known) }
  const { scales, frame } = framed(panel, 'spread, basis points', extent, plainText)
  return [frame, line('spread', coin.spreads, scales, time)].join('\n')
}

/** A line through values, interrupted where there is none. */
function line(
  name: string,
  values: readonly (number | null)[],
  { x, y }: Scales,
  time: Time,
): string {
  const places = values.map((value, at) => {
    const stroke = at > 0 && values[at - 1] != null ? 'L' : 'M'
    return value === null ? '' : `${stroke}${short(x(placeOf(at, time)))} ${short(y(value))}`
  })
  return `<path class="${name}" d="${places.join('')}"/>`
}

/** The middle of an interval. */
const placeOf = (at: number, { fromMs, intervalMs }: Time) => fromMs + (at + 0.5) * intervalMs

/** The minimum; 0 for no values. */
const least = (values: readonly number[]) => (values.length > 0 ? Math.min(...values) : 0)
const most = (values: readonly number[]) => (values.length > 0 ? Math.max(...values) : 0)
