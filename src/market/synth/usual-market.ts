import type { RecordedInstrument } from './coin-record.ts'

/** What an instrument is taken to be like where nothing was seen of it. */
export interface UsualMarket {
  /** Part of the volatility that it has from the market as a whole: its correlation. */
  shared: number
  /** Basis points over one second. */
  volatilityBp: number
  /** Turnover, dollars a second, and median order. */
  usdPerS: number
  orderUsd: number
  levelUsd: number
  spreadBp: number
  refreshMs: number
  /** How far its premium strays, as a part of one. */
  premiumSpread: number
  /** Open interest in days of turnover. */
  interestDays: number
}

/** Turnover of a second at which an instrument is one of the largest, dollars. */
const LARGEST_USD_PER_S = 15_000
const SMALLEST_USD_PER_S = 5
/** Something is traded now and then, whatever it is. */
const LEAST_USD_PER_S = 0.2

/** What is usual for an instrument of this kind that turns over so much. */
export function usualMarket(
  { coin, kind, trading }: RecordedInstrument,
  usdPerS: number,
): UsualMarket {
  const turnover = Math.min(LARGEST_USD_PER_S, Math.max(SMALLEST_USD_PER_S, usdPerS))
  // From the largest to the smallest, everything goes by powers of the turnover.
  const rank = Math.log(LARGEST_USD_PER_S / turnover) / Math.log(10)
  const orderUsd = 2600 * 10 ** (-0.18 * rank)
  const isStock = trading === 'stock'
  return {
    shared: isStock ? 0.34 : (SHARED[coin] ?? Math.max(0.3, 0.75 - 0.13 * rank)),
    volatilityBp: isStock ? 0.6 : (VOLATILITY_BP[coin] ?? Math.min(1.7, 1 + 0.22 * rank)),
    usdPerS: Math.max(LEAST_USD_PER_S, usdPerS),
    orderUsd,
    levelUsd: (kind === 'perp' ? 70_000 : 25_000) * 10 ** (-0.62 * rank),
    spreadBp: 0.15 * 10 ** (0.55 * rank) * (kind === 'perp' ? 1 : 2),
    refreshMs: Math.min(2500, 260 * 10 ** (0.35 * rank)),
    premiumSpread: Math.min(0.0008, 0.0002 * 10 ** (0.2 * rank)),
    interestDays: 1 + 0.2 * rank,
  }
}

/** The two that lead the market. */
const SHARED: Record<string, number> = { BTC: 0.88, ETH: 0.79 }
const VOLATILITY_BP: Record<string, number> = { BTC: 0.63, ETH: 0.88 }
