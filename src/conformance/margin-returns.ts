/** Returns on margin, by the numbers that they are made of: in percent they are none. */
import { isJsonObject, type JsonObject } from './parsed-json.ts'

/** Less than this says nothing: fees and roundings change it by as much. */
const LEAST = 0.005

/**
 * Whether a value is in the unit of another: of about its size. Fees may be counted or not, and
 * what rounds to little says nothing.
 */
export const isOfUnit = (value: unknown, right: number, least = LEAST): boolean =>
  !Number.isFinite(right) ||
  Math.abs(right) < least ||
  (Math.abs(Number(value)) > Math.abs(right) / 10 && Math.abs(Number(value)) < Math.abs(right) * 10)

/** What a position has gained on its margin at entry, as a fraction. */
export const marginReturn = (pnl: unknown, size: unknown, price: unknown, leverage: unknown) =>
  (Number(pnl) * Number(leverage)) / Math.abs(Number(size) * Number(price))

/** What a position of an account state has gained on its margin, as a fraction. */
export function positionReturn({ unrealizedPnl, szi, entryPx, leverage }: JsonObject): number {
  const times = isJsonObject(leverage) ? leverage.value : Number.NaN
  return marginReturn(unrealizedPnl, szi, entryPx, times)
}

/** Where returnOnEquity of a position is no fraction of its margin at entry; null where each is. */
export function returnFlaw(positions: readonly JsonObject[]): string | null {
  const wrong = positions.find((one) => !isOfUnit(one.returnOnEquity, positionReturn(one)))
  if (!wrong) return null
  const right = positionReturn(wrong).toPrecision(3)
  return `returnOnEquity ${wrong.returnOnEquity} is not the ${right} of the margin at entry`
}
