import { UserError } from '../platform/user-error.ts'
import { EVENT_KINDS, FORMAT, type Instrument, type TapeHeader, VERSION } from './tape-event.ts'
import { excerptOf, isWholeNumber, type UnknownRecord } from './unknown-record.ts'

/**
 * Reads line 1 of a tape.
 *
 * Another format, a later version and a header that lacks something are a `UserError` that names
 * `path`.
 */
export function readHeader(path: string, line: string): TapeHeader {
  const header = parseHeader(path, line)
  if (header.format !== FORMAT)
    throw new UserError(
      `${path}: line 1 is no tape header, it would begin {"format":"${FORMAT}" …}`,
    )
  const { version } = header
  if (typeof version === 'number' && version > VERSION)
    throw new UserError(
      `${path}: is a version ${version} tape, ` + `this program reads up to ${VERSION}: update it`,
    )
  const flaw = headerFlaw(header)
  if (flaw) throw new UserError(`${path}: line 1: the header ${flaw}`)
  return header as unknown as TapeHeader
}

/** The instruments of a header by name. */
export function instrumentsByCoin(instruments: readonly Instrument[]): Map<string, Instrument> {
  return new Map(instruments.map((instrument) => [instrument.coin, instrument]))
}

function parseHeader(path: string, line: string): UnknownRecord {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as UnknownRecord
  } catch {
    // Falls through to the one error for both.
  }
  throw new UserError(`${path}: line 1 is not JSON, so this is no tape; see docs/tape-format.md`)
}

function headerFlaw(header: UnknownRecord): string | null {
  if (header.version !== VERSION) return `has version ${excerptOf(header.version)}`
  if (typeof header.source !== 'string') return 'needs "source" as text'
  if (!isWholeNumber(header.startMs)) return 'needs "startMs" in whole milliseconds'
  return endFlaw(header) ?? instrumentsFlaw(header.instruments)
}

/** A recording that was not ended has nothing of what is known at the end. */
function endFlaw(header: UnknownRecord): string | null {
  const { open, startMs, endMs, counts } = header
  if (open === true)
    return endMs === undefined && counts === undefined
      ? null
      : 'is open, and has "endMs" or "counts" all the same'
  if (open !== undefined) return 'has "open" that is not true'
  if (!isWholeNumber(endMs)) return 'needs "endMs" in whole milliseconds'
  if (endMs < (startMs as number)) return 'ends before it starts'
  return countsFlaw(counts)
}

function countsFlaw(counts: unknown): string | null {
  if (typeof counts !== 'object' || counts === null) return 'needs "counts"'
  for (const [kind, count] of Object.entries(counts))
    if (!(EVENT_KINDS as readonly string[]).includes(kind) || !isWholeNumber(count))
      return `has a count "${kind}": ${excerptOf(count)}`
  return null
}

function instrumentsFlaw(instruments: unknown): string | null {
  if (!Array.isArray(instruments)) return 'needs a list of instruments'
  const seen = new Set<unknown>()
  for (const item of instruments as UnknownRecord[]) {
    const flaw = instrumentFlaw(item)
    if (flaw) return `has instrument ${excerptOf(item?.coin)}, ${flaw}`
    if (seen.has(item.coin)) return `names instrument ${item.coin} twice`
    seen.add(item.coin)
  }
  return null
}

function instrumentFlaw(item: UnknownRecord | null): string | null {
  if (typeof item !== 'object' || item === null) return 'which is no object'
  if (typeof item.coin !== 'string' || item.coin === '') return 'which needs a name'
  if (item.kind !== 'perp' && item.kind !== 'spot') return 'which is neither "perp" nor "spot"'
  for (const name of ['dex', 'base', 'quote'])
    if (typeof item[name] !== 'string') return `which needs "${name}" as text`
  for (const name of ['pxDecimals', 'szDecimals'])
    if (!isWholeNumber(item[name]) || (item[name] as number) > 15)
      return `which needs "${name}" from 0 to 15`
  return isWholeNumber(item.maxLeverage) && item.maxLeverage > 0
    ? null
    : 'which needs a "maxLeverage"'
}
