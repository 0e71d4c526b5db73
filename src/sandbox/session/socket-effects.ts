/** What scenarios do at an instant to all connections of a sandbox. */
import type { SocketEffects } from '../scenario-host.ts'
import type { SocketFaults } from './socket-faults.ts'

/** A connection to which scenarios do something. */
export interface AffectedSession {
  readonly faults: SocketFaults
  /** Journals what a scenario did. */
  journalFault(rule: string, what: string): void
  /** Queues a frame; `flush` hands it over. */
  enqueuePush(frame: string): void
  flush(): void
  /** Closes it in good order, or with a code. */
  close(reason: string, code?: number): void
}

export const socketEffectsOf = (sessions: Iterable<AffectedSession>): SocketEffects => ({
  closeConnections(chosen) {
    for (const session of [...sessions]) {
      const acting = chosen(session.faults.subject)
      if (!acting) continue
      session.journalFault(acting.rule.name, 'the connection is closed')
      session.close(`closed by ${acting.rule.name}`, acting.fault.closeCode?.(acting.settings))
    }
  },
  rulesEnded() {
    for (const session of [...sessions]) {
      for (const frame of session.faults.releaseHeld()) session.enqueuePush(frame)
      session.flush()
    }
  },
})
