import {
  absolute,
  add,
  negate,
  type Px,
  raw,
  type Sz,
  type Usd,
  usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { liquidationPx, unrealisedPnl } from '../../accounting/margin.ts'
import { CROWD } from '../../schema/crowd.ts'
import { szText, usdText } from '../../schema.ts'
import type { CastingContext } from '../casting-context.ts'
import { crossMargin, isolatedEquity } from '../ledger/sub-account.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { Executed } from './matching-engine.ts'

/** What is to be liquidated. */
export interface LiquidationOrder {
  timeMs: number
  direction: 'long' | 'short'
  sz: Sz
  markPx: Px
  /** Trades of the tape that carry it out. */
  tids: readonly number[]
}

/** A liquidation under way: from its announcement to the last of its trades. */
export class LiquidationRun {
  readonly id: number
  private readonly tids: Set<number>
  private readonly side: 'B' | 'A'
  private readonly row
  private written = false

  /** `holding` is what it closes; undefined where the trades name the trader, or none is known. */
  constructor(
    private readonly context: CastingContext,
    private readonly market: MarketState,
    { timeMs, direction, sz, markPx, tids }: LiquidationOrder,
    readonly holding?: Holding | undefined,
  ) {
    this.id = context.liquidationId()
    this.tids = new Set(tids)
    this.side = direction === 'long' ? 'A' : 'B'
    this.row = {
      id: this.id,
      instrument: market.row.id,
      timeMs,
      trader: null as number | null,
      direction,
      sz,
      markPx,
      liquidationPx: null as Px | null,
      notional: ZERO as Usd,
      closedPnl: ZERO as Usd,
      oid: null as number | null,
      startPosition: null as Sz | null,
      positionAfter: null as Sz | null,
    }
  }

  /** Whether a trade is one of its own. */
  includes(tid: number | undefined, side: 'B' | 'A'): boolean {
    return tid !== undefined && side === this.side && this.tids.has(tid)
  }

  /** Right before its trades: the position, and its liquidation price; null for the crowd's. */
  beforeExecution(holding: Holding | null): void {
    if (this.row.trader !== null) return
    const { market, row } = this
    if (!holding) {
      const held = row.direction === 'long' ? row.sz : negate(row.sz)
      Object.assign(row, { trader: CROWD, startPosition: held, positionAfter: ZERO })
      return
    }
    const { account } = holding
    const { row: instrument } = market
    const pnl = unrealisedPnl(holding, row.markPx, instrument)
    const { equity, other } = marginBehind(holding, pnl)
    row.trader = account.agent.id
    row.startPosition = holding.sz
    row.liquidationPx = liquidationPx(holding.sz, row.markPx, equity, other, instrument)
    const szi = szText(instrument, holding.sz, 1)
    this.context.ledger.recordOnly(account, row.timeMs, {
      type: 'liquidation',
      liquidatedNtlPos: usdText(absolute(add(holding.cost, pnl)), 1),
      accountValue: usdText(equity, 1),
      leverageType: holding.isolated ? 'Isolated' : 'Cross',
      liquidatedPositions: [{ coin: instrument.coin, szi }],
    })
  }

  afterExecution(holding: Holding | null, executed: Omit<Executed, 'sz'>): void {
    const { row } = this
    row.notional = add(row.notional, executed.notional)
    row.closedPnl = add(row.closedPnl, executed.closedPnl)
    row.oid = executed.oid
    if (holding) row.positionAfter = holding.sz
  }

  /** Writes it; later calls do nothing. */
  finish(): void {
    if (this.written) return
    this.written = true
    this.context.rows.add('liquidation', this.row)
  }
}

/** Equity behind a position of that PnL, and what the venue wants of it for others. */
function marginBehind(holding: Holding, pnl: Usd): { equity: Usd; other: Usd } {
  const { market, account, sz } = holding
  const value = market.marginValue(sz)
  // The mark price need not be that of the last trade.
  const shift = raw(pnl) - (value - raw(holding.cost))
  const whole = (equity: number) => usd(Math.round(equity + shift))
  if (holding.isolated) return { equity: whole(isolatedEquity(holding)), other: ZERO }
  const { equity, maintenance } = crossMargin(account)
  const others = maintenance - Math.abs(value) * market.maintenanceRate
  return { equity: whole(equity), other: usd(Math.round(others)) }
}
