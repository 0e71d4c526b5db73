/** Addresses of the crowd: accounts that trade and that nobody looks up. */
import { transactionHash } from './transaction-hash.ts'

/** So many accounts; few of them trade most. */
const ACCOUNTS = 20_000
const SKEW = 4

/** The account of the crowd that placed an order, by the order's number: 0x + 40 hex. */
export function crowdAddress(oid: number): string {
  const draw = Number.parseInt(transactionHash(oid).slice(-8), 16) / 2 ** 32
  const place = Math.floor(ACCOUNTS * draw ** SKEW)
  // Numbers of orders are far greater, so no account has the digits of a transaction.
  return transactionHash(place + 1).slice(0, 42)
}
