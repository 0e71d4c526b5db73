import type { Conversation } from './conversation.ts'
import type { Flaw } from './flaw.ts'
import type { Gate } from './gate.ts'
import type { ProbeExchange } from './probe-request.ts'
import type { SocketFrame } from './probe-socket.ts'

/** Told of what is answered and pushed, also of lookups. */
export interface ProbeListener {
  onAnswer?(exchange: ProbeExchange): void
  onFrame?(path: string, frame: SocketFrame): void
}

/** Says where what is answered or pushed is not what is declared; null when it is. */
export interface DeclarationJudge {
  answerFlaw(exchange: ProbeExchange): Flaw | null
  frameFlaw(path: string, frame: SocketFrame): Flaw | null
}

/** What a probe needs besides its target. */
export interface ProbeOptions extends ProbeListener {
  /** Keeps what is said for the report. */
  conversation?: Conversation
  /** What is not as it is declared fails the case, whatever it looks at; nothing is, without. */
  declarations?: DeclarationJudge
  /** Requests go at once without. */
  gate?: Gate
  /** How often what must agree is looked at again before it counts as different. */
  retries?: number
  /** Whether the main key is known to lack a permission: what asks for it cannot be looked at. */
  lacks?: (permission: string) => Promise<boolean>
}
