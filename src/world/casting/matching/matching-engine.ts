import {
  add,
  greater,
  lesser,
  type Px,
  raw,
  type Sz,
  subtract,
  sum,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { NO_HASH } from '../../schema.ts'
import type { CounterpartyPicker } from '../agents/counterparties.ts'
import type { TwapProgram, TwapPrograms } from '../agents/twap-programs.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Settlement } from '../ledger/settlement.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import { randomClientId, randomTradeId } from '../random-values.ts'
import type { LiveOrder, OrderManager } from './order-manager.ts'

/** One taker order: its trades at one instant, in order. */
export interface TakerOrder {
  market: MarketState
  timeMs: number
  side: 'B' | 'A'
  prints: TradePrint[]
  taker: Holding
  /** The TWAP it is a slice of. */
  program?: TwapProgram | undefined
  /** The liquidation that it carries out: liquidation.id. */
  liquidation?: number | undefined
  reduceOnly?: boolean
}

export interface TradePrint {
  px: Px
  sz: Sz
  tid?: number | undefined
  hash?: string | undefined
  /** Whose order was hit, where the tape names it. */
  maker?: Holding | undefined
}

/** How far a market order may slip before it is cut off. */
const SLIPPAGE_MAX = 0.05

/** Executes taker orders: places the orders of both sides, picks makers, settles the trades. */
export class MatchingEngine {
  constructor(
    private readonly ledger: Ledger,
    private readonly orders: OrderManager,
    private readonly settlement: Settlement,
    private readonly counterparties: CounterpartyPicker,
    private readonly twaps: TwapPrograms,
    private readonly random: RandomSource,
  ) {}

  /** Executes a taker order; answers what was traded and what the taker realised. */
  execute(request: TakerOrder): { sz: Sz; notional: Usd; closedPnl: Usd; oid: number } {
    const { market, timeMs, side, taker, program } = request
    const sz = sum(request.prints.map((print) => print.sz))
    const hash = program ? NO_HASH : (request.prints[0]?.hash ?? null)
    this.ensureFunds(taker, side, sz, timeMs)
    const order = this.takerOrder(request, sz, hash)
    const takerSide = { holding: taker, order }
    const makerSide = side === 'B' ? 'A' : 'B'
    let [notional, closedPnl]: [Usd, Usd] = [ZERO, ZERO]
    for (const print of request.prints) {
      const maker = this.makerOrder(request, print, makerSide)
      const settled = this.settlement.settle({
        market,
        timeMs,
        side,
        px: print.px,
        sz: print.sz,
        buyer: side === 'B' ? takerSide : maker,
        seller: side === 'B' ? maker : takerSide,
        tid: print.tid ?? randomTradeId(this.random),
        hash: print.hash ?? hash,
        liquidation: request.liquidation ?? null,
      })
      notional = add(notional, settled.notional)
      closedPnl = add(closedPnl, settled.closedPnl[side === 'B' ? 'buyer' : 'seller'])
    }
    if (program) this.twaps.recordSlice(program, sz, notional, timeMs)
    return { sz, notional, closedPnl, oid: order.oid }
  }

  private takerOrder(request: TakerOrder, sz: Sz, hash: string | null): LiveOrder {
    const { market, timeMs, side, prints, taker, program, liquidation } = request
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

  private makerOrder(
    request: TakerOrder,
    print: TradePrint,
    side: 'B' | 'A',
  ): { holding: Holding; order: LiveOrder } {
    const { market, taker } = request
    if (!print.maker) {
      const resting = market.resting[side].get(print.px)
      const fits = resting && resting.endMs === null && resting.owner !== taker.account.agent
      if (
        fits &&
        subtract(resting.origSz, resting.filledSz) >= print.sz &&
        this.random.chance(0.7)
      ) {
        const holding = this.ledger.holding(resting.owner, market)
        this.ensureFunds(holding, side, print.sz, request.timeMs)
        return { holding, order: resting }
      }
    }
    const chosen =
      print.maker ?? this.counterparties.maker(market, side, print.sz, taker, request.timeMs)
    this.ensureFunds(chosen, side, print.sz, request.timeMs)
    return { holding: chosen, order: this.restingOrder(request, print, side, chosen) }
  }

  private restingOrder(
    request: TakerOrder,
    print: TradePrint,
    side: 'B' | 'A',
    holding: Holding,
  ): LiveOrder {
    const { random } = this
    const { market, timeMs } = request
    const { agent } = holding.account
    const ageMs = Math.floor(200 * 450 ** random.unit())
    // What a persona trades is planned to the lot.
    const surplus: Sz =
      agent.persona || random.chance(0.55)
        ? ZERO
        : market.sizeFor(market.value(print.sz) * 3 * random.unit())
    const order = this.orders.place(agent, market, {
      timeMs: Math.max(timeMs - ageMs, agent.joinMs),
      side,
      limitPx: print.px,
      origSz: add(print.sz, surplus),
      tif: agent.role === 'maker' ? 'Alo' : 'Gtc',
      cloid: agent.role === 'maker' && random.chance(0.4) ? randomClientId(random) : null,
    })
    if (surplus === ZERO) return order
    const lifeMs = Math.floor(1500 * 80 ** random.unit())
    this.orders.expire(order, timeMs + lifeMs)
    market.resting[side].set(print.px, order)
    if (market.resting[side].size > 200) pruneFilled(market.resting[side])
    return order
  }

  /** Funds an account before a trade, so that it can pay and deliver. */
  private ensureFunds(holding: Holding, side: 'B' | 'A', sz: Sz, timeMs: number): void {
    const { market, account } = holding
    if (market.isPerp) return this.ledger.ensureMargin(account, market.value(sz), holding, timeMs)
    this.ledger.ensureSpotFunds(holding, side === 'B', sz, market.value(sz), timeMs)
  }
}

function pruneFilled(orders: Map<Px, LiveOrder>): void {
  for (const [px, order] of orders) if (order.endMs !== null) orders.delete(px)
}
