import type { Facts, Moment } from '../contract/facts.ts'
import type { Story } from './player.ts'

/** A world as a sandbox sees it. */
export interface Stage {
  /** Which world it is: tape digest and seed. */
  id: string
  story: Story
  facts(moment: Moment): Facts
  cast(moment: Moment): unknown
  /** Reads ahead what searches need, a little each turn, once somebody has searched. */
  warming?(moment: () => Moment): AsyncIterable<void>
}
