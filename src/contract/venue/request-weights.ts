/** What a question weighs against the venue's limit of weight a minute. */
export interface RequestWeight {
  base: number
  /** So many rows of the answer weigh one more; 0 when they weigh nothing. */
  rowsEach: number
}

/** Weight that an address may spend in a minute. */
export const WEIGHT_PER_MINUTE = 1_200

const light: RequestWeight = { base: 2, rowsEach: 0 }
const listed: RequestWeight = { base: 20, rowsEach: 20 }

/** By type; `other` is everything that is not named. */
export const REQUEST_WEIGHTS: Record<string, RequestWeight> & { other: RequestWeight } = {
  other: { base: 20, rowsEach: 0 },
  l2Book: light,
  allMids: light,
  clearinghouseState: light,
  orderStatus: light,
  spotClearinghouseState: light,
  exchangeStatus: light,
  userRole: { base: 60, rowsEach: 0 },
  candleSnapshot: { base: 20, rowsEach: 60 },
  recentTrades: listed,
  historicalOrders: listed,
  userFills: listed,
  userFillsByTime: listed,
  fundingHistory: listed,
  userFunding: listed,
  userNonFundingLedgerUpdates: listed,
  userTwapSliceFills: listed,
}
