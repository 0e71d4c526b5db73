/** The rows that an account history is made of: fills and ledger of a trader, as one list. */

import { sql } from 'drizzle-orm'
import type { TapeMs } from '../../../../clock/instant.ts'
import {
  add,
  type FundingIndex,
  type Sz,
  sign,
  times,
  type Usd,
  usd,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { parse } from '../../../../decimal/scaled.ts'
import { perWorld } from '../../../per-world.ts'
import { columns, type RowOf } from '../../../rows/columns.ts'
import { fill, ledger, MONEY_DECIMALS } from '../../../schema.ts'
import type { World } from '../../../world.ts'

/** What is held: signed size and cost; funding paid so far, up to an index. */
export interface HeldPosition {
  sz: Sz
  cost: Usd
  funding: Usd
  fundingIndex: FundingIndex
}

/** A change of what a trader owns. */
export interface AccountChange {
  timeMs: TapeMs
  id: number
  account: number
  /** Cash of the account after. */
  cash: Usd
  instrument: number | null
  /** What is held of the instrument after; null when nothing was moved. */
  held: HeldPosition | null
  /** What came from outside of the account, tokens at their value. */
  netDeposit: Usd
}

/** In the order in which they happened. */
export function accountChanges(world: World, trader: number): AccountChange[] {
  const { fills, entries } = statements(world)
  const changes = fills.all(trader).map(fillChange)
  const moves = entries.all(trader).map(ledgerChange)
  // Both come from one counter, so this is the order in which the world was cast.
  return changes.concat(moves).sort((a, b) => a.timeMs - b.timeMs || a.id - b.id)
}

const FILLS = columns({
  timeMs: fill.timeMs,
  id: fill.id,
  account: fill.account,
  cash: fill.cashAfter,
  instrument: fill.instrument,
  sz: fill.positionAfter,
  cost: fill.costAfter,
  funding: fill.fundingAfter,
  fundingIndex: fill.fundingIndex,
})
const ENTRIES = columns({
  timeMs: ledger.timeMs,
  id: ledger.id,
  account: ledger.account,
  cash: ledger.cashAfter,
  usd: ledger.usd,
  instrument: ledger.instrument,
  sz: ledger.sz,
  balance: ledger.positionAfter,
  cost: ledger.costAfter,
  /** The venue's JSON, where tokens were moved. */
  delta: sql<string | null>`iif(${ledger.instrument} is null, null, ${ledger.delta})`,
})

function fillChange(row: RowOf<typeof FILLS>): AccountChange {
  const { timeMs, id, account, cash, instrument, sz, cost, funding, fundingIndex } = row
  const held = { sz, cost, funding, fundingIndex }
  return { timeMs, id, account, cash, instrument, held, netDeposit: ZERO }
}

function ledgerChange(row: RowOf<typeof ENTRIES>): AccountChange {
  const { timeMs, id, account, cash, instrument, sz, balance, cost, delta } = row
  const isToken = instrument !== null && balance !== null
  const tokens: Usd = isToken && delta !== null ? times(tokenValue(delta), sign(sz ?? ZERO)) : ZERO
  const held = isToken
    ? { sz: balance, cost: cost ?? ZERO, funding: ZERO, fundingIndex: ZERO }
    : null
  return { timeMs, id, account, cash, instrument, held, netDeposit: add(row.usd, tokens) }
}

/** Value of tokens that came by a ledger row, from the venue's JSON. */
function tokenValue(delta: string): Usd {
  const { usdcValue } = JSON.parse(delta) as { usdcValue?: string }
  return usdcValue === undefined ? ZERO : usd(parse(usdcValue, MONEY_DECIMALS))
}

const statements = perWorld(({ db }) => ({
  fills: FILLS.prepare<[trader: number]>(db, 'from fill where trader = ?'),
  entries: ENTRIES.prepare<[trader: number]>(db, 'from ledger where trader = ?'),
}))
