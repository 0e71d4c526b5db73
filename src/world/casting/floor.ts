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
} from '../../decimal/quantity.ts'
import type { Dice } from '../../random/dice.ts'
import { NO_HASH } from '../schema.ts'
import type { Bank } from './bank.ts'
import { clientId, tradeId } from './chance.ts'
import type { Choice } from './choice.ts'
import type { Holding, Market } from './market.ts'
import type { OrderRoom, Resting } from './order-room.ts'
import type { Settlement } from './settlement.ts'
import type { Program, Twaps } from './twaps.ts'

/** What one taker order did: its trades at one instant, in order. */
export interface Burst {
  market: Market
  timeMs: number
  side: 'B' | 'A'
  prints: Print[]
  taker: Holding
  /** The TWAP it is a slice of. */
  program?: Program | undefined
  /** The forced closing it carries out: liquidation.id. */
  liquidation?: number | undefined
  reduceOnly?: boolean
}

export interface Print {
  px: Px
  sz: Sz
  tid?: number | undefined
  hash?: string | undefined
  /** Who was hit, where the tape says so. */
  maker?: Holding | undefined
}

/** How far a market order may slip before it is cut off. */
const SLIP = 0.05

/** The trading floor: turns bursts into orders, counterparties, and booked trades. */
export class Floor {
  constructor(
    private readonly bank: Bank,
    private readonly orders: OrderRoom,
    private readonly settlement: Settlement,
    private readonly choice: Choice,
    private readonly twaps: Twaps,
    private readonly dice: Dice,
  ) {}

  /** Carries out a burst; answers what was traded and what the taker realised. */
  run(burst: Burst): { sz: Sz; notional: Usd; closedPnl: Usd; oid: number } {
    const { market, timeMs, side, taker, program } = burst
    const sz = sum(burst.prints.map((print) => print.sz))
    const hash = program ? NO_HASH : (burst.prints[0]?.hash ?? null)
    this.prepare(taker, side, sz, timeMs)
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
        tid: print.tid ?? tradeId(this.dice),
        hash: print.hash ?? hash,
        liquidation: burst.liquidation ?? null,
      })
      notional = add(notional, booked.notional)
      closedPnl = add(closedPnl, booked.closedPnl[side === 'B' ? 'buyer' : 'seller'])
    }
    if (program) this.twaps.done(program, sz, notional, timeMs)
    return { sz, notional, closedPnl, oid: order.oid }
  }

  private takerOrder(burst: Burst, sz: Sz, hash: string | null): Resting {
    const { market, timeMs, side, prints, taker, program, liquidation } = burst
    const prices = prints.map(({ px }) => px)
    const last = prices.reduce(side === 'B' ? greater : lesser)
    const away = market.onTick(raw(last) * (side === 'B' ? 1 + SLIP : 1 - SLIP))
    const forced = liquidation !== undefined
    const limit = !forced && !program && this.dice.chance(0.35)
    const { trader } = taker.purse
    const closes = burst.reduceOnly === true && market.perp
    return this.orders.place(trader, market, {
      timeMs,
      side,
      origSz: sz,
      hash,
      limitPx: limit ? last : away,
      orderType: limit ? 'Limit' : 'Market',
      tif: forced ? 'LiquidationMarket' : limit ? this.dice.pick(['Gtc', 'Ioc']) : 'FrontendMarket',
      reduceOnly: forced || closes || program?.reduceOnly === true,
      twap: program?.id ?? null,
      cloid: trader.role === 'scalper' && this.dice.chance(0.4) ? clientId(this.dice) : null,
    })
  }

  private makerOrder(
    burst: Burst,
    print: Print,
    side: 'B' | 'A',
  ): { held: Holding; order: Resting } {
    const { market, taker } = burst
    if (!print.maker) {
      const standing = market.resting[side].get(print.px)
      const fits = standing && standing.endMs === null && standing.owner !== taker.purse.trader
      if (
        fits &&
        subtract(standing.origSz, standing.filledSz) >= print.sz &&
        this.dice.chance(0.7)
      ) {
        const held = this.bank.holding(standing.owner, market)
        this.prepare(held, side, print.sz, burst.timeMs)
        return { held, order: standing }
      }
    }
    const chosen = print.maker ?? this.choice.maker(market, side, print.sz, taker, burst.timeMs)
    this.prepare(chosen, side, print.sz, burst.timeMs)
    return { held: chosen, order: this.restingOrder(burst, print, side, chosen) }
  }

  private restingOrder(burst: Burst, print: Print, side: 'B' | 'A', held: Holding): Resting {
    const { dice } = this
    const { market, timeMs } = burst
    const { trader } = held.purse
    const earlierMs = Math.floor(200 * 450 ** dice.unit())
    const more: Sz = dice.chance(0.55)
      ? ZERO
      : market.size(market.value(print.sz) * 3 * dice.unit())
    const order = this.orders.place(trader, market, {
      timeMs: Math.max(timeMs - earlierMs, trader.joinMs),
      side,
      limitPx: print.px,
      origSz: add(print.sz, more),
      tif: trader.role === 'maker' ? 'Alo' : 'Gtc',
      cloid: trader.role === 'maker' && dice.chance(0.4) ? clientId(dice) : null,
    })
    if (more === ZERO) return order
    const lifeMs = Math.floor(1500 * 80 ** dice.unit())
    this.orders.expire(order, timeMs + lifeMs)
    market.resting[side].set(print.px, order)
    if (market.resting[side].size > 200) prune(market.resting[side])
    return order
  }

  /** Money or tokens first, so that no trade leaves anybody short of them. */
  private prepare(held: Holding, side: 'B' | 'A', sz: Sz, timeMs: number): void {
    const { market, purse } = held
    if (market.perp) return this.bank.cover(purse, market.value(sz), held, timeMs)
    this.bank.stock(held, side === 'B', sz, market.value(sz), timeMs)
  }
}

function prune(resting: Map<Px, Resting>): void {
  for (const [px, order] of resting) if (order.endMs !== null) resting.delete(px)
}
