/** All identities, and how they are checked. */
import type { Slices } from '../clock/turns.ts'
import type { Facts } from './facts.ts'
import { accountOfStatistics, webDataOfAccount } from './identities/account-copies.ts'
import {
  accountOfStates,
  balancesOfSpot,
  drawdownOfAccount,
  endsOfCurves,
  flowOfLedger,
  portfolioOfVenue,
  sharedPoints,
  spotOfAccount,
  wealthOfAccount,
} from './identities/account-curves.ts'
import {
  feesOfFills,
  leverageOfPositions,
  ratesOfVolume,
  volumeOfDays,
} from './identities/account-fees.ts'
import {
  heldBalances,
  holdOfOrders,
  netValue,
  stakeOfValidators,
} from './identities/account-modes.ts'
import {
  cashOfAccount,
  fundingOfPositions,
  valueOfPortfolio,
  volumeOfFills,
  volumesOfPortfolio,
} from './identities/account-money.ts'
import {
  fillsOfEndpoints,
  fillsOfOrders,
  fillsOfTypes,
  openOrdersOfEndpoints,
  slicesOfTwaps,
  termsOfTwaps,
} from './identities/account-orders.ts'
import {
  crossAccounts,
  executionsOfPositions,
  fundingSinceOpen,
  gainsOfPositions,
  historiesOfPositions,
  marginsOfPositions,
  marksOfPositions,
  returnsOfPositions,
  statesOfEndpoints,
} from './identities/account-positions.ts'
import {
  bestOfTrades,
  endsOfPositions,
  pagesOfTrades,
  performanceOfTrades,
  pricesOfTrades,
  statisticsOfTrades,
  statOfTrades,
  tradesOfFills,
} from './identities/account-results.ts'
import {
  chainOfPositions,
  fillsInCandles,
  liquidationsInLedger,
  ordersOutsideBook,
} from './identities/account-trades.ts'
import { marginSums, openAccounts, rawDollars } from './identities/account-values.ts'
import {
  bestPrices,
  candlesOfEndpoints,
  capsOfCoins,
  changeOfDay,
  changeOfWeek,
  coinTurnover,
  currenciesOfCoins,
  hoursOfMinutes,
  lastPrices,
  middleOfContext,
  middlePrices,
  priceInNavigation,
  priceOfDayBefore,
  pricesOfCoins,
  takerDelta,
  tradesInCandles,
  turnoverOfDay,
  valuesOfTrades,
} from './identities/coin-market.ts'
import {
  bookSummary,
  depthOfPair,
  distancesOfOrders,
  groupedDepth,
  impactsOfTwaps,
  largestOrders,
  orderedBook,
  ordersAroundBook,
  ordersOfBook,
  sidesOfOrders,
  statsOfOrders,
  wallOfTwaps,
} from './identities/coin-orders.ts'
import {
  estimatedMap,
  fillsOfLiquidations,
  fundingRates,
  interestInContext,
  interestInSummary,
  interestOfPairs,
  interestOfWhales,
  liquidatedPositions,
  liquidationHours,
  liquidationMinutes,
  liquidationsByCoin,
  liquidationsOfMarkets,
  partsOfInterest,
  presentInterest,
  sidesOfInterest,
  statesOfWhales,
} from './identities/coin-positions.ts'
import { factsAnswerer } from './identities/facts-answers.ts'
import {
  type Comparison,
  holds,
  type Identity,
  type InfoRequests,
  type Question,
} from './identities/identity.ts'
import {
  pricesOfExecutions,
  sizesOfFunding,
  snapshotsOfCompleted,
  snapshotsOfOpen,
} from './identities/position-lives.ts'

