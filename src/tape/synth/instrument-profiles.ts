import type { Instrument } from '../tape-event.ts'

/** Parameters of one instrument of the synthesised market. */
export interface InstrumentProfile extends Instrument {
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
  /** How far the perpetual is above its oracle, as a part of one. */
  premium: number
  /** Liquidations in a cascade. */
  liquidations: number
  /** Another instrument on the same asset whose price this one tracks. */
  follows?: string
}

const NO_DERIVATIVES = { interestUsd: 0, premium: 0, liquidations: 0 }

/** The instruments of the synthesised market, the busiest first. */
export const INSTRUMENT_PROFILES: readonly InstrumentProfile[] = [
  {
    ...listing('perp', 'BTC', 5, 40),
    ...priceMoves(96_412, 1, 0.3),
    ...makerQuotes(1, 1.4, 42_000, 500),
    ...takerOrders(0.8, 1800),
    ...derivatives(2.9e9, -0.00021, 5),
  },
  {
    ...listing('perp', 'ETH', 4, 25),
    ...priceMoves(3_318.4, 1.25, 0.55),
    ...makerQuotes(1, 1.25, 33_000, 500),
    ...takerOrders(0.8, 1400),
    ...derivatives(1.9e9, -0.00025, 4),
  },
  {
    ...listing('perp', 'SOL', 2, 20),
    ...priceMoves(143.62, 1.4, 0.8),
    ...makerQuotes(1, 1.15, 22_000, 1000),
    ...takerOrders(0.58, 900),
    ...derivatives(6.1e8, -0.0003, 3),
  },
  {
    ...listing('perp', 'HYPE', 2, 10),
    ...priceMoves(25.214, 1.2, 1.3),
    ...makerQuotes(2, 1.5, 14_000, 1000),
    ...takerOrders(0.61, 800),
    ...derivatives(8.4e8, 0.00004, 2),
  },
  {
    ...listing('perp', 'XRP', 0, 20),
    ...priceMoves(2.0836, 1.2, 0.9),
    ...makerQuotes(1, 1.3, 12_000, 1300),
    ...takerOrders(0.32, 500),
    ...derivatives(1.4e8, -0.00031, 1),
  },
  {
    ...listing('perp', 'DOGE', 0, 10),
    ...priceMoves(0.14027, 1.5, 0.9),
    ...makerQuotes(1, 1.2, 8_000, 1400),
    ...takerOrders(0.26, 450),
    ...derivatives(7.6e7, -0.00034, 1),
  },
  {
    ...listing('perp', 'LINK', 1, 10),
    ...priceMoves(13.742, 1.4, 1),
    ...makerQuotes(2, 1.6, 4_500, 1600),
    ...takerOrders(0.17, 350),
    ...derivatives(3.3e7, -0.00044, 1),
  },
  {
    ...listing('perp', 'kPEPE', 0, 10),
    ...priceMoves(0.00593, 1.7, 1.5),
    ...makerQuotes(1, 1.1, 7_000, 1500),
    ...takerOrders(0.23, 350),
    ...derivatives(4.1e7, -0.00071, 1),
  },
  {
    ...listing('perp', 'xyz:TSLA', 3, 10),
    dex: 'xyz',
    base: 'TSLA',
    ...priceMoves(438.64, 0.4, 0.6),
    ...makerQuotes(4, 3, 6_000, 1600),
    ...takerOrders(0.2, 600),
    ...derivatives(3.8e7, 0.00062, 0),
  },
  {
    ...listing('spot', 'PURR/USDC', 0, 1),
    base: 'PURR',
    ...priceMoves(0.092135, 0.9, 1.4),
    ...makerQuotes(28, 9, 900, 1900),
    ...takerOrders(0.1, 120),
    ...NO_DERIVATIVES,
  },
  {
    ...listing('spot', '@107', 2, 1),
    base: 'HYPE',
    follows: 'HYPE',
    ...priceMoves(25.221, 0, 0),
    ...makerQuotes(3, 2, 6_000, 1300),
    ...takerOrders(0.32, 300),
    ...NO_DERIVATIVES,
  },
]

function listing(
  kind: InstrumentProfile['kind'],
  coin: string,
  szDecimals: number,
  maxLeverage: number,
) {
  // The venue allows spot two decimals more; six in all keep a notional exact in micro-dollars.
  const pxDecimals = 6 - szDecimals
  return { coin, kind, dex: '', base: coin, quote: 'USDC', pxDecimals, szDecimals, maxLeverage }
}

function priceMoves(startPx: number, beta: number, ownBp: number) {
  return { startPx, beta, ownBp }
}

function makerQuotes(spreadTicks: number, gapTicks: number, levelUsd: number, refreshMs: number) {
  return { spreadTicks, gapTicks, levelUsd, refreshMs }
}

function takerOrders(ordersPerS: number, orderUsd: number) {
  return { ordersPerS, orderUsd }
}

function derivatives(interestUsd: number, premium: number, liquidations: number) {
  return { interestUsd, premium, liquidations }
}
