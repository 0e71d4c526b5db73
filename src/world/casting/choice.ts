import { absolute, negate, type Sz, times, ZERO } from '../../decimal/quantity.ts'
import type { Dice } from '../../random/dice.ts'
import type { Role } from '../schema.ts'
import type { Bank } from './bank.ts'
import type { Holding, Market } from './market.ts'
import type { People, Trader } from './people.ts'

/** How often a role takes a trade of a size class. */
const TAKERS: Record<'small' | 'middle' | 'large', Partial<Record<Role, number>>> = {
  small: { scalper: 5, quiet: 3, builderUser: 3, swing: 2, maker: 1 },
  middle: { swing: 4, builderUser: 2, scalper: 2, quiet: 1, whale: 1 },
  large: { whale: 5, maker: 4, swing: 2 },
}

/** Nobody gets rid of a position sooner than this after opening it by plan. */
const SHORTEST_MS = 4_000

/** Who takes and who makes: by role, by size, and by what they hold. */
export class Choice {
  constructor(
    private readonly people: People,
    private readonly bank: Bank,
    private readonly dice: Dice,
  ) {}

  /** The taker of a trade that the tape tells: side and size are given. */
  taker(market: Market, side: 'B' | 'A', sz: Sz, timeMs: number): Holding {
    const exact = this.exact(market, side, sz, timeMs)
    if (exact && this.dice.chance(0.85)) return exact
    const closer = this.closer(market, side, timeMs)
    if (closer) {
      const left = absolute(closer.sz)
      if (left >= sz || (times(left, 3) > sz && closer.purse.trader.role !== 'quiet')) return closer
    }
    let choice: Holding | undefined
    for (let draw = 0; draw < 4; draw++) {
      const trader = this.draw(market.value(sz), market, timeMs)
      if (!trader) continue
      const held = this.bank.holding(trader, market)
      if (held.purse.doomed) continue
      choice = held
      const adds = held.sz !== ZERO && held.sz > ZERO === (side === 'B')
      const fits = market.perp ? !adds : side === 'B' || held.sz >= sz
      if (fits) break
    }
    return choice ?? this.bank.holding(this.first('swing', timeMs), market)
  }

  /** Somebody to make the next trade of the history, any side. */
  anybody(market: Market, usd: number, timeMs: number): Holding | undefined {
    const trader = this.draw(usd, market, timeMs)
    const held = trader && this.bank.holding(trader, market)
    return held?.purse.doomed ? undefined : held
  }

  /**
   * Who rests at the price and is hit: mostly makers, those first whom it helps out of inventory.
   */
  maker(market: Market, side: 'B' | 'A', sz: Sz, taker: Holding, timeMs: number): Holding {
    const exact = this.exact(market, side, sz, timeMs)
    if (exact && exact !== taker && this.dice.chance(0.5)) return exact
    if (this.dice.chance(0.12)) {
      const closer = this.closer(market, side, timeMs)
      if (closer && closer !== taker && absolute(closer.sz) >= sz) return closer
    }
    const makers = this.people.of('maker')
    let choice: Holding | undefined
    for (let draw = 0; draw < 3; draw++) {
      const trader = this.dice.pick(makers)
      if (trader === taker.purse.trader) continue
      const held = this.bank.holding(trader, market)
      if (!choice || (side === 'B' ? held.sz < choice.sz : held.sz > choice.sz)) choice = held
    }
    if (choice) return choice
    const other = makers.find((trader) => trader !== taker.purse.trader)
    if (!other) throw new Error('a market needs two makers')
    return this.bank.holding(other, market)
  }

  /** Who wants out by a trade on `side`, if anybody. */
  closer(market: Market, side: 'B' | 'A' | null, timeMs: number): Holding | undefined {
    const { due, overdue } = market
    for (let held = due.take(timeMs); held; held = due.take(timeMs)) {
      held.queued = false
      if (held.sz === ZERO) continue
      if (held.dueMs > timeMs) market.plan(held, held.dueMs)
      else {
        held.queued = true
        overdue[held.sz > ZERO ? 'long' : 'short'].push(held)
      }
    }
    const direction =
      side === 'A' ? 'long' : side === 'B' ? 'short' : this.dice.chance(0.5) ? 'long' : 'short'
    return this.pick(overdue[direction], direction === 'long', market, timeMs)
  }

  /** One of a list who still wants out; those who do not are taken off it. */
  private pick(list: Holding[], long: boolean, market: Market, timeMs: number) {
    while (list.length > 0) {
      const place = this.dice.between(0, list.length - 1)
      const held = list[place] as Holding
      if (held.sz !== ZERO && held.sz > ZERO === long && held.dueMs <= timeMs) return held
      list[place] = list[list.length - 1] as Holding
      list.pop()
      held.queued = false
      if (held.sz !== ZERO) market.plan(held, Math.max(held.dueMs, timeMs + 1))
    }
    return undefined
  }

  /** When somebody who just opened a position means to close it; undefined for never by plan. */
  holdMs(role: Role): number | undefined {
    const [low, high] = HOLD[role] ?? [0, 0]
    if (high === 0) return undefined
    return Math.floor(low * (high / low) ** this.dice.unit())
  }

  private exact(market: Market, side: 'B' | 'A', sz: Sz, timeMs: number): Holding | undefined {
    const wanted = side === 'B' ? negate(sz) : sz
    const held = market.exact.get(wanted)
    if (!held || held.sz !== wanted || held.purse.doomed || !held.position) return undefined
    return timeMs - held.position.openMs >= SHORTEST_MS ? held : undefined
  }

  private draw(usd: number, market: Market, timeMs: number): Trader | undefined {
    const ratio = usd / market.survey.tradeUsd
    const urn = URNS[ratio < 1.5 ? 'small' : ratio < 12 ? 'middle' : 'large']
    const trader = this.dice.pick(this.people.of(this.dice.pick(urn)))
    return trader.joinMs < timeMs ? trader : undefined
  }

  private first(role: Role, timeMs: number): Trader {
    const list = this.people.of(role)
    const trader = list.find(({ joinMs }) => joinMs < timeMs) ?? list[0]
    if (!trader) throw new Error(`nobody has the role ${role}`)
    return trader
  }
}

/** Each role as often as it weighs. */
const URNS = { small: urn('small'), middle: urn('middle'), large: urn('large') }

function urn(size: keyof typeof TAKERS): Role[] {
  return Object.entries(TAKERS[size]).flatMap(([role, weight]) => Array(weight).fill(role))
}

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

/** Shortest and longest time that a role means to hold. */
const HOLD: Partial<Record<Role, [number, number]>> = {
  scalper: [MINUTE_MS, 45 * MINUTE_MS],
  swing: [30 * MINUTE_MS, 4 * DAY_MS],
  builderUser: [10 * MINUTE_MS, DAY_MS],
  quiet: [4 * 60 * MINUTE_MS, 9 * DAY_MS],
  whale: [2 * 60 * MINUTE_MS, 6 * DAY_MS],
  twap: [6 * 60 * MINUTE_MS, 5 * DAY_MS],
}
