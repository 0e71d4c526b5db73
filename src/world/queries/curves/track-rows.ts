/** The rows that a track is made of: fills and ledger of a trader, as one list. */
import { parse } from '../../../decimal/scaled.ts'
import { MONEY_DECIMALS } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'

/** What is held: signed size and cost; funding paid so far, up to an index. */
export interface Held {
  sz: number
  cost: number
  funding: number
  fundingIndex: number
}

/** A change of what a trader owns. */
export interface Change {
  timeMs: number
  id: number
  account: number
  /** Cash of the account after. */
  cash: number
  instrument: number | null
  /** What is held of the instrument after; null when nothing was moved. */
  held: Held | null
  /** What came from outside of the account, micro-dollars, tokens at their value. */
  came: number
}

/** In the order in which they happened. */
export function changesOf(world: World, trader: number): Change[] {
  const { fills, ledger } = statements(world)
  const changes = (fills.values(trader) as FillValues[]).map(ofFill)
  const entries = (ledger.values(trader) as LedgerValues[]).map(ofEntry)
  // Both come from one counter, so this is the order of the story.
  return changes.concat(entries).sort((a, b) => a.timeMs - b.timeMs || a.id - b.id)
}

type FillValues = [
  timeMs: number,
  id: number,
  account: number,
  cash: number,
  instrument: number,
  sz: number,
  cost: number,
  funding: number,
  fundingIndex: number,
]

type LedgerValues = [
  timeMs: number,
  id: number,
  account: number,
  cash: number,
  usd: number,
  instrument: number | null,
  sz: number | null,
  balance: number | null,
  cost: number | null,
  delta: string | null,
]

function ofFill(row: FillValues): Change {
  const [timeMs, id, account, cash, instrument, sz, cost, funding, fundingIndex] = row
  return {
    timeMs,
    id,
    account,
    cash,
    instrument,
    held: { sz, cost, funding, fundingIndex },
    came: 0,
  }
}

function ofEntry(row: LedgerValues): Change {
  const [timeMs, id, account, cash, usd, instrument, sz, balance, cost, delta] = row
  const isToken = instrument !== null && balance !== null
  const tokens = isToken && delta !== null ? Math.sign(sz ?? 0) * tokensWorth(delta) : 0
  const held = isToken ? { sz: balance, cost: cost ?? 0, funding: 0, fundingIndex: 0 } : null
  return { timeMs, id, account, cash, instrument, held, came: usd + tokens }
}

/** Value of tokens that came by a ledger row, micro-dollars, from the venue's words. */
function tokensWorth(delta: string): number {
  const { usdcValue } = JSON.parse(delta) as { usdcValue?: string }
  return usdcValue === undefined ? 0 : parse(usdcValue, MONEY_DECIMALS)
}

const statements = perWorld(({ db }) => ({
  fills: db.prepare(
    `select timeMs, id, account, cashAfter, instrument, positionAfter, costAfter, fundingAfter,
     fundingIndex from fill where trader = ?`,
  ),
  ledger: db.prepare(
    `select timeMs, id, account, cashAfter, usd, instrument, sz, positionAfter, costAfter,
     iif(instrument is null, null, delta) from ledger where trader = ?`,
  ),
}))
