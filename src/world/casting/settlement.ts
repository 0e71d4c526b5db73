import { share } from '../../decimal/scaled.ts'
import { fundingBetween } from '../accounting/funding.ts'
import { afterFill, type Change, notionalOf, wording } from '../accounting/position.ts'
import { FEE_DECIMALS, MONEY_DECIMALS, type TradeRow } from '../schema.ts'
import type { Bank } from './bank.ts'
import type { Market } from './market.ts'
import type { OrderRoom, Resting } from './order-room.ts'
import type { Holding } from './purse.ts'
import type { Rows } from './rows.ts'

/** A trade about to be booked. */
export interface Deal extends Pick<TradeRow, 'timeMs' | 'side' | 'px' | 'sz' | 'tid' | 'hash'> {
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
  notional: number
  startPosition: number
  fee: number
  builderFee: number
}

const FEE_UNIT = 10 ** FEE_DECIMALS
/** Fee rates are those of the main dex; builder dexes take twice, spot three fifths more. */
const SURCHARGE = { dex: 2, spot: 1.6 }

/** Books trades: both fills, positions, cash, orders. The same rounded notional counts on both sides. */
export class Settlement {
  private trades = 0
  private positions = 0

  constructor(
    private readonly rows: Rows,
    private readonly bank: Bank,
    private readonly orders: OrderRoom,
    private readonly opened: (held: Holding, timeMs: number) => void,
    private readonly closed: (held: Holding, timeMs: number) => void,
  ) {}

  book(deal: Deal): { notional: number; closedPnl: { buyer: number; seller: number } } {
    const { market, timeMs, sz, px } = deal
    const notional = notionalOf(px, sz, market.row, MONEY_DECIMALS)
    const id = ++this.trades
    market.px = px
    const sides =
      deal.side === 'B' ? (['seller', 'buyer'] as const) : (['buyer', 'seller'] as const)
    const closedPnl = { buyer: 0, seller: 0 }
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
      interestAfter: market.perp ? market.longs : 0,
      liquidation: deal.liquidation,
    })
    this.orders.fill(buyer.order, sz, timeMs)
    this.orders.fill(seller.order, sz, timeMs)
    return { notional, closedPnl }
  }

  /** Writes the positions that are still open. */
  finish(markets: Iterable<Market>): void {
    for (const market of markets)
      for (const held of market.holdings.values()) this.writePosition(held, null, null)
  }

  private fill(deal: Deal, trade: number, side: 'buyer' | 'seller', notional: number): number {
    const { market, timeMs, sz } = deal
    const { held } = deal[side]
    const { purse } = held
    const { trader } = purse
    const buys = side === 'buyer'
    const crossed = buys === (deal.side === 'B')
    const startPosition = held.sz
    const change = afterFill(held, buys ? sz : -sz, notional)
    this.settleFunding(held)
    const builderFee = trader.builder ? share(notional, trader.builder.rate, FEE_UNIT) : 0
    const fee = feeOf(notional, market, crossed ? trader.takerRate : trader.makerRate) + builderFee
    const pays = buys ? notional : -notional
    purse.cash += (market.perp ? change.closedPnl : -pays) - fee
    purse.realised += change.closedPnl
    purse.lastMs = timeMs
    market.longs += Math.max(change.sz, 0) - Math.max(startPosition, 0)
    held.sz = change.sz
    held.cost = change.cost
    market.exact.set(held.sz, held)
    const id = this.bank.nextId()
    this.lastPosition = null
    if (market.perp) this.follow(held, startPosition, change, deal, id, fee)
    this.write(
      deal,
      deal[side],
      { id, trade, buys, crossed, notional, startPosition, fee, builderFee },
      change,
    )
    return change.closedPnl
  }

  /** The row of a fill; plain, because spreading objects is what casting would spend its time on. */
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
      position: this.lastPosition,
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

  /** Number of the position that the fill being booked belongs to. */
  private lastPosition: number | null = null

  private settleFunding(held: Holding): void {
    if (!held.market.perp || held.fundingIndex === held.market.fundingIndex) return
    const { fundingIndex, row } = held.market
    held.funding += fundingBetween(held.sz, held.fundingIndex, fundingIndex, row)
    held.fundingIndex = fundingIndex
  }

  private follow(
    held: Holding,
    before: number,
    change: Change,
    deal: Deal,
    fill: number,
    fee: number,
  ): void {
    const { timeMs } = deal
    const open = held.position
    this.lastPosition = open?.id ?? null
    if (open) {
      open.closeSz += change.closedSz
      open.closeNotional += change.closedNotional
      open.closedPnl += change.closedPnl
      const taker = deal.side === 'B' ? deal.buyer : deal.seller
      if (deal.liquidation !== null && taker.held === held) open.liquidation = deal.liquidation
    }
    // Of a flip, the fee counts where the order came from: with the position that it closed.
    if (open) open.fees += fee
    const ended = open && (held.sz === 0 || held.sz < 0 !== before < 0)
    if (ended) {
      this.writePosition(held, timeMs, fill)
      held.position = null
      this.closed(held, timeMs)
    }
    if (change.openedSz === 0) return
    if (!held.position) {
      this.begin(held, timeMs, fill, open ? 0 : fee)
      this.opened(held, timeMs)
    }
    const { position } = held
    if (!position) return
    position.openSz += change.openedSz
    position.openNotional += change.openedNotional
    position.maxSz = Math.max(position.maxSz, Math.abs(held.sz))
    this.lastPosition = position.id
  }

  private begin(held: Holding, openMs: number, openFill: number, fees: number): void {
    held.fundingAtOpen = held.funding
    held.position = {
      ...{ id: ++this.positions, openMs, openFill, maxSz: 0, openSz: 0, openNotional: 0 },
      ...{ closeSz: 0, closeNotional: 0, closedPnl: 0, fees, liquidation: null },
      ...{ fundingBefore: held.funding, long: held.sz > 0 },
    }
  }

  private writePosition(held: Holding, closeMs: number | null, closeFill: number | null): void {
    const { position, market, purse } = held
    if (!position) return
    const { fundingBefore, long, ...sums } = position
    this.rows.add('position', {
      ...sums,
      ...{ trader: purse.trader.id, instrument: market.row.id, closeMs, closeFill },
      direction: long ? 'long' : 'short',
      ...{ isolated: held.isolated, leverage: held.leverage },
      funding: held.funding - fundingBefore,
    })
  }
}

/** Fee of a fill, micro-dollars; negative for a rebate. */
export function feeOf(notional: number, market: Market, rate: number): number {
  const more = !market.perp ? SURCHARGE.spot : market.row.dex === '' ? 1 : SURCHARGE.dex
  return share(notional, rate > 0 ? Math.round(rate * more) : rate, FEE_UNIT)
}

function words(deal: Deal, held: Holding, before: number, buys: boolean, crossed: boolean): string {
  if (!deal.market.perp) return buys ? 'Buy' : 'Sell'
  if (deal.liquidation !== null && crossed)
    return `Liquidated ${held.isolated ? 'Isolated' : 'Cross'} ${before > 0 ? 'Long' : 'Short'}`
  return wording(before, held.sz)
}
