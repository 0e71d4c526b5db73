import { add, greater, negate, type Sz, subtract, type Usd, ZERO } from '../../decimal/quantity.ts'
import { fundingBetween } from '../accounting/funding.ts'
import { afterFill, type Change, notionalOf, wording } from '../accounting/position.ts'
import type { TradeRow } from '../schema.ts'
import type { Bank } from './bank.ts'
import { feeOf, part } from './fees.ts'
import type { Holding, Market } from './market.ts'
import type { OrderRoom, Resting } from './order-room.ts'
import { Positions } from './positions.ts'
import type { Rows, Untimed } from './rows.ts'

/** A trade about to be booked. */
export interface Deal
  extends Pick<Untimed<TradeRow>, 'timeMs' | 'side' | 'px' | 'sz' | 'tid' | 'hash'> {
  market: Market
  buyer: Party
  seller: Party
  liquidation: number | null
}

export interface Party {
  held: Holding
  order: Resting
}

/** What a fill's row says beyond the deal and the holding. */
interface FillFacts {
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
  private readonly positions: Positions
  /** Number of the position that the fill being booked belongs to; null for spot. */
  private position: number | null = null

  constructor(
    private readonly rows: Rows,
    private readonly bank: Bank,
    private readonly orders: OrderRoom,
    opened: (held: Holding, timeMs: number) => void,
    closed: (held: Holding, timeMs: number) => void,
  ) {
    this.positions = new Positions(rows, opened, closed)
  }

  book(deal: Deal): { notional: Usd; closedPnl: { buyer: Usd; seller: Usd } } {
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
      buyer: buyer.held.purse.trader.id,
      seller: seller.held.purse.trader.id,
      buyerOid: buyer.order.oid,
      sellerOid: seller.order.oid,
      interestAfter: market.perp ? market.longs : ZERO,
      liquidation: deal.liquidation,
    })
    this.orders.fill(buyer.order, sz, timeMs)
    this.orders.fill(seller.order, sz, timeMs)
    return { notional, closedPnl }
  }

  /** Writes the positions that are still open. */
  finish(markets: Iterable<Market>): void {
    for (const market of markets)
      for (const held of market.holdings.values()) this.positions.write(held, null, null)
  }

  private fill(deal: Deal, trade: number, side: 'buyer' | 'seller', notional: Usd): Usd {
    const { market, timeMs, sz } = deal
    const { held } = deal[side]
    const { purse } = held
    const { trader } = purse
    const buys = side === 'buyer'
    const crossed = buys === (deal.side === 'B')
    const startPosition = held.sz
    const change = afterFill(held, buys ? sz : negate(sz), notional)
    this.settleFunding(held)
    const builderFee: Usd = trader.builder ? part(notional, trader.builder.rate) : ZERO
    const rate = crossed ? trader.takerRate : trader.makerRate
    const fee = add(feeOf(notional, market, rate), builderFee)
    const comes = market.perp ? change.closedPnl : buys ? negate(notional) : notional
    purse.cash = add(purse.cash, subtract(comes, fee))
    purse.realised = add(purse.realised, change.closedPnl)
    purse.lastMs = timeMs
    market.longs = add(market.longs, subtract(long(change.sz), long(startPosition)))
    held.sz = change.sz
    held.cost = change.cost
    market.remember(held)
    const id = this.bank.nextId()
    const taker = deal.side === 'B' ? deal.buyer : deal.seller
    const liquidation = taker.held === held ? deal.liquidation : null
    const facts = { id, timeMs, fee, before: startPosition, liquidation }
    this.position = market.perp ? this.positions.follow(held, change, facts) : null
    this.write(
      deal,
      deal[side],
      { id, trade, buys, crossed, notional, startPosition, fee, builderFee },
      change,
    )
    return change.closedPnl
  }

  /** The row of a fill; a plain literal, as spreading would be what casting spends its time on. */
  private write(deal: Deal, { held, order }: Party, facts: FillFacts, change: Change): void {
    const { purse, market } = held
    const { builder } = purse.trader
    this.rows.add('fill', {
      id: facts.id,
      trade: facts.trade,
      trader: purse.trader.id,
      account: purse.id,
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
      dir: words(deal, held, facts.startPosition, facts.buys, facts.crossed),
      position: this.position,
      cashAfter: purse.cash,
      realisedAfter: purse.realised,
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
    if (!held.market.perp || held.fundingIndex === held.market.fundingIndex) return
    const { fundingIndex, row } = held.market
    const paid = fundingBetween(held.sz, held.fundingIndex, fundingIndex, row)
    held.funding = add(held.funding, paid)
    held.fundingIndex = fundingIndex
  }
}

function words(deal: Deal, held: Holding, before: Sz, buys: boolean, crossed: boolean): string {
  if (!deal.market.perp) return buys ? 'Buy' : 'Sell'
  if (deal.liquidation !== null && crossed)
    return `Liquidated ${held.isolated ? 'Isolated' : 'Cross'} ${before > ZERO ? 'Long' : 'Short'}`
  return wording(before, held.sz)
}

/** What of a position is long. */
const long = (sz: Sz) => greater<Sz>(sz, ZERO)
