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

/** What one taker order did: its trades at one instant, in order. */
export interface TakerOrder {
  market: MarketState
  timeMs: number
  side: 'B' | 'A'
  prints: TradePrint[]
  taker: Holding
  /** The TWAP it is a slice of. */
  program?: TwapProgram | undefined
  /** The forced closing it carries out: liquidation.id. */
  liquidation?: number | undefined
  reduceOnly?: boolean
}

export interface TradePrint {
  px: Px
  sz: Sz
  tid?: number | undefined
  hash?: string | undefined
  /** Who was hit, where the tape says so. */
  maker?: Holding | undefined
}

/** How far a market order may slip before it is cut off. */
const SLIPPAGE_MAX = 0.05

/** The trading floor: turns bursts into orders, counterparties, and booked trades. */
export class MatchingEngine {
  constructor(
    private readonly ledger: Ledger,
    private readonly orders: OrderManager,
    private readonly settlement: Settlement,
    private readonly counterparties: CounterpartyPicker,
    private readonly twaps: TwapPrograms,
    private readonly random: RandomSource,
  ) {}

  /** Carries out a burst; answers what was traded and what the taker realised. */
  execute(burst: TakerOrder): { sz: Sz; notional: Usd; closedPnl: Usd; oid: number } {
    const { market, timeMs, side, taker, program } = burst
    const sz = sum(burst.prints.map((print) => print.sz))
    const hash = program ? NO_HASH : (burst.prints[0]?.hash ?? null)
    this.ensureFunds(taker, side, sz, timeMs)
    const order = this.takerOrder(burst, sz, hash)
    const crossing = { held: taker, order }
    const rest = side === 'B' ? 'A' : 'B'
    let [notional, closedPnl]: [Usd, Usd] = [ZERO, ZERO]
    for (const print of burst.prints) {
      const maker = this.makerOrder(burst, print, rest)
      const booked = this.settlement.book({
        market,
        timeMs,
        side,
        px: print.px,
        sz: print.sz,
        buyer: side === 'B' ? crossing : maker,
        seller: side === 'B' ? maker : crossing,
        tid: print.tid ?? randomTradeId(this.random),
        hash: print.hash ?? hash,
        liquidation: burst.liquidation ?? null,
      })
      notional = add(notional, booked.notional)
      closedPnl = add(closedPnl, booked.closedPnl[side === 'B' ? 'buyer' : 'seller'])
    }
    if (program) this.twaps.recordSlice(program, sz, notional, timeMs)
    return { sz, notional, closedPnl, oid: order.oid }
  }

  private takerOrder(burst: TakerOrder, sz: Sz, hash: string | null): LiveOrder {
    const { market, timeMs, side, prints, taker, program, liquidation } = burst
    const prices = prints.map(({ px }) => px)
    const last = prices.reduce(side === 'B' ? greater : lesser)
    const away = market.onTick(raw(last) * (side === 'B' ? 1 + SLIPPAGE_MAX : 1 - SLIPPAGE_MAX))
    const forced = liquidation !== undefined
    const limit = !forced && !program && this.random.chance(0.35)
    const { agent } = taker.account
    const closes = burst.reduceOnly === true && market.isPerp
    return this.orders.place(agent, market, {
      timeMs,
      side,
      origSz: sz,
      hash,
      limitPx: limit ? last : away,
      orderType: limit ? 'Limit' : 'Market',
      tif: forced
        ? 'LiquidationMarket'
        : limit
          ? this.random.pick(['Gtc', 'Ioc'])
          : 'FrontendMarket',
      reduceOnly: forced || closes || program?.reduceOnly === true,
      twap: program?.id ?? null,
      cloid:
        agent.role === 'scalper' && this.random.chance(0.4) ? randomClientId(this.random) : null,
    })
  }

  private makerOrder(
    burst: TakerOrder,
    print: TradePrint,
    side: 'B' | 'A',
  ): { held: Holding; order: LiveOrder } {
    const { market, taker } = burst
    if (!print.maker) {
      const standing = market.resting[side].get(print.px)
      const fits = standing && standing.endMs === null && standing.owner !== taker.account.agent
      if (
        fits &&
        subtract(standing.origSz, standing.filledSz) >= print.sz &&
        this.random.chance(0.7)
      ) {
        const held = this.ledger.holding(standing.owner, market)
        this.ensureFunds(held, side, print.sz, burst.timeMs)
        return { held, order: standing }
      }
    }
    const chosen =
      print.maker ?? this.counterparties.maker(market, side, print.sz, taker, burst.timeMs)
    this.ensureFunds(chosen, side, print.sz, burst.timeMs)
    return { held: chosen, order: this.restingOrder(burst, print, side, chosen) }
  }

  private restingOrder(
    burst: TakerOrder,
    print: TradePrint,
    side: 'B' | 'A',
    held: Holding,
  ): LiveOrder {
    const { random } = this
    const { market, timeMs } = burst
    const { agent } = held.account
    const earlierMs = Math.floor(200 * 450 ** random.unit())
    const more: Sz = random.chance(0.55)
      ? ZERO
      : market.sizeFor(market.value(print.sz) * 3 * random.unit())
    const order = this.orders.place(agent, market, {
      timeMs: Math.max(timeMs - earlierMs, agent.joinMs),
      side,
      limitPx: print.px,
      origSz: add(print.sz, more),
      tif: agent.role === 'maker' ? 'Alo' : 'Gtc',
      cloid: agent.role === 'maker' && random.chance(0.4) ? randomClientId(random) : null,
    })
    if (more === ZERO) return order
    const lifeMs = Math.floor(1500 * 80 ** random.unit())
    this.orders.expire(order, timeMs + lifeMs)
    market.resting[side].set(print.px, order)
    if (market.resting[side].size > 200) pruneFilled(market.resting[side])
    return order
  }

  /** Money or tokens first, so that no trade leaves anybody short of them. */
  private ensureFunds(held: Holding, side: 'B' | 'A', sz: Sz, timeMs: number): void {
    const { market, account } = held
    if (market.isPerp) return this.ledger.ensureMargin(account, market.value(sz), held, timeMs)
    this.ledger.ensureSpotFunds(held, side === 'B', sz, market.value(sz), timeMs)
  }
}

function pruneFilled(resting: Map<Px, LiveOrder>): void {
  for (const [px, order] of resting) if (order.endMs !== null) resting.delete(px)
}
