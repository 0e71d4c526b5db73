import {
  add,
  greater,
  lesser,
  raw,
  type Sz,
  sum,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { NO_HASH } from '../../schema/schema.ts'
import type { TwapPrograms } from '../agents/twap-programs.ts'
import type { AccountFunds } from '../ledger/account-funds.ts'
import type { Settlement } from '../ledger/settlement.ts'
import type { Holding } from '../market/market-state.ts'
import { randomClientId, randomTradeId } from '../random-values.ts'
import type { LiveOrder, OrderManager } from './order-manager.ts'
import type { MetOrder, RestingOrders } from './resting-orders.ts'
import type { TakerOrder } from './taker-order.ts'

/** How far a market order may slip before it is cut off. */
const SLIPPAGE_MAX = 0.05

/** What was traded of an order, and what its owner realised. */
export interface Executed {
  sz: Sz
  notional: Usd
  closedPnl: Usd
  oid: number
}

/** Executes taker orders: places the orders of both sides, picks makers, settles the trades. */
export class MatchingEngine {
  constructor(
    private readonly orders: OrderManager,
    private readonly settlement: Settlement,
    private readonly funds: AccountFunds,
    private readonly resting: RestingOrders,
    private readonly twaps: TwapPrograms,
    private readonly random: RandomSource,
  ) {}

  /** Executes a taker order; answers what was traded and what the taker realised. */
  execute(request: TakerOrder): Executed {
    const { market, timeMs, side, taker, program } = request
    const sz = sum(request.prints.map((print) => print.sz))
    const hash = program ? NO_HASH : (request.prints[0]?.hash ?? null)
    const takerSide = taker && this.takerSide(request, taker, sz, hash)
    const oid = takerSide?.order.oid ?? this.crowdOid(request)
    const makerSide = side === 'B' ? 'A' : 'B'
    let [notional, closedPnl]: [Usd, Usd] = [ZERO, ZERO]
    for (const print of request.prints) {
      const maker = request.fromCrowd ? null : this.resting.meet(request, print, makerSide)
      const settled = this.settlement.settle({
        market,
        timeMs,
        side,
        px: print.px,
        sz: print.sz,
        buyer: side === 'B' ? takerSide : maker,
        seller: side === 'B' ? maker : takerSide,
        takerOid: oid,
        tid: print.tid ?? randomTradeId(this.random),
        hash: print.hash ?? hash,
        liquidation: request.liquidation ?? null,
      })
      notional = add(notional, settled.notional)
      closedPnl = add(closedPnl, settled.closedPnl[side === 'B' ? 'buyer' : 'seller'])
    }
    if (program) this.twaps.recordSlice(program, sz, notional, timeMs)
    return { sz, notional, closedPnl, oid }
  }

  /** The crowd takes what rests. */
  meetCrowd(met: MetOrder): void {
    const { holding, timeMs, side, px, sz } = met
    const party = { holding, order: this.resting.metByCrowd(met) }
    this.settlement.settle({
      takerOid: this.orders.crowdOid(timeMs),
      market: holding.market,
      timeMs,
      side: side === 'B' ? 'A' : 'B',
      px,
      sz,
      buyer: side === 'B' ? party : null,
      seller: side === 'B' ? null : party,
      tid: randomTradeId(this.random),
      hash: null,
      liquidation: null,
    })
  }

  private crowdOid({ timeMs, liquidation, oid }: TakerOrder): number {
    if (oid !== undefined) return oid
    return liquidation === undefined ? this.orders.crowdOid(timeMs) : this.orders.forcedOid(timeMs)
  }

  private takerSide(request: TakerOrder, holding: Holding, sz: Sz, hash: string | null) {
    this.funds.ensure(holding, request.side, sz, request.timeMs)
    return { holding, order: request.order ?? this.takerOrder(request, holding, sz, hash) }
  }

  private takerOrder(request: TakerOrder, taker: Holding, sz: Sz, hash: string | null): LiveOrder {
    const { market, timeMs, side, prints, program, liquidation } = request
    const prices = prints.map(({ px }) => px)
    const last = prices.reduce(side === 'B' ? greater : lesser)
    const away = market.onTick(raw(last) * (side === 'B' ? 1 + SLIPPAGE_MAX : 1 - SLIPPAGE_MAX))
    const isLiquidation = liquidation !== undefined
    const limit = !isLiquidation && !program && this.random.chance(0.35)
    const { agent } = taker.account
    const closes = request.reduceOnly === true && market.isPerp
    return this.orders.place(agent, market, {
      timeMs,
      side,
      origSz: sz,
      hash,
      limitPx: limit ? last : away,
      orderType: limit ? 'Limit' : 'Market',
      tif: isLiquidation
        ? 'LiquidationMarket'
        : limit
          ? this.random.pick(['Gtc', 'Ioc'])
          : 'FrontendMarket',
      reduceOnly: isLiquidation || closes || program?.reduceOnly === true,
      twap: program?.id ?? null,
      cloid:
        agent.role === 'scalper' && this.random.chance(0.4) ? randomClientId(this.random) : null,
    })
  }
}
