import type { Gate } from './gate.ts'
import type { ProbeExchange } from './probe-request.ts'
import type { SocketFrame } from './probe-socket.ts'

/** Told of what is answered and pushed, also of lookups. */
export interface ProbeListener {
  onAnswer?(exchange: ProbeExchange): void
  onFrame?(path: string, frame: SocketFrame): void
}

/** What a probe needs besides its target. */
export interface ProbeOptions extends ProbeListener {
  /** Requests go at once without. */
  gate?: Gate
  /** How often what must agree is looked at again before it counts as different. */
  retries?: number
  /** Whether the main key is known to lack a permission: what asks for it cannot be looked at. */
  lacks?: (permission: string) => Promise<boolean>
}
