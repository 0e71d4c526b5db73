import { usd as money, raw } from '../../decimal/quantity.ts'
import type { Dice } from '../../random/dice.ts'
import type { Bank } from './bank.ts'
import { spread } from './chance.ts'
import type { Purse } from './market.ts'
import { cross } from './purse.ts'

const USD = 1e6
/** So many times what the margin asks must be left behind. */
const KEEP = 4

/** Money that people move for reasons of their own: in, out, and to each other. */
export class Errands {
  constructor(
    private readonly bank: Bank,
    private readonly dice: Dice,
  ) {}

  /** One errand, if whoever is drawn can afford it. */
  run(timeMs: number): void {
    const { dice, bank } = this
    if (bank.purses.length < 2) return
    const purse = this.main(timeMs)
    if (!purse) return
    const { trader } = purse
    if (dice.chance(0.35)) {
      const usd = Math.ceil((trader.wealthUsd * spread(dice, 0.02, 0.3)) / (50 * USD)) * 50 * USD
      return bank.deposit(purse, money(usd), timeMs)
    }
    const { equity, need } = cross(purse)
    const free = Math.min(equity, raw(purse.cash)) - KEEP * need - 500 * USD
    const usd = Math.floor((free * (0.1 + 0.4 * dice.unit())) / (10 * USD)) * 10 * USD
    if (usd < 100 * USD) return
    if (dice.chance(0.75)) return bank.withdraw(purse, money(usd), timeMs)
    const other = this.main(timeMs)
    if (other && other !== purse) bank.give(purse, other, money(usd), timeMs)
  }

  private main(timeMs: number): Purse | undefined {
    const purse = this.dice.pick(this.bank.purses)
    const usable = purse.dex === '' && !purse.doomed && purse.lastMs <= timeMs
    return usable && purse.trader.role !== 'named' ? purse : undefined
  }
}
