import {
  absolute,
  add,
  lesser,
  negate,
  type Px,
  px as price,
  raw,
  type Sz,
  sz as size,
  type Usd,
  usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { NetPosition } from '../../accounting/position.ts'
import { liquidationPx, unrealisedPnl } from '../../accounting/position.ts'
import { CROWD } from '../../schema/trader-rows.ts'
import { mixedWord } from '../../world/crowd-address.ts'
import type { CastingContext } from '../casting-context.ts'
import { crossMargin, isolatedEquity, liquidationDelta } from '../ledger/ledger.ts'
import type { Holding, MarketState, SubAccount } from '../market/market-state.ts'
import { afterClosing, forcedPosition, PriceRanges, positionAt } from './forced-entry.ts'
import type { TakerOrder } from './order-manager.ts'
import type { Executed } from './resting-orders.ts'

/** A liquidation to be executed. */
export interface LiquidationOrder {
  timeMs: number
  direction: 'long' | 'short'
  sz: Sz
  markPx: Px
  /** Trades of the tape that execute it. */
  tids: readonly number[]
}

/** A running liquidation: from its announcement to the last of its trades. */
export class LiquidationRun {
  readonly id: number
  private readonly tids: Set<number>
  private readonly side: 'B' | 'A'
  private readonly row
  private written = false
  /** The remainder of a crowd account's position. */
  private crowd: NetPosition | null = null

  /**
   * `holding` is the position it closes; undefined where the trades name the trader, or it is
   * unknown.
   */
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

  /** Whether a trade belongs to it. */
  includes(tid: number | undefined, side: 'B' | 'A'): boolean {
    return tid !== undefined && side === this.side && this.tids.has(tid)
  }

  /**
   * Call right before its trades with the position, and null for the crowd's; sets the liquidation
   * price.
   */
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

  /** Number of the order that continues a crowd account's partial liquidation. */
  get crowdOid(): number | undefined {
    return this.crowd ? (this.row.oid ?? undefined) : undefined
  }

  /** Writes its row; later calls do nothing. */
  finish(): void {
    if (this.written) return
    this.written = true
    this.context.rows.add('liquidation', this.row)
  }
}

/** Position of a liquidated crowd account. */
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
  const position = forcedPosition(row, of, new PriceRanges(closes, closes))
  if (position) return position
  // The price was never better: it was opened at the best one.
  const best = direction === 'long' ? Math.max(...closes) : Math.min(...closes)
  return positionAt(row, held, closes.length > 0 ? price(best) : markPx)
}

/** Remembered minutes of prices for the entry of such a position. */
const REMEMBERED_MINUTES = 6 * 60

/** Equity behind a position at a PnL, and the margin that other positions require. */
export function marginBehind(holding: Holding, pnl: Usd): { equity: Usd; other: Usd } {
  const { market, account, sz } = holding
  const value = market.marginValue(sz)
  // The mark price may differ from that of the last trade.
  const shift = raw(pnl) - (value - raw(holding.cost))
  const whole = (equity: number) => usd(Math.round(equity + shift))
  if (holding.isolated) return { equity: whole(isolatedEquity(holding)), other: ZERO }
  const { equity, maintenance } = crossMargin(account)
  const others = maintenance - Math.abs(value) * market.maintenanceRate
  return { equity: whole(equity), other: usd(Math.round(others)) }
}

/** Larger positions are first closed by a fifth, and as a whole only if that was not enough. */
const PARTIAL_FROM_USD = 100_000e6
const PART = 0.2
const PAUSE_MS = 30_000

/** Executes an order; returns the traded size and the realised PnL. */
type Take = (order: TakerOrder, sz: Sz) => Executed

/**
 * Liquidates an account on cross margin, its largest position first, or one isolated position;
 * watches the rest.
 */
export function liquidate(
  context: CastingContext,
  account: SubAccount,
  isolated: Holding | null,
  timeMs: number,
  take: Take,
): void {
  const closing = forcedClosing(account, isolated)
  if (!closing) return
  closeForced(context, closing, timeMs, take)
  watchRest(context, closing, timeMs)
}

/** A position, or a part of it, to be closed by liquidation. */
export interface ForcedClosing {
  holding: Holding
  sz: Sz
  /** The rest is closed only if this was not enough. */
  isPartial: boolean
}

/** The next closing of an account on cross margin, or of one isolated position. */
export function forcedClosing(
  account: SubAccount,
  isolated: Holding | null,
): ForcedClosing | undefined {
  const holding = isolated ?? largestOf(account)
  if (!holding || holding.sz === ZERO) return undefined
  const { market } = holding
  const value = Math.abs(market.marginValue(holding.sz))
  const lot = raw(market.survey.lot)
  const part = size(Math.floor((raw(absolute(holding.sz)) * PART) / lot) * lot)
  const isPartial = value > PARTIAL_FROM_USD && part > ZERO && !holding.partlyLiquidated
  return { holding, sz: isPartial ? part : absolute(holding.sz), isPartial }
}

/** Pause after a closing before the account is checked again. */
export const pauseAfter = (isPartial: boolean) => (isPartial ? PAUSE_MS : 1_000)

/** Schedules the check after a closing. */
function watchRest(
  context: CastingContext,
  { holding: { account, isolated }, holding, isPartial }: ForcedClosing,
  timeMs: number,
): void {
  holding.partlyLiquidated = isPartial
  const own = isolated ? holding : null
  if (own && own.sz === ZERO) return
  const again = () => {
    const next = own ?? largestOf(account)
    if (!next || next.sz === ZERO) return
    for (const held of account.holdings)
      if (held.sz !== ZERO) context.venue.updatePrice(held.market, context.nowMs)
    if (context.margins.isShort(next)) context.venue.enforceMargin(account, own, context.nowMs)
    else context.margins.watchHolding(next, context.nowMs)
  }
  context.tasks.put(timeMs + pauseAfter(isPartial), again)
}

/** Closes it by trades of one instant, and writes the liquidation. */
export function closeForced(
  context: CastingContext,
  { holding, sz }: ForcedClosing,
  timeMs: number,
  take: Take,
): void {
  const { market } = holding
  const long = holding.sz > ZERO
  const run = new LiquidationRun(context, market, {
    timeMs,
    direction: long ? 'long' : 'short',
    sz: lesser(sz, absolute(holding.sz)),
    markPx: market.marginPx,
    tids: [],
  })
  run.beforeExecution(holding)
  const side = long ? 'A' : 'B'
  const order = { market, timeMs, side, taker: holding, liquidation: run.id } as const
  run.afterExecution(holding, take({ ...order, reduceOnly: true, prints: [] }, sz))
  run.finish()
}

function largestOf(account: SubAccount): Holding | undefined {
  let [largest, most]: [Holding | undefined, number] = [undefined, 0]
  for (const holding of account.holdings) {
    const value = holding.isolated ? 0 : Math.abs(holding.market.marginValue(holding.sz))
    if (value > most) [largest, most] = [holding, value]
  }
  return largest
}
