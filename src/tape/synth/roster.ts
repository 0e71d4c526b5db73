import type { Instrument } from '../event.ts'

/** What the synthesised market knows about one instrument. */
export interface Profile extends Instrument {
  /** Price of the first moment, in dollars. */
  startPx: number
  /** How far it moves when the whole market moves by one. */
  beta: number
  /** Volatility of its own, in basis points over one second. */
  ownBp: number
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

const NONE = { interestUsd: 0, premium: 0, liquidations: 0 }

/** The instruments of the synthesised market, the busiest first. */
export const ROSTER: readonly Profile[] = [
  {
    ...listed('perp', 'BTC', 5, 40),
    ...moves(96_412, 1, 0.3),
    ...quotes(1, 1.4, 42_000, 500),
    ...takes(0.8, 1800),
    ...derived(2.9e9, -0.00021, 5),
  },
  {
    ...listed('perp', 'ETH', 4, 25),
    ...moves(3_318.4, 1.25, 0.55),
    ...quotes(1, 1.25, 33_000, 500),
    ...takes(0.8, 1400),
    ...derived(1.9e9, -0.00025, 4),
  },
  {
    ...listed('perp', 'SOL', 2, 20),
    ...moves(143.62, 1.4, 0.8),
    ...quotes(1, 1.15, 22_000, 1000),
    ...takes(0.58, 900),
    ...derived(6.1e8, -0.0003, 3),
  },
  {
    ...listed('perp', 'HYPE', 2, 10),
    ...moves(25.214, 1.2, 1.3),
    ...quotes(2, 1.5, 14_000, 1000),
    ...takes(0.61, 800),
    ...derived(8.4e8, 0.00004, 2),
  },
  {
    ...listed('perp', 'XRP', 0, 20),
    ...moves(2.0836, 1.2, 0.9),
    ...quotes(1, 1.3, 12_000, 1300),
    ...takes(0.32, 500),
    ...derived(1.4e8, -0.00031, 1),
  },
  {
    ...listed('perp', 'DOGE', 0, 10),
    ...moves(0.14027, 1.5, 0.9),
    ...quotes(1, 1.2, 8_000, 1400),
    ...takes(0.26, 450),
    ...derived(7.6e7, -0.00034, 1),
  },
  {
    ...listed('perp', 'LINK', 1, 10),
    ...moves(13.742, 1.4, 1),
    ...quotes(2, 1.6, 4_500, 1600),
    ...takes(0.17, 350),
    ...derived(3.3e7, -0.00044, 1),
  },
  {
    ...listed('perp', 'kPEPE', 0, 10),
    ...moves(0.00593, 1.7, 1.5),
    ...quotes(1, 1.1, 7_000, 1500),
    ...takes(0.23, 350),
    ...derived(4.1e7, -0.00071, 1),
  },
  {
    ...listed('perp', 'xyz:TSLA', 3, 10),
    dex: 'xyz',
    base: 'TSLA',
    ...moves(438.64, 0.4, 0.6),
    ...quotes(4, 3, 6_000, 1600),
    ...takes(0.2, 600),
    ...derived(3.8e7, 0.00062, 0),
  },
  {
    ...listed('spot', 'PURR/USDC', 0, 1),
    base: 'PURR',
    ...moves(0.092135, 0.9, 1.4),
    ...quotes(28, 9, 900, 1900),
    ...takes(0.1, 120),
    ...NONE,
  },
  {
    ...listed('spot', '@107', 2, 1),
    base: 'HYPE',
    follows: 'HYPE',
    ...moves(25.221, 0, 0),
    ...quotes(3, 2, 6_000, 1300),
    ...takes(0.32, 300),
    ...NONE,
  },
]

function listed(kind: Profile['kind'], coin: string, szDecimals: number, maxLeverage: number) {
  // The venue allows spot two decimals more; six in all keep a notional exact in micro-dollars.
  const pxDecimals = 6 - szDecimals
  return { coin, kind, dex: '', base: coin, quote: 'USDC', pxDecimals, szDecimals, maxLeverage }
}

function moves(startPx: number, beta: number, ownBp: number) {
  return { startPx, beta, ownBp }
}

function quotes(spreadTicks: number, gapTicks: number, levelUsd: number, refreshMs: number) {
  return { spreadTicks, gapTicks, levelUsd, refreshMs }
}

function takes(ordersPerS: number, orderUsd: number) {
  return { ordersPerS, orderUsd }
}

function derived(interestUsd: number, premium: number, liquidations: number) {
  return { interestUsd, premium, liquidations }
}
