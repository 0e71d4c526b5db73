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
import type { RowNumbers } from '../row-numbers.ts'
import type { RowSink } from '../writing/row-sink.ts'

/** What a position needs to know of a fill, besides how it changed the holding. */
interface PositionFill {
  id: number
  timeMs: number
  fee: Usd
  /** Signed size before. */
  before: Sz
  /** Set on the side that is liquidated. */
  liquidation: number | null
}

/** Follows positions of perpetuals from open to flat, and writes each once it is closed. */
export class PositionTracker {
  private readonly changed = new Set<Holding>()

  constructor(
    private readonly rows: RowSink,
    private readonly numbers: RowNumbers,
    private readonly onOpened: (holding: Holding, timeMs: number) => void,
    private readonly onClosed: (holding: Holding, timeMs: number) => void,
  ) {}

  /** Takes a fill in; answers the number of the position that it belongs to. */
  follow(holding: Holding, change: FillEffect, fill: PositionFill): number | null {
    const open = holding.position
    if (open) {
      open.closeSz = add(open.closeSz, change.closedSz)
      open.closeNotional = add(open.closeNotional, change.closedNotional)
      open.closedPnl = add(open.closedPnl, change.closedPnl)
      // Of a flip, the whole fee counts with the position that it closed.
      open.fees = add(open.fees, fill.fee)
      open.liquidation ??= fill.liquidation
    }
    if (open && (holding.sz === ZERO || holding.sz < ZERO !== fill.before < ZERO)) {
      this.write(holding, fill.timeMs, fill.id)
      holding.position = null
      this.onClosed(holding, fill.timeMs)
    }
    this.changed.add(holding)
    if (change.openedSz === ZERO) return open?.id ?? null
    const position = holding.position ?? this.begin(holding, fill, open ? ZERO : fill.fee)
    position.openSz = add(position.openSz, change.openedSz)
    position.openNotional = add(position.openNotional, change.openedNotional)
    position.maxSz = greater(position.maxSz, absolute(holding.sz))
    return position.id
  }

  /** Writes the open positions that have changed since the last call. */
  writeChanged(): void {
    for (const holding of this.changed) this.write(holding, null, null)
    this.changed.clear()
  }

  /** Writes the row of a holding's position; null for one that is still open. */
  write(holding: Holding, closeMs: number | null, closeFill: number | null): void {
    const { position, market, account } = holding
    if (!position) return
    this.rows.add('position', {
      id: position.id,
      trader: account.agent.id,
      instrument: market.row.id,
      direction: position.long ? 'long' : 'short',
      isolated: holding.isolated,
      leverage: holding.leverage,
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
      funding: subtract(holding.funding, position.fundingBefore),
      liquidation: position.liquidation,
    })
  }

  private begin(holding: Holding, fill: PositionFill, fees: Usd) {
    holding.fundingAtOpen = holding.funding
    const position: OpenPosition = {
      id: this.numbers.next('position'),
      long: holding.sz > ZERO,
      openMs: fill.timeMs,
      openFill: fill.id,
      maxSz: ZERO,
      openSz: ZERO,
      openNotional: ZERO,
      closeSz: ZERO,
      closeNotional: ZERO,
      closedPnl: ZERO,
      fees,
      fundingBefore: holding.funding,
      liquidation: null,
    }
    holding.position = position
    this.onOpened(holding, fill.timeMs)
    return position
  }
}
