import { UserError } from '../../platform/user-error.ts'
import { excerptOf, type UnknownRecord } from '../recorded-data.ts'
import type { EventDraft, Instrument } from '../tape-event.ts'
import type { LeftOut } from './bad-rows.ts'
import { decimalText, scaled } from './contract-size.ts'
import { readTimeMs } from './csv-cells.ts'
import type { Importer, RecordingReader } from './importer.ts'
import type { RecordedLine } from './recorded-line.ts'
import { VenueFrameReader } from './venue-native.ts'

/**
 * The perpetual venue's archive, a file an hour, lz4: books of a coin (the socket's frames,
 * wrapped), node trades, node fills alone or by block.
 *
 * Sizes are in coins. Fills contain both sides of a trade: they become one trade with both
 * addresses.
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

/** A line of a single fill: `["0x…",{…}]`. */
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

  /** Converts a node trade to the socket's form. */
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

/** One account's part in a trade. */
interface Fill {
  address: string
  data: UnknownRecord
}

/**
 * Joins fills into trades: both fills of a trade have one tid and are in one block, and `crossed`
 * marks the taker's. A trade with one side missing has no addresses.
 *
 * Single fills are collected while their time stays the same.
 */
class NodeFills {
  private waiting: Fill[] = []

  constructor(private readonly leftOut: LeftOut) {}

  /** The trades of a block: `[[address, fill], …]`. */
  block(events: readonly unknown[]): UnknownRecord[] {
    return this.trades(events.map(fillOf))
  }

  /** Takes a single fill; returns the previous block's trades when it begins another. */
  alone(event: unknown[]): UnknownRecord[] {
    const fill = fillOf(event)
    const isSame = this.waiting[0]?.data.time === fill.data.time
    const ready = isSame ? [] : this.end()
    this.waiting.push(fill)
    if (this.waiting.length > BLOCK_MAX)
      throw new UserError(`has more than ${BLOCK_MAX} fills of one time: this is no block`)
    return ready
  }

  end(): UnknownRecord[] {
    const fills = this.waiting
    this.waiting = []
    return this.trades(fills)
  }

  private trades(fills: readonly Fill[]): UnknownRecord[] {
    const pairs = new Map<unknown, Fill[]>()
    for (const fill of fills) {
      const pair = pairs.get(fill.data.tid) ?? []
      pairs.set(fill.data.tid, pair)
      pair.push(fill)
    }
    const trades = [...pairs.values()].map((pair) => this.trade(pair))
    return withLiquidations(trades)
  }

  private trade(pair: readonly Fill[]): UnknownRecord {
    const taker = pair.find(({ data }) => data.crossed === true) ?? pair[0]
    if (taker === undefined) throw new UserError('has a trade without a fill')
    const { coin, side, px, sz, time, hash, tid } = taker.data
    if (pair.length !== 2) {
      this.leftOut.count('address of a trade of which one side is missing', 2)
      return { coin, side, px, sz, time, hash, tid }
    }
    const [buyer, seller] = ['B', 'A'].map(
      (wanted) => pair.find(({ data }) => data.side === wanted)?.address,
    )
    const users = buyer && seller ? [buyer, seller] : undefined
    return { coin, side, px, sz, time, hash, tid, users, closed: closedIn(pair) }
  }
}

/** Exceeds the fills of any block. */
const BLOCK_MAX = 100_000

/** Account liquidated in a trade, if any. */
function closedIn(pair: readonly Fill[]): UnknownRecord | undefined {
  for (const { address, data } of pair) {
    const { liquidatedUser, markPx } = (data.liquidation ?? {}) as UnknownRecord
    // Only a taker is closed in the market.
    if (liquidatedUser !== address || data.crossed !== true) continue
    return { address, markPx, position: data.side === 'A' ? 'long' : 'short' }
  }
  return undefined
}

/** Consecutive trades of a coin that close one position are one liquidation. */
function withLiquidations(trades: readonly UnknownRecord[]): UnknownRecord[] {
  let open: { key: string; liquidation: { tids: unknown[]; sz: string } } | null = null
  return trades.map(({ closed, ...trade }) => {
    if (closed === undefined) {
      open = null
      return trade
    }
    const { address, markPx, position } = closed as UnknownRecord
    const key = `${address} ${trade.coin} ${position} ${trade.side}`
    if (open?.key === key) {
      open.liquidation.tids.push(trade.tid)
      open.liquidation.sz = total(open.liquidation.sz, String(trade.sz))
      return trade
    }
    const liquidation = { position, markPx, sz: String(trade.sz), tids: [trade.tid] }
    open = { key, liquidation }
    return { ...trade, liquidation }
  })
}

function total(a: string, b: string): string {
  const [one, two] = [scaled(a), scaled(b)]
  const decimals = Math.max(one.decimals, two.decimals)
  const units = ({ units, decimals: own }: typeof one) => units * 10n ** BigInt(decimals - own)
  return decimalText(units(one) + units(two), decimals)
}

function fillOf(event: unknown): Fill {
  const [address, data] = Array.isArray(event) ? event : []
  if (typeof address === 'string' && typeof data === 'object' && data !== null)
    return { address, data: data as UnknownRecord }
  throw new UserError(`has ${excerptOf(event)} where [address, fill] belongs`)
}
