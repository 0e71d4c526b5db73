/** Queries about whales: positions worth more than 1,000,000 USD. */
import type { Slices } from '../../../clock/turns.ts'
import type { WhaleDirections, WhaleEvent, WhalePosition, WhaleRatio } from '../../records/whale.ts'

export interface WhaleQuery {
  coin?: string | undefined
  dir?: 'long' | 'short' | undefined
  /** By unrealised PnL. */
  npnlSide?: 'profit' | 'loss' | undefined
  /** By funding: profit when it was received. */
  frSide?: 'profit' | 'loss' | undefined
  topBy: 'position-value' | 'margin-balance' | 'create-time' | 'profit' | 'loss'
  take: number
}

export interface WhalesFacts {
  openPositions(query: WhaleQuery): Slices<WhalePosition[]>
  /** Newest first. */
  latestEvents(query: { coin?: string | undefined; limit: number }): Slices<WhaleEvent[]>
  directions(query: { coin?: string | undefined }): WhaleDirections
  /** The latest `limit` instants, `intervalMs` apart; their order is an open question. */
  longRatios(query: { intervalMs: number; limit: number }): Slices<WhaleRatio[]>
}
