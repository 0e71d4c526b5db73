import { statSync } from 'node:fs'
import type { Silences } from '../../../market/bars/silence-log.ts'
import {
  differenceOf,
  isNone,
  type Pair,
  type TapeDifference,
} from '../../../tape/tape-difference.ts'
import { EVENT_KINDS, type TapeEvent } from '../../../tape/tape-event.ts'
import {
  type CoinSummary,
  FINDINGS_MAX,
  inspectTape,
  type TapeInspection,
} from '../../../tape/tape-inspection.ts'
import type { RecordingSummary } from '../../../tape/tape-profile.ts'
import {
  type CoinProfile,
  TapeProfile,
  type TapeProfileSummary,
} from '../../../tape/tape-profile.ts'
import { openTape, type Tape } from '../../../tape/tape-reader.ts'
import type { Run } from '../command.ts'
import { progressLine } from '../terminal.ts'
import type { TAPE_DIFF, TAPE_INFO, TAPE_VERIFY } from './inspect-declarations.ts'
import {
  bytesText,
  countText,
  durationText,
  spanText,
  table,
  tapeOf,
  tapesOf,
  timeText,
} from './text-output.ts'

/** Intervals of the shown prices. */
const INTERVALS = 24

/** `tape info`: shows the contents of a tape, and the prices of each coin. */
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

/** The JSON form: the header with the facts found. */
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

/** The facts of `tape info`. */
interface TapeFacts {
  tape: Tape
  bytes: number
  events: number
  /** By kind, in the order of the kinds. */
  kinds: { kind: string; count: number; perSecond: number }[]
  coins: TapeInspection['coins']
  profile: TapeProfileSummary
}

/** The text form of `tape info`. */
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

/** Values as a row of bars between the lowest and the highest; a space for none. */
function sparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const step = (high - low) / (BARS.length - 1)
  const bar = (value: number) => BARS[step > 0 ? Math.round((value - low) / step) : 0]
  return values.map((value) => (value === null ? ' ' : bar(value))).join('')
}

// Whether a tape is sound.

/** `tape verify`: checks every line and follows the books; exit code 1 with findings. */
export const verify: Run<typeof TAPE_VERIFY> = async ({ flags, rest }) => {
  const tape = await openTape(tapeOf(rest))
  const result = await inspectTape(tape)
  if (flags.json) {
    const { events, findingCount, findings } = result
    console.log(JSON.stringify({ tape: tape.path, events, found: findingCount, findings }))
  } else console.log(verifyText(tape, result))
  return result.findingCount === 0 ? 0 : 1
}

function verifyText(
  { path, header }: Tape,
  { events, coins, findings, findingCount }: TapeInspection,
): string {
  const ended = header.open ? 'not ended, ' : ''
  if (findingCount === 0) return `${path}: ${ended}sound, ${events} events of ${coins.length} coins`
  const lines = findings.map(
    ({ seq, time, coin, what }) => `  seq ${seq} at ${time}, ${coin}: ${what}`,
  )
  const more = findingCount > FINDINGS_MAX ? [`  and ${findingCount - FINDINGS_MAX} more`] : []
  return [`${path}: ${findingCount} findings in ${events} events`, ...lines, ...more].join('\n')
}

// How two tapes differ.

/** `tape diff`: compares two tapes; exit code 1 when they differ. */
export const diff: Run<typeof TAPE_DIFF> = async ({ flags, rest }) => {
  const [a = '', b = ''] = tapesOf(rest)
  const found = await differenceOf(await openTape(a), await openTape(b))
  const isSame = isNone(found)
  if (flags.json) console.log(JSON.stringify({ a, b, same: isSame, ...found }))
  else console.log(isSame ? sameText({ a, b }, found) : differenceText({ a, b }, found))
  return isSame ? 0 : 1
}

const sameText = ({ a, b }: Pair<string>, { events }: TapeDifference) =>
  `${a} and ${b} are the same: ${countText(events.a)} events`

function differenceText(paths: Pair<string>, found: TapeDifference): string {
  const { header, kinds, coins, first } = found
  return [
    `A ${paths.a}\nB ${paths.b}`,
    ...part('header', header, ({ field, a, b }) => [field, a, b]),
    ...part('events of a kind', kinds, ({ kind, ...pair }) => [kind, ...counted(pair)]),
    ...part('events of a coin', coins, ({ coin, ...pair }) => [coin, ...counted(pair)]),
    first === null
      ? `all ${countText(found.events.a)} events are the same`
      : [
          `first difference after ${countText(first.same)} events that are the same`,
          ...eventLines(first),
        ].join('\n'),
  ].join('\n\n')
}

/** A table of differences; empty for none. */
function part<T>(title: string, all: readonly T[], cells: (one: T) => string[]): string[] {
  return all.length === 0 ? [] : [table([[title, 'A', 'B'], ...all.map(cells)])]
}

const counted = ({ a, b }: Pair<number>) => [countText(a), countText(b)]

/** Both events; long ones are cut to the surroundings of their first difference. */
function eventLines({ a, b }: Pair<TapeEvent | null>): string[] {
  const [inA, inB] = [textOf(a), textOf(b)]
  const shorter = Math.min(inA.length, inB.length)
  let at = 0
  while (at < shorter && inA[at] === inB[at]) at++
  return [`  A ${excerpt(inA, at)}`, `  B ${excerpt(inB, at)}`]
}

const SHOWN_MAX = 240
const [HEAD, BEFORE, AFTER] = [80, 40, 110]

function excerpt(text: string, at: number): string {
  if (text.length <= SHOWN_MAX) return text
  const from = Math.max(HEAD, at - BEFORE)
  const between = from > HEAD ? ' … ' : ''
  const rest = from + AFTER < text.length ? ' …' : ''
  return `${text.slice(0, HEAD)}${between}${text.slice(from, from + AFTER)}${rest}`
}

const textOf = (event: TapeEvent | null) => (event === null ? 'has ended' : JSON.stringify(event))
