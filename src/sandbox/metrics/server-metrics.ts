/**
 * Whether the server has started, and what is counted as it happens, over all sandboxes of the
 * process. All else that is watched is read when somebody asks.
 */
import type { SystemClock } from '../../clock/system-clock.ts'
import { EventLoopDelay } from './event-loop-delay.ts'
import { RequestCounts } from './request-counts.ts'

/** Frames of all sockets. */
export interface FrameCounts {
  received: number
  sent: number
  /** What a client did not take in time and is not sent any more. */
  discarded: number
}

export class ServerMetrics {
  /** Whether it listens before its sandboxes are there. */
  isStarting = false
  /** Requests for operations of the contract. */
  readonly requests: RequestCounts
  /** Calls of the control plane. */
  readonly controlRequests: RequestCounts
  readonly frames: FrameCounts = { received: 0, sent: 0, discarded: 0 }
  /** Requests that ended in a fault of ours, with HTTP 500. */
  faults = 0
  /** Looks once it is started. */
  readonly eventLoop: EventLoopDelay

  constructor(systemClock: SystemClock) {
    this.requests = new RequestCounts(systemClock)
    this.controlRequests = new RequestCounts(systemClock)
    this.eventLoop = new EventLoopDelay(systemClock)
  }
}
