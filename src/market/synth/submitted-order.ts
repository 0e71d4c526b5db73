import type { TakerSide } from './synth-event.ts'

/**
 * A market order or a liquidation from outside, to be matched in the next step with what lies
 * within a few percent of the best price; what it does not find there is not traded.
 */
export interface SubmittedOrder {
  coin: string
  side: TakerSide
  lots: number
  /** What its trades are marked with. */
  tag: number
  /** Whether it closes a position by force, which few open another against. */
  liquidates?: boolean
}
