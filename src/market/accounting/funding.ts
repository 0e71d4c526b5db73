import {
  type FeeRate,
  type FundingIndex,
  feeRate,
  fundingIndex,
  mulDiv,
  multiply,
  type Px,
  portion,
  pow10,
  type Rate,
  raw,
  rescale,
  type Sz,
  subtract,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import {
  FEE_DECIMALS,
  type InstrumentRow,
  MONEY_DECIMALS,
  RATE_DECIMALS,
} from '../schema/schema.ts'

/** Fields of an instrument that funding arithmetic reads. */
export interface FundingSpec {
  pxDecimals: number
  szDecimals: number
  fundingDecimals: number
}

/** Hours for which an index of steady 0.02 % an hour stays within exact arithmetic. */
const INDEX_HOURS = 800
const STEADY_RATE = 0.0002

/**
 * Decimals at which the funding index of an instrument is kept: all digits of rate x price where
 * they fit into a safe integer over the length of a world.
 */
export function fundingDecimalsFor(px: Px, pxDecimals: number, szDecimals: number): number {
  const largest = Math.max((raw(px) / pow10(pxDecimals)) * INDEX_HOURS * STEADY_RATE, 1e-9)
  const maxDecimals = Math.floor(Math.log10(Number.MAX_SAFE_INTEGER) - Math.log10(largest))
  const digits = Math.min(
    pxDecimals + RATE_DECIMALS,
    maxDecimals,
    15,
    15 + MONEY_DECIMALS - szDecimals,
  )
  return Math.max(digits, MONEY_DECIMALS)
}

/** Increase of the index in one hour: rate (10^-10) x price, at fundingDecimals. */
export function indexStep(rate: Rate, px: Px, of: FundingSpec): FundingIndex {
  const product = multiply(raw(rate), raw(px))
  return fundingIndex(rescale(product, of.pxDecimals + RATE_DECIMALS, of.fundingDecimals))
}

/**
 * Funding that a position of signed `sz` paid between two values of the index, in micro-dollars:
 * negative when it received. Rounded once, however long the time.
 */
export function fundingBetween(sz: Sz, from: FundingIndex, to: FundingIndex, of: FundingSpec): Usd {
  return usd(mulDiv(raw(sz), raw(subtract(to, from)), fundingScale(of)))
}

/** Divisor that turns size times index into micro-dollars. */
export function fundingScale({ szDecimals, fundingDecimals }: FundingSpec): number {
  return pow10(szDecimals + fundingDecimals - MONEY_DECIMALS)
}

// What trading costs: the venue's tiers by the volume of 14 days, and what a fill is charged.

/** Fee rates are those of the main dex; builder dexes take twice, spot three fifths more. */
const FEE_MULTIPLES = { dex: 2, spot: 1.6 }
const UNIT = feeRate(10 ** FEE_DECIMALS)
/** A millionth of the notional, in which rates are written down here. */
const MILLIONTH = 10 ** (FEE_DECIMALS - 6)

type Charged = Pick<InstrumentRow, 'kind' | 'dex'>

/** Fee of a fill; negative for a rebate. */
export function feeOf(notional: Usd, of: Charged, rate: FeeRate): Usd {
  return rateShare(notional, rateOn(of, rate))
}

/** Fee rate of an account on an instrument, from its rate on the main dex. */
export function rateOn({ kind, dex }: Charged, rate: FeeRate): FeeRate {
  const more = kind === 'spot' ? FEE_MULTIPLES.spot : dex === '' ? 1 : FEE_MULTIPLES.dex
  return rate > ZERO ? feeRate(Math.round(raw(rate) * more)) : rate
}

/** Fee of a notional at a rate. */
export function rateShare(notional: Usd, rate: FeeRate): Usd {
  return portion(notional, rate, UNIT)
}

/** A rate in millionths of the notional. */
export const millionths = (count: number): FeeRate => feeRate(Math.round(count * MILLIONTH))

/** Rates of takers and makers. */
export interface FeeRates {
  taker: FeeRate
  maker: FeeRate
}

const rates = (taker: number, maker: number): FeeRates => ({
  taker: millionths(taker),
  maker: millionths(maker),
})

/** Days whose volume decides the rates of the next one. */
export const FEE_DAYS = 14

/** Without any volume. */
export const BASE_RATES = rates(450, 150)

/** From so many dollars of volume in 14 days on. */
export const VOLUME_TIERS: readonly (FeeRates & { leastUsd: number })[] = [
  { leastUsd: 5e6, ...rates(400, 120) },
  { leastUsd: 25e6, ...rates(350, 80) },
  { leastUsd: 100e6, ...rates(300, 40) },
  { leastUsd: 500e6, ...rates(280, 0) },
  { leastUsd: 2e9, ...rates(260, 0) },
  { leastUsd: 7e9, ...rates(240, 0) },
]

/** Rebates of those who made at least such a part of the volume of everybody in 14 days. */
export const MAKER_TIERS: readonly { leastShare: number; maker: FeeRate }[] = [
  { leastShare: 0.005, maker: millionths(-10) },
  { leastShare: 0.015, maker: millionths(-20) },
  { leastShare: 0.03, maker: millionths(-30) },
]

/** Tokens that there can be of what is staked; its coin. */
export const STAKED_COIN = 'HYPE'
const STAKED_SUPPLY = 1e9
/** Discounts of those who staked such a part of all tokens, in basis points. */
export const STAKING_TIERS: readonly { leastBps: number; discount: number }[] = [
  { leastBps: 0, discount: 0 },
  { leastBps: 0.0001, discount: 0.05 },
  { leastBps: 0.001, discount: 0.1 },
  { leastBps: 0.01, discount: 0.15 },
  { leastBps: 0.1, discount: 0.2 },
  { leastBps: 1, discount: 0.3 },
  { leastBps: 5, discount: 0.4 },
]

/** Basis points of all tokens. */
export const stakedBps = (tokens: number): number => (tokens / STAKED_SUPPLY) * 10_000

/** The discount for tokens that are staked, a fraction. */
export const stakingDiscount = (tokens: number): number =>
  STAKING_TIERS.findLast(({ leastBps }) => stakedBps(tokens) >= leastBps)?.discount ?? 0

/** Volume of an account in 14 days, volume of all accounts, and its stake. */
interface FeeVolumes {
  /** Micro-dollars, as taker and as maker. */
  crossed: number
  added: number
  /** Micro-dollars of everybody. */
  market: number
  /** Tokens. */
  staked: number
}

/** The rates that follow from the volumes of the 14 days before a day. */
export function ratesFor({ crossed, added, market, staked }: FeeVolumes): FeeRates {
  const usd = (crossed + added) / 1e6
  const tier = VOLUME_TIERS.findLast(({ leastUsd }) => usd >= leastUsd) ?? BASE_RATES
  const share = market > 0 ? added / market : 0
  const rebate = MAKER_TIERS.findLast(({ leastShare }) => share >= leastShare)
  const left = 1 - stakingDiscount(staked)
  const discounted = (rate: FeeRate) => feeRate(Math.round(raw(rate) * left))
  return { taker: discounted(tier.taker), maker: rebate?.maker ?? discounted(tier.maker) }
}
