/**
 * The states of all accounts, for queries over all of them at once. States of a slightly
 * earlier instant are cached and advanced, so that only the rows in between are read.
 */

import type { TapeMs } from '../../clock/instant.ts'
import { type Usd, ZERO } from '../../decimal/quantity.ts'
import { perWorld } from '../per-world.ts'
import { account, fill, ledger } from '../schema.ts'
import type { World } from '../world.ts'
import {
  type AccountRows,
  AccountStateReader,
  accountRowsAt,
  HELD,
  type Held,
} from './account-state.ts'
import { columns } from './columns.ts'
import type { Place } from './funding-charges.ts'

/** Account states of all traders at a moment, each as `AccountStateReader` alone would read it. */
export function allAccountStates(world: World, place: Place): AccountStateReader {
  return new AccountStateReader(world, place, stateCaches(world).at(place.atMs))
}

/** The longest step forward that costs less than reading everything again. */
const ADVANCE_MAX_MS = 120_000
/** Instants that are cached: playheads of sandboxes on one world differ. */
const CACHE_LIMIT = 4

const stateCaches = perWorld((world) => new AccountRowsCache(world))

class AccountRowsCache {
  private readonly cached: AllAccountRows[] = []

  constructor(private readonly world: World) {}

  at(atMs: TapeMs): AccountRows {
    const near = this.cached
      .filter((one) => one.atMs <= atMs && one.atMs >= atMs - ADVANCE_MAX_MS)
      .sort((a, b) => b.atMs - a.atMs)[0]
    const current = near ?? new AllAccountRows(this.world, atMs)
    current.advance(atMs)
    // The one used last comes first.
    this.cached.splice(
      0,
      this.cached.length,
      current,
      ...this.cached.filter((one) => one !== current),
    )
    this.cached.splice(CACHE_LIMIT)
    return current
  }
}

class AllAccountRows implements AccountRows {
  private readonly cashByAccount = new Map<number, Usd>()
  private readonly holdings = new Map<string, Held>()

  constructor(
    private readonly world: World,
    public atMs: TapeMs,
  ) {
    const rows = accountRowsAt(world, atMs)
    const { accounts, pairs } = allAccounts(world)
    for (const { id } of accounts) this.cashByAccount.set(id, rows.cash(id))
    for (const { trader, instrument } of pairs) {
      const held = rows.holding(trader, instrument)
      if (held) this.holdings.set(`${trader}/${instrument}`, held)
    }
  }

  cash(account: number): Usd {
    return this.cashByAccount.get(account) ?? ZERO
  }

  holding(trader: number, instrument: number): Held | null {
    return this.holdings.get(`${trader}/${instrument}`) ?? null
  }

  advance(toMs: TapeMs): void {
    const { fills, ledger } = statements(this.world)
    const changed = fills.all(this.atMs, toMs)
    for (const held of changed) this.holdings.set(`${held.trader}/${held.instrument}`, held)
    const rowsBetween = [...changed, ...ledger.all(this.atMs, toMs)]
    const accounts = new Set(rowsBetween.map(({ account }) => account))
    const rows = accountRowsAt(this.world, toMs)
    for (const account of accounts) this.cashByAccount.set(account, rows.cash(account))
    this.atMs = toMs
  }
}

/** All accounts, and the instruments that each trader ever holds. */
const allAccounts = perWorld(({ db }) => ({
  accounts: columns({ id: account.id }).prepare<[]>(db, 'from account').all(),
  pairs: columns({ trader: fill.trader, instrument: fill.instrument })
    .prepare<[]>(db, 'from fill group by trader, instrument')
    .all(),
}))

const CHANGES = columns({
  trader: fill.trader,
  instrument: fill.instrument,
  account: fill.account,
  ...HELD.names,
})
type Span = [afterMs: TapeMs, toMs: TapeMs]

const statements = perWorld(({ db }) => ({
  fills: CHANGES.prepare<Span>(
    db,
    'from fill where timeMs > ? and timeMs <= ? order by timeMs, id',
  ),
  ledger: columns({ account: ledger.account }).prepare<Span>(
    db,
    'from ledger where timeMs > ? and timeMs <= ? group by account',
  ),
}))
