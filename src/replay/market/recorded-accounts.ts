/** What is told of accounts: the first of each stands, later ones are compared with it. */
import type { AccountData } from '../../tape/account-data.ts'
import type { EventDraft } from '../../tape/tape-event.ts'
import { type Findings, isoOf } from './findings.ts'
import type { AccountFact, TradeFact } from './market-fact.ts'

type Part = Exclude<keyof AccountData, 'address' | 'dex'>

const PARTS: readonly Part[] = ['positions', 'orders', 'balances', 'transfers']

export class RecordedAccounts {
  private readonly first = new Map<string, AccountFact>()
  /** States that were told later, of which what was traded between them is not known yet. */
  private readonly later: AccountFact[] = []

  constructor(private readonly contradictions: Findings) {}

  add(fact: AccountFact): void {
    const { address, dex } = fact.account
    const part = PARTS.find((name) => fact.account[name] !== undefined)
    const key = `${address} ${dex} ${part}`
    const known = this.first.get(key)
    if (!known || (known.isPartial && !fact.isPartial)) this.first.set(key, fact)
    else if (part === 'positions') this.later.push(fact)
  }

  /** Names states that differ by more than was traded between them under their address. */
  check(trades: readonly TradeFact[]): void {
    for (const later of this.later) {
      const { address, dex, positions = [] } = later.account
      const first = this.first.get(`${address} ${dex} positions`) as AccountFact
      const coins = new Set(
        [...positions, ...(first.account.positions ?? [])].map((one) => one.coin),
      )
      for (const coin of coins) {
        const traded = trades
          .filter(
            (one) => one.coin === coin && one.timeMs > first.timeMs && one.timeMs <= later.timeMs,
          )
          .reduce((sum, one) => sum + sizeFor(address, one), 0)
        const [was, is] = [sizeOf(first, coin), sizeOf(later, coin)]
        if (Math.abs(was + traded - is) <= 1e-9 * Math.max(Math.abs(was), Math.abs(is), 1)) continue
        this.contradictions.note(
          'position that no recorded trades lead to',
          `${address} ${coin}: ${was} at ${isoOf(first.timeMs)}, ${traded} traded, ` +
            `${is} at ${isoOf(later.timeMs)}`,
        )
      }
    }
  }

  /** Events of coins that the tape has; what is of others is noted. */
  drafts(coins: ReadonlySet<string>, fromMs: number, leftOut: Findings): EventDraft[] {
    const isOn = (what: string) => (row: { coin: string }) => {
      if (coins.has(row.coin)) return true
      leftOut.note(`${what} in a coin of which the tape has no price`, row.coin)
      return false
    }
    return [...this.first.values()].map(({ timeMs, account }) => {
      const { positions, orders } = account
      const data: AccountData = {
        ...account,
        ...(positions && { positions: positions.filter(isOn('position')) }),
        ...(orders && { orders: orders.filter(isOn('order')) }),
      }
      return { time: Math.max(timeMs, fromMs), kind: 'account', coin: '', data }
    })
  }
}

const sizeOf = ({ account }: AccountFact, coin: string): number =>
  Number(account.positions?.find((one) => one.coin === coin)?.szi ?? 0)

const sizeFor = (address: string, { buyer, seller, sz }: TradeFact): number =>
  (buyer === address ? Number(sz) : 0) - (seller === address ? Number(sz) : 0)
