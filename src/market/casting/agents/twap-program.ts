import type { TwapRow } from '../../schema/schema.ts'
import type { Holding } from '../market/market-state.ts'
import type { Untimed } from '../writing/row-sink.ts'

/** A TWAP that runs. */
export interface TwapProgram extends Untimed<TwapRow> {
  holding: Holding
  /** When it will stop, and how. */
  stopMs: number
  stopStatus: 'finished' | 'terminated'
  /** Its slices come from elsewhere: it plans none. */
  isFed?: boolean
}
