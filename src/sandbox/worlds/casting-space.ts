/** How much of the disk a world takes, which is said before it is cast. */

import { existsSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../../platform/user-error.ts'
import type { EventKind, TapeHeader } from '../../tape/tape-event.ts'

/** Bytes of the file for each event of a kind, with its indexes: measured, and some to spare. */
const EVENT_BYTES: Partial<Record<EventKind, number>> = { trade: 650, book: 2_000, delta: 280 }
const OTHER_EVENT_BYTES = 160
/** What thirty days of the past take of each instrument, and traders of all. */
const INSTRUMENT_BYTES = 7e6
const TRADERS_BYTES = 20e6

/** About how large the world of a tape gets, bytes. */
export function worldBytes({ counts, instruments }: TapeHeader): number {
  const events = Object.entries(counts).map(
    ([kind, count]) => count * (EVENT_BYTES[kind as EventKind] ?? OTHER_EVENT_BYTES),
  )
  const past = TRADERS_BYTES + instruments.length * INSTRUMENT_BYTES
  return events.reduce((sum, bytes) => sum + bytes, past)
}

/**
 * Throws a UserError where a folder cannot hold the world of a tape, of which its file may have
 * some already.
 */
export function checkCastingSpace(
  header: TapeHeader,
  file: string,
  freeBytes: number = freeBytesFor(file),
): void {
  const needed = worldBytes(header)
  if (needed <= freeBytes) return
  throw new UserError(
    `the world of ${header.source} takes about ${inMb(needed)} MB, and ${path.dirname(file)} has ` +
      `${inMb(freeBytes)} MB free: make room there, or set TAPEWRIGHT_CACHE to another folder`,
  )
}

function freeBytesFor(file: string): number {
  const { bavail, bsize } = statfsSync(path.dirname(file))
  return bavail * bsize + (existsSync(file) ? statSync(file).size : 0)
}

const inMb = (bytes: number) => Math.ceil(bytes / 1e6).toLocaleString('en-US')
