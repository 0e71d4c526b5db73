import { usd as money, raw, type Sz, sz as size, ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { Holding, SubAccount } from '../market/market-state.ts'
import type { Ledger } from './ledger.ts'
import { crossMargin } from './sub-account.ts'

/** Fees that a trade may cost at most. */
const FEE_SHARE = 0.002
/** What is left to spare once an account has been topped up. */
const SPARE = { share: 1.03, usd: 5e6 }
/** Who saves a position brings so many times the maintenance margin. */
const SUPPORT = 1.6

/** Sees to it that accounts can pay and deliver what they trade. */
export class AccountFunds {
  constructor(
    private readonly ledger: Ledger,
    private readonly random: RandomSource,
  ) {}

  /** Before a trade. */
  ensure(holding: Holding, side: 'B' | 'A', sz: Sz, timeMs: number): void {
    const usd = holding.market.value(sz)
    if (holding.market.isPerp) return this.ensureMargin(holding, side, usd, timeMs)
    this.ensureSpot(holding, side === 'B', sz, usd, timeMs)
  }

  /** Brings money so that a position is not liquidated. */
  support(account: SubAccount, timeMs: number): void {
    const { equity, maintenance, initial } = crossMargin(account)
    const target = Math.max(SUPPORT * maintenance, 0.5 * (maintenance + initial))
    this.ledger.topUp(account, money(Math.max(Math.ceil(target - equity), 1)), timeMs)
  }

  private ensureMargin(holding: Holding, side: 'B' | 'A', usd: number, timeMs: number): void {
    const { account, sz, leverage } = holding
    if (account.awaitsLiquidation) return
    const reduces = sz !== ZERO && sz > ZERO === (side === 'A')
    const held = Math.abs(holding.market.value(sz))
    const added = reduces ? Math.max(0, usd - 2 * held) : usd
    if (added === 0 && account.cash > ZERO) return
    const { equity, initial, maintenance } = crossMargin(account)
    const open = added > 0 ? Math.max(initial, maintenance) : maintenance
    const wanted = open + added / leverage + usd * FEE_SHARE
    if (equity >= wanted && account.cash > ZERO) return
    const missing = wanted * SPARE.share - equity + SPARE.usd
    this.ledger.topUp(account, money(Math.ceil(missing)), timeMs)
  }

  private ensureSpot(holding: Holding, buys: boolean, sz: Sz, usd: number, timeMs: number): void {
    const { account, market } = holding
    if (raw(account.cash) < (buys ? usd * 1.06 : 0) + 1e6) {
      const wanted = Math.max(usd * (1.5 + 2 * this.random.unit()), 100e6)
      this.ledger.topUp(account, money(Math.ceil(wanted)), timeMs)
    }
    if (buys || holding.sz >= sz) return
    const lot = raw(market.survey.lot)
    const wanted = raw(sz) * (2 + 4 * this.random.unit()) - raw(holding.sz)
    this.ledger.depositTokens(holding, size(Math.ceil(wanted / lot) * lot), timeMs)
  }
}
