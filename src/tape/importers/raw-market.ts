import type { UnknownRecord } from '../recorded-data.ts'
import type { Sample } from './sample.ts'

/** Market of the raw stream that a file begins with; null for none. */
export function rawMarketOf({ container, frame }: Sample): 'usdm' | 'coinm' | 'spot' | null {
  if (container !== 'lines' || frame === null) return null
  const data = rawDataOf(frame)
  const isSnapshot = typeof data.lastUpdateId === 'number'
  const isTicker = typeof data.u === 'number' && data.B !== undefined && data.A !== undefined
  const isRaw = typeof frame.stream === 'string' || typeof data.e === 'string'
  if (!isSnapshot && !isTicker && !isRaw) return null
  if (data.ps !== undefined || /USD_(?:PERP|\d{6})$/i.test(String(data.s ?? data.symbol)))
    return 'coinm'
  return isOfSpot(data, isSnapshot) ? 'spot' : 'usdm'
}

/** Unwraps a frame of a combined stream. */
export const rawDataOf = (frame: UnknownRecord): UnknownRecord =>
  (typeof frame.data === 'object' ? (frame.data ?? frame) : frame) as UnknownRecord

/** Spot frames lack the futures' chain and times, and have a flag of their own. */
function isOfSpot(data: UnknownRecord, isSnapshot: boolean): boolean {
  if (isSnapshot) return data.E === undefined && data.T === undefined
  if (data.e === 'depthUpdate') return data.pu === undefined
  return data.e === 'trade' || data.e === 'aggTrade'
    ? data.M !== undefined
    : data.e === undefined && data.u !== undefined
}

/** Event name of a frame; a spot stream's best prices have none. */
export function rawEventOf(frame: UnknownRecord, data: UnknownRecord): string | null {
  if (typeof data.e === 'string') return data.e
  const isTicker = typeof data.u === 'number' && data.B !== undefined && data.A !== undefined
  return isTicker || /@bookTicker$/.test(String(frame.stream)) ? 'bookTicker' : null
}
