/** States of perpetual accounts and their ledgers, by exact arithmetic (shapes 2.3, 2.22). */
import type { Facts, Moment } from '../../contract/facts.ts'
import type { AddressState, NativeState, PerpState } from '../../contract/records/account-state.ts'
import type { LedgerUpdate } from '../../contract/records/ledger.ts'
import type { World } from '../world.ts'
import { type Account, accountOf } from './account.ts'
import { perWorld } from './per-world.ts'
import { nativeLeverage, perpLeverage, summariesOf, writePosition } from './position-text.ts'
import { PurseReader } from './purse.ts'
import { tradersOf } from './traders.ts'

type Asked = Facts['accounts']

export class Accounts implements Asked {
  private readonly purses: PurseReader

  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {
    this.purses = new PurseReader(world, moment)
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
    return addresses.map((address) => ({
      address: address.toLowerCase(),
      state: this.perp(address, dex),
    }))
  }

  ledger(address: string, limit: number): LedgerUpdate[] {
    const trader = tradersOf(this.world).find(address)
    if (!trader) return []
    const rows = newestEntries(this.world).values(trader.id, this.moment.atMs, limit)
    return (rows as LedgerValues[]).map(ledgerUpdate)
  }

  private account(address: string, dex: string): Account {
    return accountOf(this.purses.read(address, dex) ?? { cash: 0, holdings: [] })
  }

  private state<P>(account: Account, positions: P[]) {
    return {
      ...summariesOf(account),
      assetPositions: positions.map((position) => ({ type: 'oneWay' as const, position })),
      time: this.moment.atMs,
    }
  }
}

/** What `ledgerUpdate` takes, in this order. */
export const LEDGER_COLUMNS = 'timeMs, hash, delta'
export type LedgerValues = [timeMs: number, hash: string, delta: string]

/** A row of the ledger as the venue writes it. */
export function ledgerUpdate([time, hash, delta]: LedgerValues): LedgerUpdate {
  return { time, hash, delta: JSON.parse(delta) }
}

const newestEntries = perWorld(({ db }) =>
  db.prepare(
    `select ${LEDGER_COLUMNS} from ledger where trader = ? and timeMs <= ? and echo = 0
     order by timeMs desc, id desc limit ?`,
  ),
)
