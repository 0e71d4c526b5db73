import { isUtf8 } from 'node:buffer'
import { textLines } from '../text-lines.ts'
import type { UnknownRecord } from '../unknown-record.ts'
import { clockMs } from './time-text.ts'

/** A line of a recording: an object of JSON, perhaps behind a clock, or else its text. */
export type RecordedLine = ParsedLine | string

/** A line that is an object of JSON, and was parsed with those around it. */
export interface ParsedLine {
  /** null where no clock stands before it. */
  clockMs: number | null
  value: UnknownRecord
}

/**
 * Reads lines, all at once where each is an object: one by one takes half as long again.
 *
 * Where one is something else, or cannot be right, all are texts, so that each is read, and
 * refused, by itself.
 */
export function recordedLines(bytes: Buffer, name: string, first: number): RecordedLine[] {
  return parsedLines(bytes) ?? textLines(bytes, name, first)
}

const [NEWLINE, SPACE, ZERO, NINE, BRACE] = [10, 32, 48, 57, 123]

function parsedLines(bytes: Buffer): ParsedLine[] | null {
  const clocks: (number | null)[] = []
  // A copy: where a line is no object after all, its bytes are still what they were.
  const objects = Buffer.from(bytes)
  for (let at = 0; at <= bytes.length; ) {
    const start = clockEnd(bytes, at)
    if (bytes[start] !== BRACE) return null
    const timeMs = start === at ? null : clockMs(bytes, at, start - 1)
    if (timeMs === null && start > at) return null
    clocks.push(timeMs)
    objects.fill(SPACE, at, start)
    const end = bytes.indexOf(NEWLINE, start)
    at = end < 0 ? bytes.length + 1 : end + 1
  }
  const { values, done } = Bun.JSONL.parseChunk(objects)
  if (!done || values.length !== clocks.length || !isUtf8(bytes)) return null
  return clocks.map((clockMs, line) => ({ clockMs, value: values[line] as UnknownRecord }))
}

/** Where what stands behind a clock of 13 to 19 digits begins; where a line begins without one. */
function clockEnd(bytes: Buffer, start: number): number {
  let at = start
  while (isDigit(bytes[at] ?? 0)) at++
  const isClock = at - start >= 13 && at - start <= 19 && bytes[at] === SPACE
  return isClock ? at + 1 : start
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= NINE
