import { DAY_MS } from '../../../clock/instant.ts'
import {
  absolute,
  add,
  greater,
  negate,
  type Px,
  raw,
  type Sz,
  subtract,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import {
  FEE_DAYS,
  type FeeRates,
  feeOf,
  fundingBetween,
  rateShare,
  ratesFor,
} from '../../accounting/funding.ts'
import { afterFill, directionText, type FillEffect, notionalOf } from '../../accounting/position.ts'
import type { TradeRow } from '../../schema/schema.ts'
import { CROWD } from '../../schema/trader-rows.ts'
import type { Agent } from '../agents/agents.ts'
import type { Holding, MarketState, OpenPosition } from '../market/market-state.ts'
import type { LiveOrder, OrderManager } from '../matching/order-manager.ts'
import type { RowNumbers } from '../row-numbers.ts'
import type { RowSink, TableRow, Untimed } from '../writing/row-sink.ts'
import type { Ledger } from './ledger.ts'

/** A trade to be settled. */
export interface TradeSettlement
  extends Pick<Untimed<TradeRow>, 'timeMs' | 'side' | 'px' | 'sz' | 'tid' | 'hash'> {
  market: MarketState
  /** null for the crowd. */
  buyer: SettlementSide | null
  seller: SettlementSide | null
  /** The taker's order; the crowd's has only a number. */
  takerOid: number
  liquidation: number | null
}

export interface SettlementSide {
  holding: Holding
  order: LiveOrder
}

/** Listener for effects of trades on positions. */
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
    private readonly feeDays: FeeDays,
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
    this.feeDays.addTrade(notional, timeMs)
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

  /** Writes positions changed since they were last written. */
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
    const rate = this.feeDays.ratesOf(agent, timeMs)[crossed ? 'taker' : 'maker']
    const fee = add(feeOf(notional, market.row, rate), builderFee)
    const cashChange = market.isPerp ? closedPnl : buys ? negate(notional) : notional
    account.cash = add(account.cash, subtract(cashChange, fee))
    this.feeDays.add(agent.id, crossed, notional, timeMs)
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
      // Written out: object spread would dominate the time of casting.
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

/** Long part of a position. */
const longPart = (sz: Sz) => greater<Sz>(sz, ZERO)

/** One side of a settled trade, with the holding after it. */
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
  /** Number of its position; null for spot. */
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

/** Fields of a fill that the position needs besides the change of the holding. */
interface PositionFill {
  id: number
  timeMs: number
  fee: Usd
  /** Signed size before. */
  before: Sz
  /** Set on the liquidated side. */
  liquidation: number | null
}

/** Tracks positions of perpetuals from open to flat, and writes each once it is closed. */
class PositionTracker {
  private readonly changed = new Set<Holding>()

  constructor(
    private readonly rows: RowSink,
    private readonly numbers: RowNumbers,
    private readonly onOpened: (holding: Holding, timeMs: number) => void,
    private readonly onClosed: (holding: Holding, timeMs: number) => void,
  ) {}

  /** Applies a fill; returns the number of its position. */
  follow(holding: Holding, change: FillEffect, fill: PositionFill): number | null {
    const open = holding.position
    if (open) {
      open.closeSz = add(open.closeSz, change.closedSz)
      open.closeNotional = add(open.closeNotional, change.closedNotional)
      open.closedPnl = add(open.closedPnl, change.closedPnl)
      // A flip's whole fee counts with the position that it closed.
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

// Daily volumes of traders, from which their fee rates of the next day follow.

/** A trader's volume of a day, micro-dollars. */
interface DayVolume {
  day: number
  crossed: number
  added: number
}

export class FeeDays {
  private readonly own = new Map<number, DayVolume[]>()
  private readonly rates = new Map<number, FeeRates & { day: number }>()
  private readonly traded = new Map<number, number>()

  /**
   * @param fromMs trades are counted from here on; what was traded before is in `marketOn`
   * @param marketOn what else was traded on a day that is over, micro-dollars
   */
  constructor(
    private readonly fromMs: number,
    private marketOn: (day: number) => number = () => 0,
  ) {}

  /** Says what else was traded on a day. */
  setMarket(marketOn: (day: number) => number): void {
    this.marketOn = marketOn
  }

  /** The rates of a trader on the main dex at an instant: those of its day. */
  ratesOf({ id, staked }: Agent, timeMs: number): FeeRates {
    const day = Math.floor(timeMs / DAY_MS)
    const known = this.rates.get(id)
    if (known?.day === day) return known
    const sums = { crossed: 0, added: 0 }
    for (const one of this.own.get(id) ?? [])
      if (one.day < day && one.day >= day - FEE_DAYS) {
        sums.crossed += one.crossed
        sums.added += one.added
      }
    const market = sums.added > 0 ? this.marketBefore(day) : 0
    const found = { ...ratesFor({ ...sums, market, staked }), day }
    this.rates.set(id, found)
    return found
  }

  /** Has the rates of a trader found anew. */
  forget({ id }: Agent): void {
    this.rates.delete(id)
  }

  /** Counts a side of a trade. */
  add(trader: number, crossed: boolean, notional: Usd, timeMs: number): void {
    this.addDay(trader, Math.floor(timeMs / DAY_MS), crossed, raw(notional))
  }

  /** The same of several of a day. */
  addDay(trader: number, day: number, crossed: boolean, usd: number): void {
    const days = this.own.get(trader) ?? []
    let last = days.findLast((one) => one.day === day)
    if (!last) {
      last = { day, crossed: 0, added: 0 }
      days.push(last)
      if (days.length > FEE_DAYS + 2) days.shift()
      this.own.set(trader, days)
    }
    last[crossed ? 'crossed' : 'added'] += usd
  }

  /** Adds a trade of any account. */
  addTrade(notional: Usd, timeMs: number): void {
    if (timeMs < this.fromMs) return
    const day = Math.floor(timeMs / DAY_MS)
    this.traded.set(day, (this.traded.get(day) ?? 0) + raw(notional))
  }

  private marketBefore(day: number): number {
    let usd = 0
    for (let one = day - FEE_DAYS; one < day; one++)
      usd += this.marketOn(one) + (this.traded.get(one) ?? 0)
    return usd
  }
}
