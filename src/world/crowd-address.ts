/** Addresses of the crowd: accounts that trade and that nobody looks up. */
import { hashTail, transactionHash } from './transaction-hash.ts'

/** So many accounts; few of them trade most. */
const ACCOUNTS = 20_000
const SKEW = 4

/** The address of the crowd's account that placed an order, by the order's number: 0x + 40 hex. */
export function crowdAddress(oid: number): string {
  // Numbers of orders are far greater, so no account has the digits of a transaction.
  return transactionHash(crowdAccount(oid) + 1).slice(0, 42)
}

/** Which account of the crowd placed an order: from 0, each with an address of its own. */
export function crowdAccount(oid: number): number {
  return Math.floor(ACCOUNTS * (hashTail(oid) / 2 ** 32) ** SKEW)
}
