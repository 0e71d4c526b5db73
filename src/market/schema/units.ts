/** Columns of whole numbers, each with what it counts (src/decimal/quantity.ts). */
import { integer } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../clock/instant.ts'
import type { FeeRate, FundingIndex, Px, Rate, Sz, Usd } from '../../decimal/quantity.ts'

/** An instant of tape time, whole ms. */
export const time = () => integer().$type<TapeMs>()
/** Price units of the row's instrument. */
export const price = () => integer().$type<Px>()
/** Size units of the row's instrument. */
export const size = () => integer().$type<Sz>()
/** Micro-dollars. */
export const money = () => integer().$type<Usd>()
/** An hourly funding rate or a premium, 10^-10. */
export const hourlyRate = () => integer().$type<Rate>()
/** A fee rate, 10^-6 of the notional. */
export const feeRate = () => integer().$type<FeeRate>()
/** Funding so far, at instrument.fundingDecimals. */
export const fundingIndex = () => integer().$type<FundingIndex>()
