import type { Px, Sz } from '../../../decimal/quantity.ts'
import type { TwapProgram } from '../agents/twap-program.ts'
import type { Holding, MarketState } from '../market/market-state.ts'
import type { LiveOrder } from './order-manager.ts'

/** One taker order: its trades at one instant, in order. */
export interface TakerOrder {
  market: MarketState
  timeMs: number
  side: 'B' | 'A'
  prints: readonly TradePrint[]
  /** null for the crowd. */
  taker: Holding | null
  /** The TWAP it is a slice of. */
  program?: TwapProgram | undefined
  /** The liquidation that it carries out: liquidation.id. */
  liquidation?: number | undefined
  /** The number of an order of the crowd that goes on; else it has a new one. */
  oid?: number | undefined
  reduceOnly?: boolean
  /** The order that is carried out, where it was placed before: its trigger has been reached. */
  order?: LiveOrder | undefined
  /** The crowd is on the other side, whoever else would be there. */
  fromCrowd?: boolean
}

export interface TradePrint {
  px: Px
  sz: Sz
  tid?: number | undefined
  hash?: string | undefined
  /** Whose order was hit, where the tape names it. */
  maker?: Holding | undefined
}
