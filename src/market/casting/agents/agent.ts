import type { FeeRate } from '../../../decimal/quantity.ts'
import type { Persona, Role } from '../../schema/schema.ts'
import type { TradingStyle } from './trading-style.ts'

/** A trader while the world is being cast. */
export interface Agent {
  id: number
  address: string
  role: Role
  joinMs: number
  takerRate: FeeRate
  makerRate: FeeRate
  builder: Builder | null
  /** What it deposits when it joins, micro-dollars. */
  wealthUsd: number
  style: TradingStyle
  persona: Persona | null
  /** All that it does is planned: nothing is decided for it by chance. */
  isPlanned: boolean
}

/** Somebody as the rows of a world know him. */
export interface KnownAgent
  extends Pick<
    Agent,
    'id' | 'address' | 'role' | 'joinMs' | 'takerRate' | 'makerRate' | 'persona'
  > {
  /** builder.id */
  builder: number | null
  /** What he brought first, micro-dollars; null where he has brought nothing yet. */
  wealthUsd: number | null
}

export interface Builder {
  id: number
  address: string
  rate: FeeRate
}
