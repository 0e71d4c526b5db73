import type { TapeHeader } from '../../../tape/tape-event.ts'

/** One line about a tape that was written. */
export function writtenText(out: string, header: TapeHeader): string {
  const events = Object.values(header.counts).reduce((sum, count) => sum + count, 0)
  const { length } = header.instruments
  return `${out}: ${events} events, ${length} instruments, ${durationText(header)}`
}

/** How long a tape is, `5m 45.3s`. */
export const durationText = ({ startMs, endMs }: TapeHeader): string => spanText(endMs - startMs)

/** So many ms, `5m 45.3s`. */
export function spanText(ms: number): string {
  const seconds = ms / 1000
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = `${Number((seconds % 60).toFixed(3))}s`
  if (hours > 0) return `${hours}h ${minutes}m ${rest}`
  return minutes > 0 ? `${minutes}m ${rest}` : rest
}

/** A moment as ISO 8601 text, UTC. */
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

/** Rows of texts in columns, the first row being the titles. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  return rows
    .map((row) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  '))
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
}
