import { UserError } from '../../user-error.ts'
import { excerptOf, type UnknownRecord } from '../unknown-record.ts'
import { decimalText, scaled } from './contract-size.ts'
import type { LeftOut } from './left-out.ts'

/** One account's part in a trade. */
interface Fill {
  address: string
  data: UnknownRecord
}

/**
 * Makes trades of fills: the two fills of a trade have one tid and come in one block, which the one
 * of the taker is told by `crossed`. A trade of which one side is missing has no addresses.
 *
 * Fills that come alone, without their block, are gathered while their time stays the same.
 */
export class NodeFills {
  private waiting: Fill[] = []

  constructor(private readonly leftOut: LeftOut) {}

  /** The trades of a block: `[[address, fill], …]`. */
  block(events: readonly unknown[]): UnknownRecord[] {
    return this.trades(events.map(fillOf))
  }

  /** One fill by itself; the trades of the block before, when it begins another. */
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

/** More fills than a block has ever had. */
const BLOCK_MAX = 100_000

/** Who was liquidated in a trade, where somebody was. */
function closedIn(pair: readonly Fill[]): UnknownRecord | undefined {
  for (const { address, data } of pair) {
    const { liquidatedUser, markPx } = (data.liquidation ?? {}) as UnknownRecord
    // Who is not the taker was not closed by the market.
    if (liquidatedUser !== address || data.crossed !== true) continue
    return { address, markPx, position: data.side === 'A' ? 'long' : 'short' }
  }
  return undefined
}

/** Trades of a coin that follow one another and close one position are one liquidation. */
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
