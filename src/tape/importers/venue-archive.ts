import { UserError } from '../../user-error.ts'
import type { EventDraft, Instrument } from '../tape-event.ts'
import { excerptOf, type UnknownRecord } from '../unknown-record.ts'
import type { Importer, RecordingReader } from './importer.ts'
import { NodeFills } from './node-fills.ts'
import type { RecordedLine } from './recorded-line.ts'
import { readTimeMs } from './time-text.ts'
import { VenueFrameReader } from './venue-native.ts'

/**
 * The perpetual venue's archive, a file an hour, lz4: books of a coin (the socket's frames,
 * wrapped), node trades, node fills alone or by block.
 *
 * Sizes are in coins. Of a trade, fills tell both sides: they become one trade with both addresses.
 *
 * @see https://hyperliquid.gitbook.io/hyperliquid-docs/historical-data
 * @see https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/nodes/l1-data-schemas
 */
export const venueArchive: Importer = {
  name: 'venue-archive',
  order: 'merged',
  container: 'lines',
  recognises: ({ container, record, line }) =>
    (container === 'lines' && record !== null && kindOf(record) !== null) || FILL_PAIR.test(line),
  createReader: () => new ArchiveReader(),
}

/** A line of fills that are not by block: `["0x…",{…}]`. */
const FILL_PAIR = /^\["0x[0-9a-f]+",\s*\{/i

function kindOf(record: UnknownRecord): 'book' | 'trade' | 'block' | null {
  if (record.raw !== undefined && record.ver_num !== undefined) return 'book'
  if (Array.isArray(record.side_info)) return 'trade'
  return Array.isArray(record.events) ? 'block' : null
}

class ArchiveReader implements RecordingReader {
  private readonly frames = new VenueFrameReader()
  readonly leftOut = this.frames.leftOut
  private readonly fills = new NodeFills(this.leftOut)

  record(line: RecordedLine): EventDraft[] {
    if (typeof line === 'string' && line.trim() === '') return []
    const record = parsed(line)
    if (Array.isArray(record)) return this.fills.alone(record).flatMap((one) => this.trade(one))
    const kind = kindOf(record)
    if (kind === 'book') return this.frames.frame(object(record.raw), null)
    if (kind === 'trade') return this.trade(nodeTrade(record))
    if (kind === 'block')
      return this.fills.block(record.events as unknown[]).flatMap((one) => this.trade(one))
    throw new UserError(`has ${excerptOf(record)}: a book, a trade or fills are known`)
  }

  end(): EventDraft[] {
    return this.fills.end().flatMap((one) => this.trade(one))
  }

  instruments(): Instrument[] {
    return this.frames.instruments()
  }

  /** What the node tells becomes what the socket would have told. */
  private trade({ liquidation, ...trade }: UnknownRecord): EventDraft[] {
    const drafts = this.frames.frame({ channel: 'trades', data: [trade] }, null)
    const [draft] = drafts
    if (liquidation === undefined || draft?.kind !== 'trade') return drafts
    const { position, sz, markPx, tids } = liquidation as UnknownRecord
    const data = this.frames.liquidation({ position, sz, markPx, tids })
    return [{ time: draft.time, kind: 'liquidation', coin: draft.coin, data }, ...drafts]
  }
}

/** One record for both sides, the buyer first; it has no tid. */
function nodeTrade({ coin, side, px, sz, time, hash, side_info: sides }: UnknownRecord) {
  const users = (sides as unknown[]).map((one) => object(one).user)
  if (users.length !== 2 || !users.every((user) => typeof user === 'string'))
    throw new UserError('has a side_info that is not of a buyer and a seller')
  return { coin, side, px, sz, hash, users, time: readTimeMs(String(time), 'iso'), tid: null }
}

function parsed(line: RecordedLine): UnknownRecord | unknown[] {
  if (typeof line !== 'string') {
    if (line.clockMs === null) return line.value
    throw new UserError('is not whole JSON')
  }
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new UserError('is not whole JSON')
  }
  if (typeof value === 'object' && value !== null) return value as UnknownRecord
  throw new UserError(`has ${excerptOf(value)} where an object belongs`)
}

function object(value: unknown): UnknownRecord {
  if (typeof value === 'object' && value !== null) return value as UnknownRecord
  throw new UserError(`has ${excerptOf(value)} where an object belongs`)
}
