/** States of perpetual accounts and their ledgers, by exact arithmetic. */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { AccountsFacts } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type {
  AddressState,
  LedgerUpdate,
  NativeState,
  PerpState,
} from '../../../../contract/records/account-state.ts'
import { ZERO } from '../../../../decimal/quantity.ts'
import {
  AccountStateReader,
  type AccountSummary,
  accountSummaryOf,
  accountSummaryTexts,
  nativeLeverage,
  perpLeverage,
  writePosition,
} from '../../../rows/account-state.ts'
import { LEDGER_ENTRIES, ledgerUpdate, tradersOf } from '../../../rows/traders.ts'
import { Cache, perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

export class AccountQueries implements AccountsFacts {
  private readonly accountStates: AccountStateReader

  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {
    this.accountStates = new AccountStateReader(world, moment)
  }

  native(address: string, dex: string): NativeState {
    const account = this.account(address, dex)
    const positions = account.positions.map((one) => writePosition(one, nativeLeverage(one)))
    return this.state(account, positions)
  }

  perp(address: string, dex: string): PerpState {
    const account = this.account(address, dex)
    const positions = account.positions.map((one) => writePosition(one, perpLeverage(one)))
    return this.state(account, positions)
  }

  states(addresses: string[], dex: string): AddressState[] {
    const { atMs, shiftMs } = this.moment
    return addresses.map((given) => {
      const address = given.toLowerCase()
      const key = `${address}/${dex}/${atMs}/${shiftMs}`
      return { address, state: stateCache(this.world).get(key, () => this.perp(address, dex)) }
    })
  }

  ledger(address: string, limit: number): LedgerUpdate[] {
    const trader = tradersOf(this.world).find(address)
    if (!trader) return []
    return newestEntries(this.world).all(trader.id, this.moment.atMs, limit).map(ledgerUpdate)
  }

  private account(address: string, dex: string): AccountSummary {
    return accountSummaryOf(this.accountStates.read(address, dex) ?? { cash: ZERO, holdings: [] })
  }

  private state<P>(account: AccountSummary, positions: P[]) {
    return {
      ...accountSummaryTexts(account),
      assetPositions: positions.map((position) => ({ type: 'oneWay' as const, position })),
      time: this.moment.atMs,
    }
  }
}

/** Cached states: batches repeat addresses, and requests repeat. */
const CACHE_LIMIT = 4_000
const stateCache = perWorld(() => new Cache<string, PerpState>(CACHE_LIMIT))

const newestEntries = perWorld(({ db }) =>
  LEDGER_ENTRIES.prepare<[trader: number, atMs: TapeMs, limit: number]>(
    db,
    `from ledger where trader = ? and timeMs <= ? and hidden = 0
     order by timeMs desc, id desc limit ?`,
  ),
)
