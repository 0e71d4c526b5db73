import {
  absolute,
  add,
  negate,
  type Px,
  px as price,
  raw,
  type Sz,
  type Usd,
  usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { liquidationPx, unrealisedPnl } from '../../accounting/margin.ts'
import type { NetPosition } from '../../accounting/position.ts'
import { CROWD } from '../../schema/crowd.ts'
import { mixedWord } from '../../world/hex-words.ts'
import type { CastingContext } from '../casting-context.ts'
import { liquidationDelta } from '../ledger/ledger-deltas.ts'
import { crossMargin, isolatedEquity } from '../ledger/sub-account.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import { afterClosing, forcedPosition, positionAt } from './forced-entry.ts'
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
  /** What is left of it where it is an account of the crowd. */
  private crowd: NetPosition | null = null

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
      this.crowd = crowdPosition(market, row)
      Object.assign(row, { trader: CROWD, startPosition: this.crowd.sz })
      return
    }
    const { account } = holding
    const { row: instrument } = market
    const pnl = unrealisedPnl(holding, row.markPx, instrument)
    const { equity, other } = marginBehind(holding, pnl)
    row.trader = account.agent.id
    row.startPosition = holding.sz
    row.liquidationPx = liquidationPx(holding.sz, row.markPx, equity, other, instrument)
    const value = absolute(add(holding.cost, pnl))
    const delta = liquidationDelta(holding, { value, equity })
    this.context.ledger.recordOnly(account, row.timeMs, delta)
  }

  afterExecution(holding: Holding | null, { sz, notional, closedPnl, oid }: Executed): void {
    const { row } = this
    const crowd = this.crowd && afterClosing(this.crowd, sz, notional)
    row.notional = add(row.notional, notional)
    row.closedPnl = add(row.closedPnl, crowd?.closedPnl ?? closedPnl)
    row.oid = oid
    if (holding) row.positionAfter = holding.sz
    if (!crowd) return
    this.crowd = crowd
    row.positionAfter = crowd.sz
  }

  /** The number of the order that goes on where an account of the crowd is liquidated in parts. */
  get crowdOid(): number | undefined {
    return this.crowd ? (this.row.oid ?? undefined) : undefined
  }

  /** Writes it; later calls do nothing. */
  finish(): void {
    if (this.written) return
    this.written = true
    this.context.rows.add('liquidation', this.row)
  }
}

/** What an account of the crowd held that is liquidated. */
function crowdPosition(
  market: MarketState,
  {
    timeMs,
    direction,
    sz,
    markPx,
  }: Pick<LiquidationOrder, 'timeMs' | 'direction' | 'sz' | 'markPx'>,
): NetPosition {
  const { row, memory } = market
  const held = direction === 'long' ? sz : negate(sz)
  const bits = mixedWord(timeMs ^ mixedWord(raw(sz)))
  const leverage = 4 * 10 ** ((bits >>> 16) / 2 ** 16)
  const closes = memory.lastCloses(REMEMBERED_MINUTES)
  const of = { markPx, held, leverage, share: (bits & 65_535) / 2 ** 16 }
  const position = forcedPosition(row, of, { low: closes, high: closes })
  if (position) return position
  // The price was never better: it was opened at the best there was.
  const best = direction === 'long' ? Math.max(...closes) : Math.min(...closes)
  return positionAt(row, held, closes.length > 0 ? price(best) : markPx)
}

/** Trades of so long are looked at where somebody asks when such a position was opened. */
const REMEMBERED_MINUTES = 6 * 60

/** Equity behind a position of that PnL, and what the venue wants of it for others. */
export function marginBehind(holding: Holding, pnl: Usd): { equity: Usd; other: Usd } {
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
