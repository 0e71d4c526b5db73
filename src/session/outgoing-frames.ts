/**
 * The frames of a sandbox that wait for their clients: hands them over, and says whether playback
 * should wait. It costs by clients with frames waiting, not by clients.
 */
import type { SystemClock } from '../clock/system-clock.ts'
import { runToEnd, type Slices } from '../clock/turns.ts'
import type { SendQueue } from './send-queue.ts'
import { MEMBERS_MIN, SharedSending, type SharingSession } from './shared-sending.ts'

/** A connection whose frames may wait. */
export interface SendingSession extends SharingSession {
  readonly sendQueue: SendQueue
  /** Hands over what waits. */
  flush(): void
}

/** What is known of a client that is waited for. */
interface Slowness {
  sinceMs: number
  pendingBytes: number
}

/** Connections that are served at once; further ones in turns. */
const FLUSHED_AT_ONCE = 256

/** A client that takes nothing for so long, ms of the machine, is not waited for any more. */
const PATIENCE_MS = 5_000

export class OutgoingFrames {
  private readonly waiting = new Set<SendingSession>()
  private readonly slow = new Map<SendingSession, Slowness>()
  private readonly givenUp = new Set<SendingSession>()
  private readonly shared = new SharedSending<SendingSession>()
  /** While connections are served in turns: whether more was queued since. */
  private round: { isStale: boolean } | null = null

  /**
   * @param later does work in the turns of the sandbox, not at once
   */
  constructor(
    private readonly systemClock: SystemClock,
    private readonly later: (work: Slices<void>) => unknown,
    /** Whether clients are waited for however long they take nothing. */
    private readonly isPatient: () => boolean = () => false,
  ) {}

  /** Frames in the longest queue. */
  get longest(): number {
    let longest = 0
    for (const { sendQueue } of this.waiting) longest = Math.max(longest, sendQueue.length)
    return longest
  }

  /**
   * Whether every client takes what it is sent. One that has taken nothing for long does not count:
   * its frames wait, and are dropped and counted when too many do.
   */
  get areTaken(): boolean {
    if (this.round) return false
    if (this.isPatient() && this.givenUp.size > 0) this.waitAgain()
    for (const [session, was] of this.slow) if (this.isAwaited(session, was)) return false
    return true
  }

  /** From now on those are waited for again who had taken nothing for long. */
  waitAgain(): void {
    for (const session of this.givenUp) this.noteSlow(session)
    this.givenUp.clear()
  }

  /** A frame waits on a connection. */
  noteQueued(session: SendingSession): void {
    this.waiting.add(session)
  }

  /** A connection was served as far as its client takes it. */
  noteFlushed(session: SendingSession, hasSent: boolean): void {
    const { length, isBlocked } = session.sendQueue
    if (length === 0) this.waiting.delete(session)
    if (hasSent && this.givenUp.delete(session)) this.shared.forget(session)
    if (!isBlocked) this.slow.delete(session)
    else if (!this.slow.has(session) && !this.givenUp.has(session)) this.noteSlow(session)
  }

  /** The connection follows other streams than before. */
  noteFollowing(session: SendingSession): void {
    this.shared.forget(session)
  }

  /** The connection is gone. */
  forget(session: SendingSession): void {
    this.shared.forget(session)
    this.waiting.delete(session)
    this.slow.delete(session)
    this.givenUp.delete(session)
  }

  /** Hands over whatever waits; for many connections that takes more than one turn. */
  flush(): void {
    if (this.round) this.round.isStale = true
    else if (this.waiting.size <= FLUSHED_AT_ONCE) runToEnd(this.serving())
    else {
      this.round = { isStale: true }
      this.later(this.flushing(this.round))
    }
  }

  private *flushing(round: { isStale: boolean }): Slices<void> {
    while (round.isStale) {
      round.isStale = false
      yield* this.serving(() => this.systemClock.yieldTurn())
    }
    this.round = null
  }

  /** @param pause lets go out what a group was sent */
  private *serving(pause?: () => Promise<void>): Slices<void> {
    const tried = new Set<object>()
    const areMany = this.waiting.size >= MEMBERS_MIN
    for (const session of [...this.waiting]) {
      if (!this.waiting.has(session)) continue
      const served = areMany ? this.shared.sendWith(session, tried) : null
      for (const one of served ?? []) this.noteFlushed(one, true)
      if (!served) session.flush()
      yield served ? pause?.() : undefined
    }
  }

  private noteSlow(session: SendingSession): void {
    const { pendingBytes } = session.sendQueue
    this.slow.set(session, { sinceMs: this.systemClock.monotonicMs(), pendingBytes })
  }

  private isAwaited(session: SendingSession, was: Slowness): boolean {
    const { pendingBytes, isBlocked } = session.sendQueue
    const nowMs = this.systemClock.monotonicMs()
    if (!isBlocked) {
      this.slow.delete(session)
      return false
    }
    if (pendingBytes < was.pendingBytes) was.sinceMs = nowMs
    was.pendingBytes = pendingBytes
    if (this.isPatient() || nowMs - was.sinceMs < PATIENCE_MS) return true
    this.slow.delete(session)
    this.givenUp.add(session)
    this.shared.leaveAlone(session)
    return false
  }
}
