import type { SystemClock } from '../../clock/system-clock.ts'
import type { KeepingBudget } from './http/kept-bytes.ts'
import type { Recording } from './recording.ts'
import type { Redaction } from './redaction/redaction.ts'
import type { UpstreamAddress } from './upstream-address.ts'

/** What all connections of a recorder have in common. */
export interface ProxyContext {
  address: UpstreamAddress
  recording: Recording
  redaction: Redaction
  budget: KeepingBudget
  clock: SystemClock
  /** How long the service may take to begin its answer. */
  timeoutMs: number
  /** Signs a path and query; null where clients do that themselves. */
  sign: ((target: string) => string) | null
  /** Says what went wrong to who watches; the same thing again and again is said once. */
  complain: (line: string) => void
  /** The number of the next socket. */
  nextConnection: () => number
}
