import {
  add,
  greater,
  negate,
  type Sz,
  subtract,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { fundingBetween } from '../../accounting/funding.ts'
import { afterFill, directionText, type FillEffect, notionalOf } from '../../accounting/position.ts'
import type { TradeRow } from '../../schema.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { LiveOrder, OrderManager } from '../matching/order-manager.ts'
import type { RowSink, Untimed } from '../writing/row-sink.ts'
import { feeOf, rateShare } from './fees.ts'
import type { Ledger } from './ledger.ts'
import { PositionTracker } from './position-tracker.ts'

/** A trade about to be booked. */
export interface TradeSettlement
  extends Pick<Untimed<TradeRow>, 'timeMs' | 'side' | 'px' | 'sz' | 'tid' | 'hash'> {
  market: MarketState
  buyer: SettlementSide
  seller: SettlementSide
  liquidation: number | null
}

export interface SettlementSide {
  held: Holding
  order: LiveOrder
}

/** What a fill's row says beyond the deal and the holding. */
interface FillFields {
  id: number
  trade: number
  buys: boolean
  crossed: boolean
  notional: Usd
  startPosition: Sz
  fee: Usd
  builderFee: Usd
}

/** Books trades: both fills, positions, cash, orders. One rounded notional counts on both sides. */
export class Settlement {
  private trades = 0
  private readonly positions: PositionTracker
  /** Number of the position that the fill being booked belongs to; null for spot. */
  private position: number | null = null

  constructor(
    private readonly rows: RowSink,
    private readonly ledger: Ledger,
    private readonly orders: OrderManager,
    opened: (held: Holding, timeMs: number) => void,
    closed: (held: Holding, timeMs: number) => void,
  ) {
    this.positions = new PositionTracker(rows, opened, closed)
  }

  book(deal: TradeSettlement): { notional: Usd; closedPnl: { buyer: Usd; seller: Usd } } {
    const { market, timeMs, sz, px } = deal
    const notional = notionalOf(px, sz, market.row)
    const id = ++this.trades
    market.px = px
    const sides =
      deal.side === 'B' ? (['seller', 'buyer'] as const) : (['buyer', 'seller'] as const)
    const closedPnl: { buyer: Usd; seller: Usd } = { buyer: ZERO, seller: ZERO }
    for (const side of sides) closedPnl[side] = this.fill(deal, id, side, notional)
    const { buyer, seller } = deal
    this.rows.add('trade', {
      id,
      instrument: market.row.id,
      timeMs,
      side: deal.side,
      px,
      sz,
      notional,
      tid: deal.tid,
      hash: deal.hash,
      buyer: buyer.held.account.agent.id,
      seller: seller.held.account.agent.id,
      buyerOid: buyer.order.oid,
      sellerOid: seller.order.oid,
      interestAfter: market.isPerp ? market.longSize : ZERO,
      liquidation: deal.liquidation,
    })
    this.orders.fill(buyer.order, sz, timeMs)
    this.orders.fill(seller.order, sz, timeMs)
    return { notional, closedPnl }
  }

  /** Writes the positions that are still open. */
  finish(markets: Iterable<MarketState>): void {
    for (const market of markets)
      for (const held of market.holdings.values()) this.positions.write(held, null, null)
  }

  private fill(deal: TradeSettlement, trade: number, side: 'buyer' | 'seller', notional: Usd): Usd {
    const { market, timeMs, sz } = deal
    const { held } = deal[side]
    const { account } = held
    const { agent } = account
    const buys = side === 'buyer'
    const crossed = buys === (deal.side === 'B')
    const startPosition = held.sz
    const change = afterFill(held, buys ? sz : negate(sz), notional)
    this.settleFunding(held)
    const builderFee: Usd = agent.builder ? rateShare(notional, agent.builder.rate) : ZERO
    const rate = crossed ? agent.takerRate : agent.makerRate
    const fee = add(feeOf(notional, market, rate), builderFee)
    const comes = market.isPerp ? change.closedPnl : buys ? negate(notional) : notional
    account.cash = add(account.cash, subtract(comes, fee))
    account.realised = add(account.realised, change.closedPnl)
    account.lastMs = timeMs
    market.longSize = add(market.longSize, subtract(long(change.sz), long(startPosition)))
    held.sz = change.sz
    held.cost = change.cost
    market.rememberSize(held)
    const id = this.ledger.nextId()
    const taker = deal.side === 'B' ? deal.buyer : deal.seller
    const liquidation = taker.held === held ? deal.liquidation : null
    const facts = { id, timeMs, fee, before: startPosition, liquidation }
    this.position = market.isPerp ? this.positions.follow(held, change, facts) : null
    this.write(
      deal,
      deal[side],
      { id, trade, buys, crossed, notional, startPosition, fee, builderFee },
      change,
    )
    return change.closedPnl
  }

  /** The row of a fill; a plain literal, as spreading would be what casting spends its time on. */
  private write(
    deal: TradeSettlement,
    { held, order }: SettlementSide,
    facts: FillFields,
    change: FillEffect,
  ): void {
    const { account, market } = held
    const { builder } = account.agent
    this.rows.add('fill', {
      id: facts.id,
      trade: facts.trade,
      trader: account.agent.id,
      account: account.id,
      instrument: market.row.id,
      timeMs: deal.timeMs,
      oid: order.oid,
      side: facts.buys ? 'B' : 'A',
      crossed: facts.crossed,
      px: deal.px,
      sz: deal.sz,
      notional: facts.notional,
      startPosition: facts.startPosition,
      positionAfter: held.sz,
      costAfter: held.cost,
      closedPnl: change.closedPnl,
      fee: facts.fee,
      dir: fillDirection(deal, held, facts.startPosition, facts.buys, facts.crossed),
      position: this.position,
      cashAfter: account.cash,
      realisedAfter: account.realised,
      fundingAfter: held.funding,
      fundingAtOpen: held.fundingAtOpen,
      fundingIndex: held.fundingIndex,
      leverage: held.leverage,
      isolated: held.isolated,
      twap: order.twap,
      builder: builder ? builder.id : null,
      builderFee: builder ? facts.builderFee : null,
      liquidation: deal.liquidation,
    })
  }

  private settleFunding(held: Holding): void {
    if (!held.market.isPerp || held.fundingIndex === held.market.fundingIndex) return
    const { fundingIndex, row } = held.market
    const paid = fundingBetween(held.sz, held.fundingIndex, fundingIndex, row)
    held.funding = add(held.funding, paid)
    held.fundingIndex = fundingIndex
  }
}

function fillDirection(
  deal: TradeSettlement,
  held: Holding,
  before: Sz,
  buys: boolean,
  crossed: boolean,
): string {
  if (!deal.market.isPerp) return buys ? 'Buy' : 'Sell'
  if (deal.liquidation !== null && crossed)
    return `Liquidated ${held.isolated ? 'Isolated' : 'Cross'} ${before > ZERO ? 'Long' : 'Short'}`
  return directionText(before, held.sz)
}

/** What of a position is long. */
const long = (sz: Sz) => greater<Sz>(sz, ZERO)
