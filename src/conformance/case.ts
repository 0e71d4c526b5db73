/** A case: one sentence of what must hold, and how to find out. */
import type { Probe } from './probe.ts'
import type { Need } from './target.ts'

export interface Case {
  /** `sockets.ack.echo`: topic first. */
  id: string
  /** A sentence: what must hold. */
  title: string
  /** Ids of the requirements that it checks. */
  checks: readonly string[]
  needs?: readonly Need[]
  /** It changes what others look at, or counts: nothing else may run meanwhile. */
  exclusive?: true
  /**
   * It lets time pass: where a control plane moves the target's clock nothing else may run
   * meanwhile. Elsewhere it waits, beside the others.
   */
  passesTime?: true
  run(probe: Probe): Promise<void>
}
