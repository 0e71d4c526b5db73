import { nearestName } from '../../contract/fields/nearest-name.ts'
import { pow10 } from '../../decimal/scaled.ts'
import { priceGrid, tickBp } from '../../market/synth/price-grid.ts'
import { atPrice } from '../../market/synth/profile-price.ts'
import { UserError } from '../../platform/user-error.ts'
import { INSTRUMENT_PROFILES, type ListedProfile } from './instrument-profiles.ts'

/** What tells a perpetual of the second rank from the others. */
type Row = readonly [
  coin: string,
  szDecimals: number,
  maxLeverage: number,
  startPx: number,
  /** How it moves with the market, and by itself. */
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

/** Place of the first of them by turnover. */
const FIRST_PLACE = 10
/** Turnover falls by a power of the place. */
const ORDERS = { perS: 0.24, exponent: 1.1 }

/** Perpetuals after the busiest ones, by turnover. */
const FURTHER_PERPETUALS: readonly ListedProfile[] = ROWS.map((row, at) => perpetual(row, at))

/** Spot pairs of what is traded as a perpetual. */
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
    orderUsd: Math.round(1700 * share ** 0.25),
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
    orderUsd: 900,
    refreshMs: 1600,
    interestUsd: 0,
    premium: 0,
    liquidations: 0,
  }
}

/** So many basis points in ticks. */
function ticksOf(bp: number, of: { pxDecimals: number; startPx: number }): number {
  return Math.max(1, Math.round(bp / tickBp(of)))
}

/** Which instruments a synthesised market has, the busiest first, and where their prices begin. */
export interface Listing {
  /** Perpetuals, 9 unless it says; up to PERPETUALS_MOST. */
  perpetuals?: number
  /** Spot pairs, 2 unless it says; up to PAIRS_MOST. */
  pairs?: number
  /** First prices in dollars, by coin. */
  prices?: ReadonlyMap<string, number>
}

const PERPETUALS = [...ofKind('perp'), ...FURTHER_PERPETUALS]
const PAIRS = [...ofKind('spot'), ...FURTHER_PAIRS]
/** Perpetuals and spot pairs of a market when nobody asks for another number. */
export const USUAL_LISTING = { perpetuals: ofKind('perp').length, pairs: ofKind('spot').length }
export const PERPETUALS_MOST = PERPETUALS.length
export const PAIRS_MOST = PAIRS.length
/** A price has so many ticks below it, or its book has no room. */
const TICKS_LEAST = 1000
const PRICE_MOST = 1e7

/** The profiles of a listing; a UserError for a price that cannot be. */
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

/** The profile without what it follows, where that is not listed: it moves the same by itself. */
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
