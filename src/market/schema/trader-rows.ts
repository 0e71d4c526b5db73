/**
 * What rows of fills and of the ledger say of what a trader owns. The thread that writes worlds
 * packs it, so this file loads no package.
 */
import { parse } from '../../decimal/scaled.ts'

/** Columns of `fill`, in the order of a `FillValues`. */
export const FILL_VALUES = `id, timeMs, account, cashAfter, instrument, positionAfter, costAfter,
  fundingAfter, fundingAtOpen, fundingIndex, leverage, isolated`
/** Columns of `ledger`, in the order of an `EntryValues`. */
export const ENTRY_VALUES = `id, timeMs, account, cashAfter, instrument, positionAfter, costAfter,
  usd, sz, iif(instrument is null, null, delta)`

export type FillValues = readonly number[]
export type EntryValues = readonly (number | string | null)[]

/** What keeps what a trader owns. */
export interface TraderRows {
  cash(account: number, timeMs: number, after: number): void
  /** What came in, or went out when it is negative; micro-dollars. */
  deposit(account: number, timeMs: number, change: number): void
  /**
   * The fact is the leverage, negative where the margin is isolated; a row is timeMs, sz, cost,
   * fundingAfter, fundingAtOpen, fundingIndex.
   */
  holding(instrument: number, fact: number, row: readonly number[]): void
}

/** Both draw their ids from one counter: this is the order in which they came. */
export const isEarlier = ([idA, timeA]: EntryValues, [idB, timeB]: EntryValues) =>
  Number(timeA) < Number(timeB) || (timeA === timeB && Number(idA) < Number(idB))

/** A fill changes the cash of its account, and what is held. */
export function addFill(rows: TraderRows, values: FillValues): void {
  // By their places: to take the list apart is what packing would spend its time on.
  const [timeMs, leverage] = [values[1] as number, values[10] as number]
  rows.cash(values[2] as number, timeMs, values[3] as number)
  // The leverage that a trader sets on an instrument, and its margin mode, never change.
  const fact = values[11] === 1 ? -leverage : leverage
  rows.holding(values[4] as number, fact, [timeMs, ...(values.slice(5, 10) as number[])])
}

/** An entry of the ledger changes the cash, what had come in, and the tokens that it moved. */
export function addEntry(rows: TraderRows, values: EntryValues): void {
  const [, timeMs, account, cash] = values as number[]
  const [instrument, balance, cost, dollars, sz] = values.slice(4) as (number | null)[]
  const delta = values[9] as string | null
  const tokens = delta === null ? 0 : Math.sign(sz ?? 0) * tokenValue(delta)
  const at = timeMs as number
  rows.cash(account as number, at, cash as number)
  const change = (dollars ?? 0) + tokens
  if (change !== 0) rows.deposit(account as number, at, change)
  if (instrument != null && balance != null)
    rows.holding(instrument, 1, [at, balance, cost ?? 0, 0, 0, 0])
}

/** Decimals of money, as everywhere in a world: the schema's own module loads packages. */
const MONEY_DECIMALS = 6

/** Value of tokens that came by a ledger row, from the venue's JSON, micro-dollars. */
function tokenValue(delta: string): number {
  const { usdcValue } = JSON.parse(delta) as { usdcValue?: string }
  return usdcValue === undefined ? 0 : parse(usdcValue, MONEY_DECIMALS)
}
