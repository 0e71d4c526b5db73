/** Paths at which it is tried how a request is refused. */

/** Paths and what they cannot do without. */
export const NEEDED: Record<string, string> = {
  '/futures/latest-depth': 'dbKey',
  '/futures/full-depth': 'dbKey',
  '/futures/full-depth/grouped': 'dbKey',
  '/hl/fills/top-trades': 'interval',
}

/** Paths and the permission that they ask for. */
export const GUARDED: Record<string, string> = {
  '/hl/tickers': 'HL_TICKERS',
  '/hl/whales/directions': 'HL_WHALES_DIRECTIONS',
  '/hl/orders/active-stats': 'HL_ACTIVE_STATS',
  '/hl/liquidations/stat': 'HL_LIQUIDATIONS_STAT',
  '/hl/open-interest/summary': 'HL_OPEN_INTEREST_SUMMARY',
}
