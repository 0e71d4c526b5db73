/** Books as the `book` table stores them: JSON `[bids, asks]` of `[px, sz, n]`, decimals as text. */
import { power } from '../../decimal/scaled.ts'
import type { InstrumentRow } from '../schema.ts'
import type { Row } from './book.ts'

type Decimals = Pick<InstrumentRow, 'pxDecimals' | 'szDecimals'>
type Stored = [px: string, sz: string, n: number][]

/** The levels of a stored row as whole numbers, bids and asks. */
export function readLevels(text: string, decimals: Decimals): [bids: Row[], asks: Row[]] {
  const [bids, asks] = JSON.parse(text) as [Stored, Stored]
  const pxUnit = power(decimals.pxDecimals)
  const szUnit = power(decimals.szDecimals)
  const row = ([px, sz, n]: Stored[number]): Row => [
    whole(Number(px) * pxUnit),
    whole(Number(sz) * szUnit),
    n,
  ]
  return [bids.map(row), asks.map(row)]
}

/** The caster has checked the decimals, so the nearest whole number is the exact one. */
function whole(value: number): number {
  const nearest = Math.round(value)
  if (Math.abs(nearest) > EXACT) throw new RangeError(`${value} is outside exact arithmetic`)
  return nearest
}

/** Below it the two roundings of reading and multiplying cannot add up to half a unit. */
const EXACT = 2 ** 50
