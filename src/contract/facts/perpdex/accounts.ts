/** Queries about perpetual accounts. */
import type { AddressState, NativeState, PerpState } from '../../records/account-state.ts'
import type { LedgerUpdate } from '../../records/ledger.ts'

export interface AccountsFacts {
  /** The same object with zeros for an unknown address. */
  native(address: string, dex: string): NativeState
  perp(address: string, dex: string): PerpState
  states(addresses: string[], dex: string): AddressState[]
  /** Newest first, at most `limit`. */
  ledger(address: string, limit: number): LedgerUpdate[]
}
