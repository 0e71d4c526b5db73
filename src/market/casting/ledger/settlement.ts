import {
  absolute,
  add,
  greater,
  negate,
  type Px,
  type Sz,
  subtract,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { feeOf, rateShare } from '../../accounting/fees.ts'
import { fundingBetween } from '../../accounting/funding.ts'
import { afterFill, directionText, type FillEffect, notionalOf } from '../../accounting/position.ts'
import { CROWD } from '../../schema/crowd.ts'
import type { TradeRow } from '../../schema/schema.ts'
import type { Holding, MarketState, OpenPosition } from '../market/market-state.ts'
import type { LiveOrder, OrderManager } from '../matching/order-manager.ts'
import type { RowNumbers } from '../row-numbers.ts'
import type { RowSink, TableRow, Untimed } from '../writing/row-sink.ts'
import type { Ledger } from './ledger.ts'

/** A trade about to be settled. */
export interface TradeSettlement
  extends Pick<Untimed<TradeRow>, 'timeMs' | 'side' | 'px' | 'sz' | 'tid' | 'hash'> {
  market: MarketState
  /** null for the crowd. */
  buyer: SettlementSide | null
  seller: SettlementSide | null
  /** The taker's order; one of the crowd has a number and nothing else. */
  takerOid: number
  liquidation: number | null
}

export interface SettlementSide {
  holding: Holding
  order: LiveOrder
}

/** Who is told of what trades do to positions. */
export interface PositionListener {
  onOpened(holding: Holding, timeMs: number): void
  onClosed(holding: Holding, timeMs: number): void
  onFilled(holding: Holding, timeMs: number): void
}

/** Settles trades: fills, positions, cash, orders. Both sides use one rounded notional. */
export class Settlement {
  private readonly positions: PositionTracker

  constructor(
    private readonly rows: RowSink,
    private readonly numbers: RowNumbers,
    private readonly ledger: Ledger,
    private readonly orders: OrderManager,
    private readonly listener: PositionListener,
  ) {
    this.positions = new PositionTracker(
      rows,
      numbers,
      (holding, timeMs) => listener.onOpened(holding, timeMs),
      (holding, timeMs) => listener.onClosed(holding, timeMs),
    )
  }

  settle(trade: TradeSettlement): { notional: Usd; closedPnl: { buyer: Usd; seller: Usd } } {
    const { market, timeMs, sz, px } = trade
    const notional = notionalOf(px, sz, market.row)
    const id = this.numbers.next('trade')
    market.px = px
    const sides =
      trade.side === 'B' ? (['seller', 'buyer'] as const) : (['buyer', 'seller'] as const)
    const closedPnl: { buyer: Usd; seller: Usd } = { buyer: ZERO, seller: ZERO }
    for (const side of sides) {
      const party = trade[side]
      if (party) closedPnl[side] = this.fill(trade, party, id, side, notional)
    }
    const { buyer, seller, takerOid } = trade
    const maker = trade.side === 'B' ? seller : buyer
    const makerOid = maker ? maker.order.oid : this.orders.crowdOid(timeMs, takerOid)
    this.rows.add('trade', {
      id,
      instrument: market.row.id,
      timeMs,
      side: trade.side,
      px,
      sz,
      notional,
      tid: trade.tid,
      hash: trade.hash,
      buyer: buyer ? buyer.holding.account.agent.id : CROWD,
      seller: seller ? seller.holding.account.agent.id : CROWD,
      buyerOid: trade.side === 'B' ? takerOid : makerOid,
      sellerOid: trade.side === 'B' ? makerOid : takerOid,
      interestAfter: market.isPerp ? market.longSize : ZERO,
      liquidation: trade.liquidation,
    })
    market.crowd?.take(timeMs, trade.side, sz, market.netSize)
    if (buyer) this.orders.fill(buyer.order, sz, timeMs)
    if (seller) this.orders.fill(seller.order, sz, timeMs)
    return { notional, closedPnl }
  }

  /** Writes the positions that are still open. */
  finish(markets: Iterable<MarketState>): void {
    for (const market of markets)
      for (const holding of market.holdings.values()) this.positions.write(holding, null, null)
  }

  /** Writes those that have changed since they were written last. */
  writeChanged(): void {
    this.positions.writeChanged()
  }

  private fill(
    trade: TradeSettlement,
    { holding, order }: SettlementSide,
    tradeId: number,
    side: 'buyer' | 'seller',
    notional: Usd,
  ): Usd {
    const { market, timeMs, px, sz } = trade
    const { account } = holding
    const { agent } = account
    const buys = side === 'buyer'
    const crossed = buys === (trade.side === 'B')
    const startPosition = holding.sz
    const change = afterFill(holding, buys ? sz : negate(sz), notional)
    const { closedPnl } = change
    settleFunding(holding)
    const builderFee: Usd = agent.builder ? rateShare(notional, agent.builder.rate) : ZERO
    const rate = crossed ? agent.takerRate : agent.makerRate
    const fee = add(feeOf(notional, market.row, rate), builderFee)
    const cashChange = market.isPerp ? closedPnl : buys ? negate(notional) : notional
    account.cash = add(account.cash, subtract(cashChange, fee))
    account.realised = add(account.realised, closedPnl)
    account.lastMs = timeMs
    market.longSize = add(market.longSize, subtract(longPart(change.sz), longPart(startPosition)))
    market.netSize = add(market.netSize, subtract(change.sz, startPosition))
    holding.sz = change.sz
    holding.cost = change.cost
    holding.changes++
    const id = this.ledger.nextId()
    const taker = trade[trade.side === 'B' ? 'buyer' : 'seller']
    const position = market.isPerp
      ? this.positions.follow(holding, change, {
          id,
          timeMs,
          fee,
          before: startPosition,
          liquidation: taker?.holding === holding ? trade.liquidation : null,
        })
      : null
    this.rows.add(
      'fill',
      // Written out: spreading would be what casting spends its time on.
      fillRow({
        id,
        tradeId,
        holding,
        order,
        timeMs,
        buys,
        crossed,
        px,
        sz,
        notional,
        startPosition,
        closedPnl,
        fee,
        builderFee,
        position,
        liquidation: trade.liquidation,
      }),
    )
    this.listener.onFilled(holding, timeMs)
    return closedPnl
  }
}

function settleFunding(holding: Holding): void {
  if (!holding.market.isPerp || holding.fundingIndex === holding.market.fundingIndex) return
  const { fundingIndex, row } = holding.market
  const paid = fundingBetween(holding.sz, holding.fundingIndex, fundingIndex, row)
  holding.funding = add(holding.funding, paid)
  holding.fundingIndex = fundingIndex
}

/** How much of a position is long. */
const longPart = (sz: Sz) => greater<Sz>(sz, ZERO)

/** One side of a settled trade; the holding is as it is after it. */
interface SettledFill {
  id: number
  tradeId: number
  holding: Holding
  order: LiveOrder
  timeMs: number
  buys: boolean
  crossed: boolean
  px: Px
  sz: Sz
  notional: Usd
  startPosition: Sz
  closedPnl: Usd
  fee: Usd
  builderFee: Usd
  /** Number of the position that it belongs to; null for spot. */
  position: number | null
  liquidation: number | null
}

/** The row of a fill. */
function fillRow(fill: SettledFill): TableRow<'fill'> {
  const { holding, order } = fill
  const { account, market } = holding
  const { builder } = account.agent
  return {
    id: fill.id,
    trade: fill.tradeId,
    trader: account.agent.id,
    account: account.id,
    instrument: market.row.id,
    timeMs: fill.timeMs,
    oid: order.oid,
    side: fill.buys ? 'B' : 'A',
    crossed: fill.crossed,
    px: fill.px,
    sz: fill.sz,
    notional: fill.notional,
    startPosition: fill.startPosition,
    positionAfter: holding.sz,
    costAfter: holding.cost,
    closedPnl: fill.closedPnl,
    fee: fill.fee,
    dir: fillDirection(fill),
    position: fill.position,
    cashAfter: account.cash,
    realisedAfter: account.realised,
    fundingAfter: holding.funding,
    fundingAtOpen: holding.fundingAtOpen,
    fundingIndex: holding.fundingIndex,
    leverage: holding.leverage,
    isolated: holding.isolated,
    twap: order.twap,
    builder: builder ? builder.id : null,
    builderFee: builder ? fill.builderFee : null,
    liquidation: fill.liquidation,
  }
}

function fillDirection({ holding, startPosition, buys, crossed, liquidation }: SettledFill) {
  if (!holding.market.isPerp) return buys ? 'Buy' : 'Sell'
  if (liquidation === null || !crossed) return directionText(startPosition, holding.sz)
  const margin = holding.isolated ? 'Isolated' : 'Cross'
  return `Liquidated ${margin} ${startPosition > ZERO ? 'Long' : 'Short'}`
}

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
class PositionTracker {
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
