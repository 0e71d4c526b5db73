import { nearestName } from '../../contract/fields/nearest-name.ts'
import { pow10 } from '../../decimal/quantity.ts'
import { atPrice, type InstrumentProfile } from '../../market/synth/instrument-profile.ts'
import { priceGrid, tickBp } from '../../market/synth/order-matching.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Instrument } from '../tape-event.ts'

/** An instrument of the synthesised market: its tape listing and behaviour. */
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
    bookDepth: 6.5,
    ...derivatives(1.4e9, -0.00025, 4),
  },
  {
    ...listing('perp', 'SOL', 2, 20),
    ...priceMoves(143.62, 1.4, 0.8),
    ...makerQuotes(1, 1, 55_000, 500),
    ...deepBook(675, 0.1),
    ...takerOrders(0.8, 1500),
    ...derivatives(6.1e8, -0.0003, 3),
  },
  {
    ...listing('perp', 'HYPE', 2, 10),
    ...priceMoves(25.214, 1.2, 1.3),
    ...makerQuotes(2, 1.3, 32_000, 700),
    ...deepBook(400, 0.08),
    ...takerOrders(0.65, 1300),
    ...derivatives(5.2e8, 0.00004, 2),
  },
  {
    ...listing('perp', 'XRP', 0, 20),
    ...priceMoves(2.0836, 1.2, 0.9),
    ...makerQuotes(1, 1.1, 36_000, 1000),
    ...deepBook(300, 0.08),
    ...takerOrders(0.4, 1500),
    ...derivatives(1.4e8, -0.00031, 1),
  },
  {
    ...listing('perp', 'DOGE', 0, 10),
    ...priceMoves(0.14027, 1.5, 0.9),
    ...makerQuotes(1, 1.1, 26_000, 1200),
    ...deepBook(260, 0.08),
    ...takerOrders(0.3, 1100),
    ...derivatives(7.6e7, -0.00034, 1),
  },
  {
    ...listing('perp', 'LINK', 1, 10),
    ...priceMoves(13.742, 1.4, 1),
    ...makerQuotes(2, 1.4, 20_000, 1500),
    ...deepBook(180, 0.08),
    ...takerOrders(0.22, 1000),
    ...derivatives(3.3e7, -0.00044, 1),
  },
  {
    ...listing('perp', 'kPEPE', 0, 10),
    ...priceMoves(0.00593, 1.7, 1.5),
    ...makerQuotes(1, 1.1, 20_000, 1400),
    ...deepBook(160, 0.08),
    ...takerOrders(0.25, 700),
    ...derivatives(3.4e7, -0.00071, 1),
  },
  {
    ...listing('perp', 'xyz:TSLA', 3, 10),
    dex: 'xyz',
    base: 'TSLA',
    ...priceMoves(438.64, 0.4, 0.6),
    ...makerQuotes(4, 2.5, 15_000, 1500),
    ...deepBook(160, 0.06),
    ...takerOrders(0.24, 1000),
    ...derivatives(3.8e7, 0.00062, 0),
    trading: 'stock',
  },
  {
    ...listing('spot', 'PURR/USDC', 0, 1),
    base: 'PURR',
    ...priceMoves(0.092135, 0.9, 1.4),
    ...makerQuotes(28, 9, 900, 1900),
    ...deepBook(80, 0.08),
    ...takerOrders(0.1, 90),
    ...NO_DERIVATIVES,
  },
  {
    ...listing('spot', '@107', 2, 1),
    base: 'HYPE',
    follows: 'HYPE',
    ...priceMoves(25.221, 0, 0),
    ...makerQuotes(3, 2, 10_000, 1300),
    ...deepBook(120, 0.06),
    ...takerOrders(0.3, 550),
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

/** Specifics of a perpetual of the second rank. */
type Row = readonly [
  coin: string,
  szDecimals: number,
  maxLeverage: number,
  startPx: number,
  /** Beta, and own volatility. */
  beta: number,
  ownBp: number,
  /** Open interest in millions of dollars, and premium. */
  interest: number,
  premium: number,
]

const ROWS: readonly Row[] = [
  ['SUI', 1, 10, 1.7812, 1.55, 1.2, 62, -0.0004],
  ['BNB', 3, 10, 931.4, 0.9, 0.7, 58, -0.0002],
  ['ADA', 0, 10, 0.3947, 1.35, 1.1, 47, -0.0004],
  ['AVAX', 2, 10, 13.58, 1.4, 1.1, 38, -0.0004],
  ['FARTCOIN', 1, 10, 0.3814, 1.9, 2.1, 36, 0.0003],
  ['AAVE', 2, 10, 171.84, 1.4, 1.2, 34, -0.0003],
  ['ENA', 0, 10, 0.2216, 1.7, 1.6, 33, -0.0005],
  ['LTC', 2, 10, 76.93, 1.05, 0.9, 29, -0.0003],
  ['TRUMP', 1, 10, 5.412, 1.2, 1.5, 28, -0.0006],
  ['xyz:NVDA', 3, 10, 187.2, 0.35, 0.5, 27, 0.0005],
  ['UNI', 1, 10, 5.386, 1.45, 1.3, 24, -0.0003],
  ['WLD', 1, 10, 0.5743, 1.6, 1.5, 21, -0.0005],
  ['kBONK', 0, 10, 0.010813, 1.7, 1.6, 20, -0.0006],
  ['NEAR', 1, 10, 1.7205, 1.5, 1.2, 18, -0.0004],
  ['ARB', 1, 10, 0.2081, 1.5, 1.2, 16, -0.0004],
  ['WIF', 0, 5, 0.3927, 1.85, 1.9, 15, -0.0007],
  ['APT', 2, 10, 1.8312, 1.45, 1.2, 13, -0.0004],
  ['TIA', 1, 10, 0.5518, 1.6, 1.6, 12, -0.0006],
  ['INJ', 1, 10, 5.194, 1.5, 1.4, 10, -0.0004],
  ['OP', 1, 10, 0.3189, 1.55, 1.4, 9.4, -0.0004],
  ['SEI', 0, 10, 0.1217, 1.55, 1.4, 8.8, -0.0005],
]

/** Rank of the first of them by turnover. */
const FIRST_PLACE = 10
/** Turnover is a power law of the rank. */
const ORDERS = { perS: 0.24, exponent: 1.1 }

/** Perpetuals after the busiest ones, by turnover. */
const FURTHER_PERPETUALS: readonly ListedProfile[] = ROWS.map((row, at) => perpetual(row, at))

/** Spot pairs of assets with a perpetual. */
const FURTHER_PAIRS: readonly ListedProfile[] = [
  pair('@142', 'BTC', 5, 96_430, 24_000),
  pair('@151', 'ETH', 4, 3_319.6, 14_000),
  pair('@156', 'SOL', 2, 143.67, 9_000),
]

function perpetual(
  [coin, szDecimals, maxLeverage, startPx, beta, ownBp, interest, premium]: Row,
  at: number,
): ListedProfile {
  const place = FIRST_PLACE + at
  const share = (FIRST_PLACE / place) ** ORDERS.exponent
  const pxDecimals = 6 - szDecimals
  const spreadTicks = ticksOf(1.2 / share ** 0.5, { pxDecimals, startPx })
  const dex = coin.includes(':') ? coin.slice(0, coin.indexOf(':')) : ''
  return {
    coin,
    kind: 'perp',
    dex,
    base: dex === '' ? coin : coin.slice(dex.length + 1),
    quote: 'USDC',
    pxDecimals,
    szDecimals,
    maxLeverage,
    startPx,
    beta,
    ownBp,
    spreadTicks,
    gapTicks: Math.max(1.1, spreadTicks / 2),
    levelUsd: Math.round(18_000 * share ** 0.7),
    levels: 150,
    extent: 0.08,
    ordersPerS: ORDERS.perS * share,
    orderUsd: Math.round(900 * share ** 0.25),
    refreshMs: Math.round(1400 / share ** 0.4),
    interestUsd: interest * 1e6,
    premium,
    liquidations: dex === '' ? 1 : 0,
    trading: dex === '' ? 'always' : 'stock',
  }
}

function pair(
  coin: string,
  follows: string,
  szDecimals: number,
  startPx: number,
  levelUsd: number,
): ListedProfile {
  const pxDecimals = 6 - szDecimals
  const spreadTicks = ticksOf(2, { pxDecimals, startPx })
  return {
    coin,
    kind: 'spot',
    dex: '',
    base: follows,
    quote: 'USDC',
    pxDecimals,
    szDecimals,
    maxLeverage: 1,
    follows,
    startPx,
    beta: 0,
    ownBp: 0,
    spreadTicks,
    gapTicks: Math.max(1.1, spreadTicks / 2),
    levelUsd,
    levels: 120,
    extent: 0.06,
    ordersPerS: 0.12,
    orderUsd: 600,
    refreshMs: 1600,
    interestUsd: 0,
    premium: 0,
    liquidations: 0,
  }
}

/** Converts basis points to ticks. */
function ticksOf(bp: number, of: { pxDecimals: number; startPx: number }): number {
  return Math.max(1, Math.round(bp / tickBp(of)))
}

/** Instruments of a synthesised market, the busiest first, and their initial prices. */
export interface Listing {
  /** Perpetuals, default 9; up to PERPETUALS_MOST. */
  perpetuals?: number
  /** Spot pairs, default 2; up to PAIRS_MOST. */
  pairs?: number
  /** First prices in dollars, by coin. */
  prices?: ReadonlyMap<string, number>
}

const PERPETUALS = [...ofKind('perp'), ...FURTHER_PERPETUALS]
const PAIRS = [...ofKind('spot'), ...FURTHER_PAIRS]
/** Default numbers of perpetuals and spot pairs. */
export const USUAL_LISTING = { perpetuals: ofKind('perp').length, pairs: ofKind('spot').length }
export const PERPETUALS_MOST = PERPETUALS.length
export const PAIRS_MOST = PAIRS.length
/** Minimum number of ticks below a price, or its book has no room. */
const TICKS_LEAST = 1000
const PRICE_MOST = 1e7

/** The profiles of a listing; a UserError for an invalid price. */
export function listedProfiles(listing: Listing): ListedProfile[] {
  const { perpetuals = USUAL_LISTING.perpetuals, pairs = USUAL_LISTING.pairs } = listing
  const listed = [...PERPETUALS.slice(0, perpetuals), ...PAIRS.slice(0, pairs)]
  const prices = listing.prices ?? new Map<string, number>()
  for (const coin of prices.keys()) checkCoin(coin, listed)
  return listed.map((profile) => priced(independent(profile, listed), prices))
}

function ofKind(kind: ListedProfile['kind']): ListedProfile[] {
  return INSTRUMENT_PROFILES.filter((profile) => profile.kind === kind)
}

/** The profile without its leader, where that is not listed: it moves the same by itself. */
function independent(profile: ListedProfile, listed: readonly ListedProfile[]): ListedProfile {
  const { follows } = profile
  if (follows === undefined || listed.some(({ coin }) => coin === follows)) return profile
  const leader = PERPETUALS.find(({ coin }) => coin === follows)
  const { beta, ownBp } = leader ?? profile
  return { ...profile, beta, ownBp, follows: undefined }
}

function priced(profile: ListedProfile, prices: ReadonlyMap<string, number>): ListedProfile {
  const { coin, follows, startPx } = profile
  const own = prices.get(coin)
  if (own !== undefined && follows !== undefined)
    throw new UserError(`${coin} has the price of ${follows}, which it follows: set that one`)
  const ofLeader = prices.get(follows ?? '')
  const leaderPx = PERPETUALS.find((each) => each.coin === follows)?.startPx ?? 1
  const px = own ?? (ofLeader === undefined ? undefined : (startPx * ofLeader) / leaderPx)
  if (px === undefined) return profile
  checkPrice(profile, px)
  return { ...profile, ...atPrice(profile, px) }
}

function checkCoin(coin: string, listed: readonly ListedProfile[]): void {
  const coins = listed.map((profile) => profile.coin)
  if (coins.includes(coin)) return
  const small = nearestName(
    coin,
    coins.map((each) => each.toLowerCase()),
  )
  const nearest = coins.find((each) => each.toLowerCase() === small)
  const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
  throw new UserError(`there is no ${coin}${hint}; the market has ${coins.join(', ')}`)
}

function checkPrice({ coin, pxDecimals }: ListedProfile, px: number): void {
  const { tickAt, unitsAt } = priceGrid({ pxDecimals })
  const least = unitsAt(TICKS_LEAST) / pow10(pxDecimals)
  if (px >= least && px <= PRICE_MOST && tickAt(px * pow10(pxDecimals)) > 0) return
  throw new UserError(
    `${px} is no price of ${coin} with ${pxDecimals} decimals: from ${least} to ${PRICE_MOST}`,
  )
}
