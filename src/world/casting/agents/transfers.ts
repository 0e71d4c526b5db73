import { usd as money, raw } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { crossMargin } from '../ledger/sub-account.ts'
import type { SubAccount } from '../market/market-state.ts'
import { logUniform } from '../random-values.ts'

const USD = 1e6
/** So many times the margin of what is open must be left in the account. */
const MARGIN_MULTIPLE_MIN = 1.5

/** Money that agents move of their own accord: in, out, and to each other. */
export class Transfers {
  constructor(
    private readonly ledger: Ledger,
    private readonly random: RandomSource,
  ) {}

  /** One transfer, if the agent drawn can afford it. */
  run(timeMs: number): void {
    const { random, ledger } = this
    if (ledger.accounts.length < 2) return
    const account = this.mainAccount(timeMs)
    if (!account) return
    const { agent } = account
    if (random.chance(0.22)) {
      const usd =
        Math.ceil((agent.wealthUsd * logUniform(random, 0.02, 0.3)) / (50 * USD)) * 50 * USD
      return ledger.deposit(account, money(usd), timeMs)
    }
    const { equity, initial } = crossMargin(account)
    const free = Math.min(equity, raw(account.cash)) - MARGIN_MULTIPLE_MIN * initial - 100 * USD
    const usd = Math.floor((free * (0.1 + 0.4 * random.unit())) / (10 * USD)) * 10 * USD
    if (usd < 100 * USD) return
    if (random.chance(0.8)) return ledger.withdraw(account, money(usd), timeMs)
    const other = this.mainAccount(timeMs)
    if (other && other !== account) ledger.internalTransfer(account, other, money(usd), timeMs)
  }

  private mainAccount(timeMs: number): SubAccount | undefined {
    const account = this.random.pick(this.ledger.accounts)
    const usable = account.dex === '' && !account.awaitsLiquidation && account.lastMs <= timeMs
    const { role, isPlanned } = account.agent
    return usable && role !== 'named' && !isPlanned ? account : undefined
  }
}
