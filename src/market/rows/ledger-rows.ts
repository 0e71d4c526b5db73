/** Rows of the ledger table. */
import type { LedgerUpdate } from '../../contract/records/ledger.ts'
import { ledger } from '../schema/schema.ts'
import { columns, type RowOf } from './columns.ts'

/** What is written of an entry of the ledger. */
export const LEDGER_ENTRIES = columns({
  timeMs: ledger.timeMs,
  hash: ledger.hash,
  delta: ledger.delta,
})

/** A row of the ledger as the venue writes it. */
export function ledgerUpdate({ timeMs, hash, delta }: RowOf<typeof LEDGER_ENTRIES>): LedgerUpdate {
  return { time: timeMs, hash, delta: JSON.parse(delta) }
}
