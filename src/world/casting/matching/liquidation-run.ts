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

/** A forced closing under way: from its announcement to the last of its trades. */
export class LiquidationRun {
  private readonly tids: Set<number>
  private readonly side: 'B' | 'A'
  private readonly row
  private written = false

  /** `held` is the position it closes; undefined where the trades themselves say who, or nobody. */
  constructor(
    private readonly context: CastingContext,
    private readonly market: MarketState,
    readonly id: number,
    timeMs: number,
    data: InputLiquidation,
    readonly held: Holding | undefined,
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

  /** Right before its trades: what stood, and at which price it had to fall. */
  beforeExecution(held: Holding, timeMs: number): void {
    if (this.row.trader !== null) return
    const { market, row } = this
    const { account } = held
    const { row: terms } = market
    const pnl = unrealisedPnl(held, row.markPx, terms)
    const equity = add(subtract(account.cash, fundingPaid(held)), pnl)
    row.trader = account.agent.id
    row.startPosition = held.sz
    row.liquidationPx = liquidationPx(held.sz, row.markPx, equity, ZERO, terms)
    const szi = szText(terms, held.sz, 1)
    this.context.ledger.recordOnly(account, timeMs, {
      type: 'liquidation',
      liquidatedNtlPos: usdText(absolute(add(held.cost, pnl)), 1),
      accountValue: usdText(equity, 1),
      leverageType: held.isolated ? 'Isolated' : 'Cross',
      liquidatedPositions: [{ coin: terms.coin, szi }],
    })
  }

  afterExecution(held: Holding, done: { notional: Usd; closedPnl: Usd; oid: number }): void {
    const { row } = this
    row.notional = add(row.notional, done.notional)
    row.closedPnl = add(row.closedPnl, done.closedPnl)
    row.oid = done.oid
    row.positionAfter = held.sz
  }

  /** Writes it; later calls do nothing. */
  finish(): void {
    if (this.written) return
    this.written = true
    this.context.rows.add('liquidation', this.row)
  }
}
