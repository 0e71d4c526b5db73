/** Reads spans of an instrument's trades into columns, in pieces. */
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import type { World } from '../world.ts'
import {
  countBefore,
  joinedTrades,
  type TradeColumns,
  tradeColumns,
  tradeRowReader,
} from './trade-columns.ts'

/** The trades of a span in which the world ended, as far as they were known. */
interface OpenSpan {
  fromMs: TapeMs
  trades: TradeColumns
  knownMs: TapeMs
}

export class TradeReading {
  private readonly rows
  /** By instrument: the end of a market that grows is read again and again. */
  private readonly open = new Map<number, OpenSpan>()

  constructor(private readonly world: World) {
    this.rows = tradeRowReader(world)
  }

  /** The trades with fromMs <= time < toMs, a piece a slice. */
  *read(instrument: number, fromMs: TapeMs, toMs: TapeMs, pieceMs: number): Slices<TradeColumns> {
    const knownMs = this.world.endMs
    const open = this.open.get(instrument)
    const known = open?.fromMs === fromMs ? open : null
    // Of what was read before, only what has come since is read.
    const newMs = known ? later(known.knownMs, 1) : fromMs
    const rows = []
    for (let atMs = newMs; atMs < toMs; ) {
      const endMs = tapeMs(fromMs + (Math.floor((atMs - fromMs) / pieceMs) + 1) * pieceMs)
      for (const row of this.rows.all(instrument, atMs, endMs)) rows.push(row)
      atMs = endMs
      yield
    }
    const added = tradeColumns(rows)
    const trades = known
      ? joinedTrades(known.trades, countBefore(known.trades, newMs), added)
      : added
    if (knownMs < toMs) this.open.set(instrument, { fromMs, trades, knownMs })
    else if (known) this.open.delete(instrument)
    return trades
  }
}
