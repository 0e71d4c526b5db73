import { power } from '../../decimal/scaled.ts'
import type { Instrument } from '../event.ts'
import { ladder } from './ladder.ts'

/** What the synthesised market knows about one instrument. */
export interface Profile extends Instrument {
  /** Price of the first moment, in dollars. */
  startPx: number
  /** How far it moves when the whole market moves by one. */
  beta: number
  /** Volatility of its own, in basis points over one second. */
  ownBp: number
  /** One tick at the first price, in basis points. */
  tickBp: number
  /** Spread in a normal market, in ticks. */
  spreadTicks: number
  /** Mean distance between neighbouring levels, in ticks. */
  gapTicks: number
  /** Typical size of a level near the touch, in dollars. */
  levelUsd: number
  /** Taker orders in a second of a normal market. */
  ordersPerS: number
  /** Median size of a taker order, in dollars. */
  orderUsd: number
  /** Mean time between two updates of the book. */
  refreshMs: number
  /** Open interest of the first moment in dollars; 0 for spot. */
  interestUsd: number
  /** How far the perpetual stands above its oracle, as a part of one. */
  premium: number
  /** Forced closings in a cascade. */
  liquidations: number
  /** Another instrument on the same asset whose price this one tracks. */
  follows?: string
}

type Row = [
  coin: string,
  szDecimals: number,
  maxLeverage: number,
  startPx: number,
  beta: number,
  ownBp: number,
  spreadTicks: number,
  gapTicks: number,
  levelUsd: number,
  ordersPerS: number,
  orderUsd: number,
  refreshMs: number,
  interestUsd: number,
  premium: number,
  liquidations: number,
]

const ROWS: Row[] = [
  ['BTC', 5, 40, 96_412, 1, 0.3, 1, 1.4, 42_000, 0.8, 1800, 500, 2.9e9, -0.00021, 5],
  ['ETH', 4, 25, 3_318.4, 1.25, 0.55, 1, 1.25, 33_000, 0.8, 1400, 500, 1.9e9, -0.00025, 4],
  ['SOL', 2, 20, 143.62, 1.4, 0.8, 1, 1.15, 22_000, 0.58, 900, 1000, 6.1e8, -0.0003, 3],
  ['HYPE', 2, 10, 25.214, 1.2, 1.3, 2, 1.5, 14_000, 0.61, 800, 1000, 8.4e8, 0.00004, 2],
  ['XRP', 0, 20, 2.0836, 1.2, 0.9, 1, 1.3, 12_000, 0.32, 500, 1300, 1.4e8, -0.00031, 1],
  ['DOGE', 0, 10, 0.14027, 1.5, 0.9, 1, 1.2, 8_000, 0.26, 450, 1400, 7.6e7, -0.00034, 1],
  ['LINK', 1, 10, 13.742, 1.4, 1, 2, 1.6, 4_500, 0.17, 350, 1600, 3.3e7, -0.00044, 1],
  ['kPEPE', 0, 10, 0.00593, 1.7, 1.5, 1, 1.1, 7_000, 0.23, 350, 1500, 4.1e7, -0.00071, 1],
  ['xyz:TSLA', 3, 10, 438.64, 0.4, 0.6, 4, 3, 6_000, 0.2, 600, 1600, 3.8e7, 0.00062, 0],
  ['PURR/USDC', 0, 1, 0.092135, 0.9, 1.4, 28, 9, 900, 0.1, 120, 1900, 0, 0, 0],
  ['@107', 2, 1, 25.221, 0, 0, 3, 2, 6_000, 0.32, 300, 1300, 0, 0, 0],
]

/** Names that the coin alone does not tell. */
const NAMED: Record<string, Partial<Profile>> = {
  kPEPE: { base: 'kPEPE' },
  'xyz:TSLA': { dex: 'xyz', base: 'TSLA' },
  'PURR/USDC': { kind: 'spot', base: 'PURR' },
  '@107': { kind: 'spot', base: 'HYPE', follows: 'HYPE' },
}

/** The instruments of the synthesised market, the busiest first. */
export const ROSTER: readonly Profile[] = ROWS.map((row) => {
  const [coin, szDecimals, maxLeverage, startPx, beta, ownBp, spreadTicks, gapTicks] = row
  const [levelUsd, ordersPerS, orderUsd, refreshMs, interestUsd, premium, liquidations] = row.slice(
    8,
  ) as [number, number, number, number, number, number, number]
  const rungs = ladder(6 - szDecimals)
  const units = Math.round(startPx * power(6 - szDecimals))
  const tickBp = (rungs.unitsOf(rungs.rungOf(units) + 1) / units - 1) * 10_000
  return {
    ...{ tickBp, coin, kind: 'perp', dex: '', base: coin, quote: 'USDC', szDecimals, maxLeverage },
    // The venue allows spot two decimals more; six in all keep a notional exact in micro-dollars.
    ...{ pxDecimals: 6 - szDecimals, startPx, beta, ownBp, spreadTicks, gapTicks, levelUsd },
    ...{ ordersPerS, orderUsd, refreshMs, interestUsd, premium, liquidations },
    ...NAMED[coin],
  }
})
