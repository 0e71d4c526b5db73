import {
  absolute,
  add,
  greater,
  type Sz,
  subtract,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { FillEffect } from '../../accounting/position.ts'
import type { Holding, OpenPosition } from '../market/market-state.ts'
import type { RowSink } from '../writing/row-sink.ts'

/** What a position needs to know of a fill, besides how it changed the holding. */
interface PositionFill {
  id: number
  timeMs: number
  fee: Usd
  /** Signed size before. */
  before: Sz
  /** Set on the side that is closed by force. */
  liquidation: number | null
}

/** Follows positions of perpetuals from open to flat, and writes each once it is closed. */
export class PositionTracker {
  private count = 0

  constructor(
    private readonly rows: RowSink,
    private readonly onOpened: (held: Holding, timeMs: number) => void,
    private readonly onClosed: (held: Holding, timeMs: number) => void,
  ) {}

  /** Takes a fill in; answers the number of the position that it belongs to. */
  follow(held: Holding, change: FillEffect, fill: PositionFill): number | null {
    const open = held.position
    if (open) {
      open.closeSz = add(open.closeSz, change.closedSz)
      open.closeNotional = add(open.closeNotional, change.closedNotional)
      open.closedPnl = add(open.closedPnl, change.closedPnl)
      // Of a flip, the whole fee counts with the position that it closed.
      open.fees = add(open.fees, fill.fee)
      open.liquidation ??= fill.liquidation
    }
    if (open && (held.sz === ZERO || held.sz < ZERO !== fill.before < ZERO)) {
      this.write(held, fill.timeMs, fill.id)
      held.position = null
      this.onClosed(held, fill.timeMs)
    }
    if (change.openedSz === ZERO) return open?.id ?? null
    const position = held.position ?? this.begin(held, fill, open ? ZERO : fill.fee)
    position.openSz = add(position.openSz, change.openedSz)
    position.openNotional = add(position.openNotional, change.openedNotional)
    position.maxSz = greater(position.maxSz, absolute(held.sz))
    return position.id
  }

  /** Writes what a holding's position has come to; null for one that is still open. */
  write(held: Holding, closeMs: number | null, closeFill: number | null): void {
    const { position, market, account } = held
    if (!position) return
    this.rows.add('position', {
      id: position.id,
      trader: account.agent.id,
      instrument: market.row.id,
      direction: position.long ? 'long' : 'short',
      isolated: held.isolated,
      leverage: held.leverage,
      openMs: position.openMs,
      closeMs,
      openFill: position.openFill,
      closeFill,
      maxSz: position.maxSz,
      openSz: position.openSz,
      openNotional: position.openNotional,
      closeSz: position.closeSz,
      closeNotional: position.closeNotional,
      closedPnl: position.closedPnl,
      fees: position.fees,
      funding: subtract(held.funding, position.fundingBefore),
      liquidation: position.liquidation,
    })
  }

  private begin(held: Holding, fill: PositionFill, fees: Usd) {
    held.fundingAtOpen = held.funding
    const position: OpenPosition = {
      id: ++this.count,
      long: held.sz > ZERO,
      openMs: fill.timeMs,
      openFill: fill.id,
      maxSz: ZERO,
      openSz: ZERO,
      openNotional: ZERO,
      closeSz: ZERO,
      closeNotional: ZERO,
      closedPnl: ZERO,
      fees,
      fundingBefore: held.funding,
      liquidation: null,
    }
    held.position = position
    this.onOpened(held, fill.timeMs)
    return position
  }
}
