import type { InstrumentProfile } from '../../market/synth/instrument-profile.ts'
import type { Instrument } from '../tape-event.ts'

/** An instrument of the synthesised market as a tape lists it, and how it behaves. */
export interface ListedProfile extends Instrument, InstrumentProfile {}

const NO_DERIVATIVES = { interestUsd: 0, premium: 0, liquidations: 0 }

/** The instruments of the synthesised market, the busiest first. */
export const INSTRUMENT_PROFILES: readonly ListedProfile[] = [
  {
    ...listing('perp', 'BTC', 5, 40),
    ...priceMoves(96_412, 1, 0.3),
    ...makerQuotes(1, 1, 85_000, 240),
    ...deepBook(685, 0.08),
    ...takerOrders(1.75, 2500),
    ...derivatives(2.9e9, -0.00021, 5),
  },
  {
    ...listing('perp', 'ETH', 4, 25),
    ...priceMoves(3_318.4, 1.25, 0.55),
    ...makerQuotes(1, 1, 60_000, 330),
    ...deepBook(685, 0.08),
    ...takerOrders(1.15, 2300),
    ...derivatives(1.4e9, -0.00025, 4),
  },
  {
    ...listing('perp', 'SOL', 2, 20),
    ...priceMoves(143.62, 1.4, 0.8),
    ...makerQuotes(1, 1, 55_000, 500),
    ...deepBook(675, 0.1),
    ...takerOrders(0.8, 2000),
    ...derivatives(6.1e8, -0.0003, 3),
  },
  {
    ...listing('perp', 'HYPE', 2, 10),
    ...priceMoves(25.214, 1.2, 1.3),
    ...makerQuotes(2, 1.3, 32_000, 700),
    ...deepBook(400, 0.08),
    ...takerOrders(0.7, 2800),
    ...derivatives(5.2e8, 0.00004, 2),
  },
  {
    ...listing('perp', 'XRP', 0, 20),
    ...priceMoves(2.0836, 1.2, 0.9),
    ...makerQuotes(1, 1.1, 36_000, 1000),
    ...deepBook(300, 0.08),
    ...takerOrders(0.4, 1700),
    ...derivatives(1.4e8, -0.00031, 1),
  },
  {
    ...listing('perp', 'DOGE', 0, 10),
    ...priceMoves(0.14027, 1.5, 0.9),
    ...makerQuotes(1, 1.1, 26_000, 1200),
    ...deepBook(260, 0.08),
    ...takerOrders(0.3, 1700),
    ...derivatives(7.6e7, -0.00034, 1),
  },
  {
    ...listing('perp', 'LINK', 1, 10),
    ...priceMoves(13.742, 1.4, 1),
    ...makerQuotes(2, 1.4, 20_000, 1500),
    ...deepBook(180, 0.08),
    ...takerOrders(0.22, 1800),
    ...derivatives(3.3e7, -0.00044, 1),
  },
  {
    ...listing('perp', 'kPEPE', 0, 10),
    ...priceMoves(0.00593, 1.7, 1.5),
    ...makerQuotes(1, 1.1, 20_000, 1400),
    ...deepBook(160, 0.08),
    ...takerOrders(0.25, 1500),
    ...derivatives(3.4e7, -0.00071, 1),
  },
  {
    ...listing('perp', 'xyz:TSLA', 3, 10),
    dex: 'xyz',
    base: 'TSLA',
    ...priceMoves(438.64, 0.4, 0.6),
    ...makerQuotes(4, 2.5, 15_000, 1500),
    ...deepBook(160, 0.06),
    ...takerOrders(0.24, 1800),
    ...derivatives(3.8e7, 0.00062, 0),
    trading: 'stock',
  },
  {
    ...listing('spot', 'PURR/USDC', 0, 1),
    base: 'PURR',
    ...priceMoves(0.092135, 0.9, 1.4),
    ...makerQuotes(28, 9, 900, 1900),
    ...deepBook(80, 0.08),
    ...takerOrders(0.1, 250),
    ...NO_DERIVATIVES,
  },
  {
    ...listing('spot', '@107', 2, 1),
    base: 'HYPE',
    follows: 'HYPE',
    ...priceMoves(25.221, 0, 0),
    ...makerQuotes(3, 2, 10_000, 1300),
    ...deepBook(120, 0.06),
    ...takerOrders(0.3, 800),
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

function deepBook(levels: number, extent: number) {
  return { levels, extent }
}

function takerOrders(ordersPerS: number, orderUsd: number) {
  return { ordersPerS, orderUsd }
}

function derivatives(interestUsd: number, premium: number, liquidations: number) {
  return { interestUsd, premium, liquidations }
}
