import { RECORDINGS_FOLDER } from '../../../platform/environment.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { TapeHeader } from '../../../tape/tape-event.ts'
import { findTape } from '../../../tape/tape-name.ts'

/** A line about a written tape. */
export function writtenText(out: string, header: TapeHeader): string {
  const events = Object.values(header.counts).reduce((sum, count) => sum + count, 0)
  const { length } = header.instruments
  return `${out}: ${events} events, ${length} instruments, ${durationText(header)}`
}

/** The length of a tape: `5m 45.3s`. */
export const durationText = ({ startMs, endMs }: TapeHeader): string => spanText(endMs - startMs)

/** A span as text: `5m 45.3s`. */
export function spanText(ms: number): string {
  const seconds = ms / 1000
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = `${Number((seconds % 60).toFixed(3))}s`
  if (hours > 0) return `${hours}h ${minutes}m ${rest}`
  return minutes > 0 ? `${minutes}m ${rest}` : rest
}

/** An instant as ISO 8601 text, UTC. */
export function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** A count with commas, `12,345`. */
export const countText = (count: number): string => count.toLocaleString('en-US')

/** `1.8 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}

/** Rows of texts in columns; the first row has the titles. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows
    .map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
}

const UNITS_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Parses an instant of a tape, in ms since 1970: `1737918850000`, or an offset from its start such
 * as `30s`, `1.5m`, `250ms`, `2h`, `1d`. A `UserError` names the flag.
 */
export function parseTapeTime(flag: string, text: string, startMs: number): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const match = /^(\d{1,9}(?:\.\d{1,6})?)(ms|s|m|h|d)$/.exec(text)
  const unitMs = UNITS_MS[match?.[2] ?? '']
  if (!match || !unitMs)
    throw new UserError(
      `--${flag} must be milliseconds since 1970 or an offset such as 30s or 5m, not "${text}"`,
    )
  return startMs + Math.round(Number(match[1]) * unitMs)
}

/** The files of tapes that are named as files or as recordings. */
export const tapesOf = (named: readonly string[]): string[] =>
  named.map((one) => findTape(one, RECORDINGS_FOLDER))

/** The file of the one tape that an action takes. */
export const tapeOf = ([named = '']: readonly string[]): string =>
  findTape(named, RECORDINGS_FOLDER)
