/** All identities, and how they are checked. */
import {
  cashOfAccount,
  feesOfFills,
  fundingOfPositions,
  valueOfPortfolio,
  volumeOfFills,
  volumesOfPortfolio,
} from './identities/account-money.ts'
import {
  chainOfPositions,
  fillsInCandles,
  liquidationsInLedger,
  ordersOutsideBook,
} from './identities/account-trades.ts'
import { marginSums, openAccounts, rawDollars } from './identities/account-values.ts'
import { type Asking, type Comparison, holds, type Identity } from './identities/identity.ts'

/** Of one address each. */
export const IDENTITIES: readonly Identity[] = [
  cashOfAccount,
  feesOfFills,
  fundingOfPositions,
  valueOfPortfolio,
  volumesOfPortfolio,
  volumeOfFills,
  chainOfPositions,
  fillsInCandles,
  liquidationsInLedger,
  ordersOutsideBook,
  rawDollars,
  marginSums,
  openAccounts,
]

/** A comparison as it is written: both sides and what they differ by. */
export interface Finding {
  of: string
  left: string
  relation: Comparison['relation']
  right: string
  difference: string
  holds: boolean
  records: unknown
}

/**
 * Checks an identity for an address: yields each body that is to be asked, and takes its answer;
 * undefined where it may be paused.
 */
export function* reconciled(identity: Identity, address: string): Asking<Finding[]> {
  const comparisons = yield* identity.compare(address.toLowerCase())
  return comparisons.map((one) => ({
    of: one.of,
    left: one.left.toString(),
    relation: one.relation,
    right: one.right.toString(),
    difference: one.left.minus(one.right).toString(),
    holds: holds(one),
    records: one.records,
  }))
}
