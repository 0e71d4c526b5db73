import type { UnknownRecord } from '../unknown-record.ts'
import type { Sample } from './sample.ts'

/** Which market's raw stream a file begins with; null when it is none. */
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

/** A frame without what a combined stream wraps it in. */
export const rawDataOf = (frame: UnknownRecord): UnknownRecord =>
  (typeof frame.data === 'object' ? (frame.data ?? frame) : frame) as UnknownRecord

/** Spot has neither the chain nor the times that futures have, and a flag that they have not. */
function isOfSpot(data: UnknownRecord, isSnapshot: boolean): boolean {
  if (isSnapshot) return data.E === undefined && data.T === undefined
  if (data.e === 'depthUpdate') return data.pu === undefined
  return data.e === 'trade' || data.e === 'aggTrade'
    ? data.M !== undefined
    : data.e === undefined && data.u !== undefined
}

/** What a frame's event is called; a spot stream's best prices come without a name. */
export function rawEventOf(frame: UnknownRecord, data: UnknownRecord): string | null {
  if (typeof data.e === 'string') return data.e
  const isTicker = typeof data.u === 'number' && data.B !== undefined && data.A !== undefined
  return isTicker || /@bookTicker$/.test(String(frame.stream)) ? 'bookTicker' : null
}
