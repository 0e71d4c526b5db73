import type { SessionClock } from '../../clock/session-clock.ts'

/**
 * Without a message from the client for this long the connection is dropped (the service's
 * documentation, Limits).
 */
export const IDLE_MS = 60_000

/** One alarm, which is set again when there was activity since it was set. */
export class IdleTimeout {
  /** When the connection last had a message that counts, session time. */
  lastActivityMs: number
  private cancelAlarm: (() => void) | null = null

  /** @param name of the alarm */
  constructor(
    private readonly clock: Pick<SessionClock, 'nowMs' | 'at'>,
    private readonly name: string,
    private readonly onIdle: () => void,
  ) {
    this.lastActivityMs = clock.nowMs()
  }

  noteActivity(): void {
    this.lastActivityMs = this.clock.nowMs()
  }

  start(): void {
    const check = () => {
      if (this.clock.nowMs() - this.lastActivityMs < IDLE_MS) this.start()
      else this.onIdle()
    }
    this.cancelAlarm = this.clock.at(this.lastActivityMs + IDLE_MS, check, this.name)
  }

  stop(): void {
    this.cancelAlarm?.()
  }
}
