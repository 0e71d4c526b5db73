import { pow10 } from '../../decimal/scaled.ts'
import { priceGrid } from '../../market/synth/price-grid.ts'
import { atPrice } from '../../market/synth/profile-price.ts'
import { nearestName } from '../../suggestion/nearest-name.ts'
import { UserError } from '../../user-error.ts'
import { FURTHER_PAIRS, FURTHER_PERPETUALS } from './further-profiles.ts'
import { INSTRUMENT_PROFILES, type ListedProfile } from './instrument-profiles.ts'

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
