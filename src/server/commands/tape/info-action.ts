import { statSync } from 'node:fs'
import type { Silences } from '../../../market/bars/silence-log.ts'
import type { RecordingSummary } from '../../../tape/recording-profile.ts'
import { EVENT_KINDS } from '../../../tape/tape-event.ts'
import {
  type CoinSummary,
  inspectTape,
  type TapeInspection,
} from '../../../tape/tape-inspection.ts'
import {
  type CoinProfile,
  TapeProfile,
  type TapeProfileSummary,
} from '../../../tape/tape-profile.ts'
import { openTape, type Tape } from '../../../tape/tape-reader.ts'
import type { Run } from '../command.ts'
import { progressLine } from '../terminal.ts'
import type { TAPE_INFO } from './inspect-declarations.ts'
import {
  bytesText,
  countText,
  durationText,
  spanText,
  table,
  tapeOf,
  timeText,
} from './text-output.ts'

/** Intervals of the prices that are shown. */
const INTERVALS = 24

/** `tape info`: what is on a tape, and what each coin did. */
export const info: Run<typeof TAPE_INFO> = async ({ flags, rest }) => {
  const facts = await factsOf(tapeOf(rest))
  console.log(flags.json ? JSON.stringify(recordOf(facts)) : infoText(facts))
  return 0
}

async function factsOf(path: string): Promise<TapeFacts> {
  const tape = await openTape(path)
  const { counts, startMs, endMs } = tape.header
  const profile = new TapeProfile(tape.header, INTERVALS)
  const seconds = Math.max(1, endMs - startMs) / 1000
  const kinds = EVENT_KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0
    return count === 0 ? [] : { kind, count, perSecond: count / seconds }
  })
  const of = kinds.reduce((sum, { count }) => sum + count, 0)
  const [progress, bytes] = [progressLine(), statSync(path).size]
  let read = 0
  const { coins, events } = await inspectTape(tape, (event, quote) => {
    profile.observe(event, quote)
    if (++read % 100_000 === 0) progress.show(`reading: ${Math.floor((100 * read) / of)} %`)
  }).finally(() => progress.clear())
  return { tape, bytes, events, kinds, coins, profile: profile.summary() }
}

/** The same for a program: the header with what was found. */
function recordOf({ tape, bytes, events, kinds, coins, profile }: TapeFacts) {
  const { intervalMs, silences, recording } = profile
  const shapes = new Map(profile.coins.map((one) => [one.coin, one]))
  return {
    ...tape.header,
    bytes,
    events,
    kinds,
    silences,
    recording,
    intervalMs,
    coins: coins.map((coin) => {
      const { prices, turnovers, meanSpread, longestPauseMs } = shapes.get(coin.coin) ?? {}
      return { ...coin, prices, turnovers, meanSpread, longestPauseMs }
    }),
  }
}

/** All that `tape info` tells. */
interface TapeFacts {
  tape: Tape
  bytes: number
  events: number
  /** By kind, in the order of the kinds. */
  kinds: { kind: string; count: number; perSecond: number }[]
  coins: TapeInspection['coins']
  profile: TapeProfileSummary
}

/** What `tape info` prints for people. */
function infoText(facts: TapeFacts): string {
  const { coins, profile } = facts
  const shapes = new Map(profile.coins.map((one) => [one.coin, one]))
  const rows = coins.map((coin) => coinRow(coin, shapes.get(coin.coin)))
  return [
    headText(facts),
    table([['kind', 'events', 'a second'], ...facts.kinds.map(kindRow)]),
    ...(coins.length > 0 ? [table([COLUMNS, ...rows])] : []),
  ].join('\n\n')
}

function headText({ tape: { path, header }, bytes, events, profile }: TapeFacts): string {
  const perEvent = Math.round(bytes / Math.max(1, events))
  const perSecond = events / (Math.max(1, header.endMs - header.startMs) / 1000)
  const { silences, recording } = profile
  return [
    path,
    `  source       ${header.source}`,
    `  from         ${header.startMs}  ${timeText(header.startMs)}`,
    `  to           ${header.endMs}  ${timeText(header.endMs)}`,
    ...(header.open ? ['               not ended: read to its last whole line'] : []),
    `  duration     ${durationText(header)}`,
    `  size         ${bytesText(bytes)}, ${perEvent} bytes an event`,
    `  events       ${countText(events)}, ${rateText(perSecond)} a second`,
    `  instruments  ${header.instruments.map(({ coin }) => coin).join(', ') || 'none'}`,
    ...(recording === null ? [] : recordingLines(recording)),
    ...silenceLines(silences),
  ].join('\n')
}

function recordingLines(recording: RecordingSummary): string[] {
  const { exchanges, frames, connections, missing, missingCount } = recording
  const listed = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${countText(count)} ${name}`)
      .join(', ') || 'none'
  return [
    `  exchanges    ${listed(exchanges)}`,
    `  frames       ${listed(frames)}, on ${countText(connections)} connections`,
    ...(missingCount === 0 ? [] : [`  missing      ${countText(missingCount)} times`]),
    ...missing.map(({ fromMs, toMs, why, lost }) => {
      const events = lost === undefined ? '' : `, ${countText(lost)} events`
      return `    ${timeText(fromMs)}  ${spanText(toMs - fromMs)}${events}: ${why}`
    }),
  ]
}

function silenceLines({ leastMs, count, totalMs, longest }: Silences): string[] {
  const least = `of ${spanText(leastMs)} or longer`
  if (count === 0) return [`  gaps         none ${least}`]
  return [
    `  gaps         ${countText(count)} ${least}, ${spanText(totalMs)} in all`,
    ...longest.map(({ fromMs, toMs }) => `    ${timeText(fromMs)}  ${spanText(toMs - fromMs)}`),
  ]
}

const kindRow = ({ kind, count, perSecond }: TapeFacts['kinds'][number]) => [
  kind,
  countText(count),
  rateText(perSecond),
]

const COLUMNS = [
  'coin',
  'trades',
  'books',
  'first',
  'last',
  'low',
  'high',
  'volume',
  'change',
  'spread',
  'longest pause',
  'price',
]

function coinRow(
  { coin, counts, firstPx, lastPx, lowPx, highPx, volume }: CoinSummary,
  shape: CoinProfile | undefined,
): string[] {
  const change = firstPx && lastPx ? (Number(lastPx) / Number(firstPx) - 1) * 100 : null
  const spread = shape?.meanSpread ?? null
  return [
    coin,
    String(counts.trade ?? 0),
    String((counts.book ?? 0) + (counts.delta ?? 0)),
    firstPx ?? '-',
    lastPx ?? '-',
    lowPx ?? '-',
    highPx ?? '-',
    volume,
    change === null ? '-' : `${change < 0 ? '' : '+'}${change.toFixed(2)} %`,
    spread === null ? '-' : `${spread.toFixed(2)} bp`,
    spanText(shape?.longestPauseMs ?? 0),
    sparkline(shape?.prices ?? []),
  ]
}

const rateText = (perSecond: number) =>
  perSecond < 1 ? perSecond.toFixed(3) : perSecond.toFixed(1)

const BARS = '▁▂▃▄▅▆▇█'

/** Values as a row of bars between the lowest and the highest; a space where there is none. */
function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const step = (high - low) / (BARS.length - 1)
  const bar = (value: number) => BARS[step > 0 ? Math.round((value - low) / step) : 0]
  return values.map((value) => (value === null ? ' ' : bar(value))).join('')
}
