/** The header of a tape that is to be played. */
import { UserError } from '../../platform/user-error.ts'

/** What is on no market: the traffic that a recorder has seen. */
const OF_TRAFFIC = ['exchange', 'frame', 'connection', 'gap']

/**
 * The header of a tape that has a market; traffic alone is a UserError that tells the way, as are
 * times of another unit.
 */
export async function marketHeader(path: string) {
  const header = await tapeHeader(path)
  checkTimes(path, header)
  const kinds = Object.keys(header.counts)
  if (kinds.length === 0 || kinds.some((kind) => !OF_TRAFFIC.includes(kind))) return header
  const { exchange = 0, frame = 0 } = header.counts
  throw new UserError(
    `${path}: is recorded traffic (${exchange} exchanges, ${frame} frames), not a market: ` +
      `"tapewright tape normalise ${path} --out market.tape.ndjson.zst" makes a market of it, ` +
      `and "--replay ${path}" serves it unchanged`,
  )
}

/** A world has a month before its tape, and calendars. */
function checkTimes(path: string, { startMs, endMs }: { startMs: number; endMs: number }): void {
  if (startMs >= EARLIEST_MS && endMs < LATEST_MS) return
  throw new UserError(
    `${path}: goes from ${startMs} to ${endMs}, which is not between the years 2000 and 2100: ` +
      'times of a tape are milliseconds since 1970',
  )
}

const EARLIEST_MS = Date.UTC(2000, 0)
const LATEST_MS = Date.UTC(2100, 0)

/** Reading tapes is loaded when it is needed: a world that is in the cache needs only its name. */
export async function tapeHeader(path: string) {
  const { openTape } = await import('../../tape/tape-reader.ts')
  return (await openTape(path)).header
}
