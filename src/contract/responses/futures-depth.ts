/** What the operations about depth by pair answer. */
import type { Facts } from '../facts.ts'
import { refuseSymbol } from '../refusal.ts'

/** A pair that is not known, as the question `unknown-pair` says: refused, or an empty book. */
export function unknownPair<T extends object>(
  symbol: string,
  { moment }: Pick<Facts, 'moment'>,
  rest: T,
) {
  if (moment.answers['unknown-pair'] === 'refuse') return refuseSymbol(symbol)
  return { timestamp: moment.atMs, action: 'partial', bids: [], asks: [], ...rest }
}
