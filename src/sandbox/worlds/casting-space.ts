/** What casting a world takes of disk, memory and time, which is said before it is cast. */

import { existsSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { WHOLE_MARKETS } from '../../market/casting/survey/tape-survey.ts'
import { UserError } from '../../platform/user-error.ts'
import type { EventKind, TapeHeader } from '../../tape/tape-event.ts'
import type { MemoryNeed } from '../memory.ts'

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
  const past = TRADERS_BYTES + wholeMarkets({ counts, instruments }) * INSTRUMENT_BYTES
  return events.reduce((sum, bytes) => sum + bytes, past)
}

/** Instruments that get a past: all where some are traded, else the first of those with prices. */
const wholeMarkets = ({ counts, instruments }: Pick<TapeHeader, 'counts' | 'instruments'>) =>
  TRADED.some((kind) => counts[kind] !== undefined)
    ? instruments.length
    : Math.min(WHOLE_MARKETS, instruments.length)

const TRADED: readonly EventKind[] = ['trade', 'book', 'delta', 'bbo']

/** Seconds that the past of an instrument takes, a thousand events, and the traders: measured. */
const SECONDS = { instrument: 0.8, events: 0.03, traders: 4 }

/** About how long the casting of a tape takes, in words: `about 20 s`. */
export function castingTime(header: TapeHeader): string {
  const events = Object.values(header.counts).reduce((sum, count) => sum + count, 0)
  const seconds =
    SECONDS.traders + wholeMarkets(header) * SECONDS.instrument + (events / 1000) * SECONDS.events
  if (seconds >= 120) return `about ${Math.round(seconds / 60)} min`
  return `about ${Math.max(5, 5 * Math.round(seconds / 5))} s`
}

/** What a casting takes of memory at its peak, and some to spare; more by each market beyond. */
const CASTING_BYTES = { least: 640e6, markets: 11, market: 24e6 }

/** The memory without which the casting of a tape is not begun. */
export function castingNeed(header: TapeHeader): MemoryNeed {
  const { least, markets, market } = CASTING_BYTES
  return {
    work: 'casting a world',
    bytes: least + Math.max(0, wholeMarkets(header) - markets) * market,
    otherwise: 'let TAPEWRIGHT_WORLDS or TAPEWRIGHT_CACHE name a folder with the world in it',
  }
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
