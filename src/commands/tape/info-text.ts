import type { Silences } from '../../market/silence-log.ts'
import type { RecordingSummary } from '../../tape/recording-profile.ts'
import type { CoinSummary, TapeInspection } from '../../tape/tape-inspection.ts'
import type { CoinProfile, TapeProfileSummary } from '../../tape/tape-profile.ts'
import type { Tape } from '../../tape/tape-reader.ts'
import { sparkline } from './sparkline.ts'
import { bytesText, countText, durationText, spanText, table, timeText } from './text-output.ts'

/** All that `tape info` tells. */
export interface TapeFacts {
  tape: Tape
  bytes: number
  events: number
  /** By kind, in the order of the kinds. */
  kinds: { kind: string; count: number; perSecond: number }[]
  coins: TapeInspection['coins']
  profile: TapeProfileSummary
}

/** What `tape info` prints for people. */
export function infoText(facts: TapeFacts): string {
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
