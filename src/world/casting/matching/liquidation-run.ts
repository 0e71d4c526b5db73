import {
  absolute,
  add,
  type Px,
  px,
  type Sz,
  subtract,
  sz,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { parse } from '../../../decimal/scaled.ts'
import { liquidationPx, unrealisedPnl } from '../../accounting/margin.ts'
import { szText, usdText } from '../../schema.ts'
import type { CastingContext } from '../casting-context.ts'
import { fundingPaid } from '../ledger/sub-account.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { InputLiquidation } from '../tape-input.ts'
import { parseNearest } from '../tape-values.ts'

/** A liquidation under way: from its announcement to the last of its trades. */
export class LiquidationRun {
  private readonly tids: Set<number>
  private readonly side: 'B' | 'A'
  private readonly row
  private written = false

  /** `holding` is what it closes; undefined where the trades name the trader, or none is known. */
  constructor(
    private readonly context: CastingContext,
    private readonly market: MarketState,
    readonly id: number,
    timeMs: number,
    data: InputLiquidation,
    readonly holding: Holding | undefined,
  ) {
    this.tids = new Set(data.tids)
    this.side = data.position === 'long' ? 'A' : 'B'
    const { pxDecimals, szDecimals } = market.row
    this.row = {
      id,
      instrument: market.row.id,
      timeMs,
      trader: null as number | null,
      direction: data.position,
      sz: sz(parse(data.sz, szDecimals)),
      markPx: px(parseNearest(data.markPx, pxDecimals)),
      liquidationPx: null as Px | null,
      notional: ZERO as Usd,
      closedPnl: ZERO as Usd,
      oid: null as number | null,
      startPosition: null as Sz | null,
      positionAfter: null as Sz | null,
    }
    if (this.tids.size === 0) this.finish()
  }

  /** Whether a trade is one of its own. */
  includes(tid: number | undefined, side: 'B' | 'A'): boolean {
    return tid !== undefined && side === this.side && this.tids.has(tid)
  }

  /** Right before its trades: the position, and its liquidation price. */
  beforeExecution(holding: Holding, timeMs: number): void {
    if (this.row.trader !== null) return
    const { market, row } = this
    const { account } = holding
    const { row: instrument } = market
    const pnl = unrealisedPnl(holding, row.markPx, instrument)
    const equity = add(subtract(account.cash, fundingPaid(holding)), pnl)
    row.trader = account.agent.id
    row.startPosition = holding.sz
    row.liquidationPx = liquidationPx(holding.sz, row.markPx, equity, ZERO, instrument)
    const szi = szText(instrument, holding.sz, 1)
    this.context.ledger.recordOnly(account, timeMs, {
      type: 'liquidation',
      liquidatedNtlPos: usdText(absolute(add(holding.cost, pnl)), 1),
      accountValue: usdText(equity, 1),
      leverageType: holding.isolated ? 'Isolated' : 'Cross',
      liquidatedPositions: [{ coin: instrument.coin, szi }],
    })
  }

  afterExecution(holding: Holding, executed: { notional: Usd; closedPnl: Usd; oid: number }): void {
    const { row } = this
    row.notional = add(row.notional, executed.notional)
    row.closedPnl = add(row.closedPnl, executed.closedPnl)
    row.oid = executed.oid
    row.positionAfter = holding.sz
  }

  /** Writes it; later calls do nothing. */
  finish(): void {
    if (this.written) return
    this.written = true
    this.context.rows.add('liquidation', this.row)
  }
}
