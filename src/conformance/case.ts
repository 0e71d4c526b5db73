/** A case: one sentence of what must hold, and how to find out. */
import type { Probe } from './probe.ts'

/** What a case cannot do without; a run without it skips the case and says so. */
export type Need =
  /** The key of a distributor. */
  | 'partner'
  /** A sub key of that distributor whose level grants something. */
  | 'sub'
  /** A sub key whose level grants nothing. */
  | 'bare'
  /** An invite token that may be used up. */
  | 'invite'
  /** Control over the target's time. */
  | 'control'

export interface Case {
  /** `sockets.ack.echo`: topic first. */
  id: string
  /** A sentence: what must hold. */
  title: string
  /** Ids of the requirements that it checks. */
  checks: readonly string[]
  needs?: readonly Need[]
  /** It changes what others look at, or counts: nothing else may run meanwhile. */
  alone?: true
  run(probe: Probe): Promise<void>
}