/** Of one address each. */
export const ADDRESS_IDENTITIES: readonly Identity[] = [
  cashOfAccount,
  feesOfFills,
  ratesOfVolume,
  volumeOfDays,
  leverageOfPositions,
  netValue,
  heldBalances,
  holdOfOrders,
  stakeOfValidators,
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
  gainsOfPositions,
  returnsOfPositions,
  marginsOfPositions,
  crossAccounts,
  marksOfPositions,
  statesOfEndpoints,
  historiesOfPositions,
  executionsOfPositions,
  fundingSinceOpen,
  tradesOfFills,
  statisticsOfTrades,
  statOfTrades,
  performanceOfTrades,
  bestOfTrades,
  pagesOfTrades,
  endsOfPositions,
  accountOfStates,
  spotOfAccount,
  balancesOfSpot,
  endsOfCurves,
  sharedPoints,
  portfolioOfVenue,
  wealthOfAccount,
  flowOfLedger,
  drawdownOfAccount,
  fillsOfEndpoints,
  fillsOfOrders,
  openOrdersOfEndpoints,
  slicesOfTwaps,
  fillsOfTypes,
  termsOfTwaps,
  pricesOfTrades,
  webDataOfAccount,
  accountOfStatistics,
  snapshotsOfOpen,
  snapshotsOfCompleted,
  pricesOfExecutions,
  sizesOfFunding,
]

/** Of one coin each. */
export const COIN_IDENTITIES: readonly Identity[] = [
  hoursOfMinutes,
  candlesOfEndpoints,
  lastPrices,
  tradesInCandles,
  valuesOfTrades,
  turnoverOfDay,
  priceOfDayBefore,
  takerDelta,
  bestPrices,
  middlePrices,
  pricesOfCoins,
  capsOfCoins,
  currenciesOfCoins,
  coinTurnover,
  sidesOfInterest,
  presentInterest,
  interestInSummary,
  interestInContext,
  interestOfPairs,
  fundingRates,
  interestOfWhales,
  liquidationsByCoin,
  liquidatedPositions,
  fillsOfLiquidations,
  liquidationMinutes,
  estimatedMap,
  liquidationsOfMarkets,
  depthOfPair,
  groupedDepth,
  bookSummary,
  orderedBook,
  statsOfOrders,
  largestOrders,
  ordersOfBook,
  ordersAroundBook,
  wallOfTwaps,
  partsOfInterest,
  statesOfWhales,
  liquidationHours,
  sidesOfOrders,
  distancesOfOrders,
  changeOfDay,
  changeOfWeek,
  middleOfContext,
  impactsOfTwaps,
  priceInNavigation,
]

/** A written comparison: both sides and their difference. */
export interface Finding {
  of: string
  left: string
  relation: Comparison['relation']
  right: string
  difference: string
  /** Difference that is allowed, as a side was rounded when it was written; "0" for none. */
  within: string
  holds: boolean
  records: unknown
}

/** The result of an identity. */
export interface Reconciled {
  identity: Identity
  findings: Finding[]
  /** The questions that it put to the service, each once. */
  questions: Question[]
}

/**
 * Checks an identity for an address or a coin: yields each question, and takes the data of its
 * answer; undefined where it may be paused.
 */
export function* reconciled(identity: Identity, subject: string): InfoRequests<Finding[]> {
  const comparisons = yield* identity.compare(subject)
  return comparisons.map((one) => ({
    of: one.of,
    left: one.left.toString(),
    relation: one.relation,
    right: one.right.toString(),
    difference: one.left.minus(one.right).toString(),
    within: one.within?.toString() ?? '0',
    holds: holds(one),
    records: one.records,
  }))
}

/**
 * Checks identities for an address or a coin, all by the answers of one instant.
 *
 * @param onKept called with the size of each answer that is kept until the end, bytes; it may throw
 */
export function* reconciledBy(
  facts: Facts,
  identities: readonly Identity[],
  subject: string,
  onKept?: (bytes: number) => void,
): Slices<Reconciled[]> {
  const answer = factsAnswerer(facts, onKept)
  const all: Reconciled[] = []
  for (const identity of identities) {
    const asking = reconciled(identity, subject)
    const questions = new Map<string, Question>()
    let step = asking.next()
    while (!step.done) {
      yield
      if (step.value) questions.set(JSON.stringify(step.value), step.value)
      step = asking.next(step.value && (yield* answer(step.value)))
    }
    all.push({ identity, findings: step.value, questions: [...questions.values()] })
  }
  return all
}
