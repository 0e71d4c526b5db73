import type { TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Px } from '../../../decimal/quantity.ts'
import type { Asset } from '../../rows/assets.ts'
import type { InstrumentRow } from '../../schema/schema.ts'

/** How an index is computed. */
export interface IndexFormula {
  /** Whether it is an amount of money, and so another one in other currencies. */
  isMoney: boolean
  /** Whether it changes at shown midnights only (UTC), and not at each full minute. */
  isDaily: boolean
  /** Decimals that are shown at least. */
  decimals: number
  members: readonly InstrumentRow[]
  /** The value at a full minute of tape time, in hundredths; null while there is none. */
  value: (minuteMs: TapeMs) => number | null
  /** Brings into memory what a value at a minute is computed from, where that is much. */
  read?: (minuteMs: TapeMs) => Slices<void>
}

/** An asset and the market that its price is taken from. */
export interface IndexMember {
  asset: Asset
  instrument: InstrumentRow
  /** Price when baskets begin. */
  firstPx: Px
}
