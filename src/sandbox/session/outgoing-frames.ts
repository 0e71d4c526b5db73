/**
 * The outgoing frames of a sandbox: sends them, and shows whether playback should wait. The cost
 * depends on clients with waiting frames, not on all clients.
 */
import type { SystemClock } from '../../clock/system-clock.ts'
import { runToEnd, type Slices } from '../../clock/turns.ts'
import type { SocketConnection, SocketGroup } from './send-queue.ts'
import type { Session } from './session.ts'

/** The state of a slow client that playback waits for. */
interface Slowness {
  sinceMs: number
  pendingBytes: number
}

/** Number of connections served at once, and of their frames; further ones in turns. */
const [FLUSHED_AT_ONCE, FRAMES_AT_ONCE] = [256, 2_048]

/** Playback no longer waits for a client that takes nothing for so long, ms of the machine. */
const PATIENCE_MS = 5_000

export class OutgoingFrames {
  private readonly waiting = new Set<Session>()
  private readonly slow = new Map<Session, Slowness>()
  private readonly givenUp = new Set<Session>()
  private readonly shared = new SharedSending()
  /** The present round of turns: whether more frames were queued since it began. */
  private round: { isStale: boolean } | null = null

  /** @param later runs work in the turns of the sandbox, not at once */
  constructor(
    private readonly systemClock: SystemClock,
    private readonly later: (work: Slices<void>) => unknown,
    /** Whether playback waits for stalled clients without limit. */
    private readonly isPatient: () => boolean = () => false,
  ) {}

  /** Frames in the longest queue. */
  get longest(): number {
    let longest = 0
    for (const { sendQueue } of this.waiting) longest = Math.max(longest, sendQueue.length)
    return longest
  }

  /**
   * Whether every client takes its frames. A client that stalled for long does not count: its
   * frames wait, and are dropped and counted when they are too many.
   */
  get areTaken(): boolean {
    if (this.round) return false
    if (this.isPatient() && this.givenUp.size > 0) this.waitAgain()
    for (const [session, was] of this.slow) if (this.isAwaited(session, was)) return false
    return true
  }

  /** Waits for stalled clients again. */
  waitAgain(): void {
    for (const session of this.givenUp) this.noteSlow(session)
    this.givenUp.clear()
  }

  /** A frame was queued on a connection. */
  noteQueued(session: Session): void {
    this.waiting.add(session)
  }

  /** A connection was served as far as its client takes frames. */
  noteFlushed(session: Session, hasSent: boolean): void {
    const { length, isBlocked } = session.sendQueue
    if (length === 0) this.waiting.delete(session)
    if (hasSent && this.givenUp.delete(session)) this.shared.forget(session)
    if (!isBlocked) this.slow.delete(session)
    else if (!this.slow.has(session) && !this.givenUp.has(session)) this.noteSlow(session)
  }

  /** The streams of a connection have changed. */
  noteFollowing(session: Session): void {
    this.shared.forget(session)
  }

  /** Removes a closed connection. */
  forget(session: Session): void {
    this.shared.forget(session)
    this.waiting.delete(session)
    this.slow.delete(session)
    this.givenUp.delete(session)
  }

  /** Sends all waiting frames; for many connections or frames that takes several turns. */
  flush(): void {
    if (this.round) this.round.isStale = true
    else if (this.isShort) runToEnd(this.serving())
    else {
      this.round = { isStale: true }
      this.later(this.flushing(this.round))
    }
  }

  private get isShort(): boolean {
    if (this.waiting.size > FLUSHED_AT_ONCE) return false
    let frames = 0
    for (const { sendQueue } of this.waiting) frames += sendQueue.length
    return frames <= FRAMES_AT_ONCE
  }

  private *flushing(round: { isStale: boolean }): Slices<void> {
    while (round.isStale) {
      round.isStale = false
      yield* this.serving(() => this.systemClock.yieldTurn())
    }
    this.round = null
  }

  /** @param pause waits until the frames of a group are sent */
  private *serving(pause?: () => Promise<void>): Slices<void> {
    const tried = new Set<object>()
    const areMany = this.waiting.size >= MEMBERS_MIN
    for (const session of [...this.waiting]) {
      if (!this.waiting.has(session)) continue
      let served = areMany ? this.shared.sendWith(session, tried) : null
      while (served) {
        for (const one of served) this.noteFlushed(one, true)
        yield pause?.()
        served = session.sendQueue.length > 0 ? this.shared.sendMore(session) : null
      }
      if (session.sendQueue.length === 0) continue
      session.flush()
      yield
    }
  }

  private noteSlow(session: Session): void {
    const { pendingBytes } = session.sendQueue
    this.slow.set(session, { sinceMs: this.systemClock.monotonicMs(), pendingBytes })
  }

  private isAwaited(session: Session, was: Slowness): boolean {
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

// Connections with the same streams have the same frames: where their carrier supports groups,
// these are sent at once. Each has its own queue, and only equal queues are sent together.

interface Group {
  readonly carrier: SocketGroup
  readonly members: Set<Session>
}

/** Smaller groups are served one by one. */
const MEMBERS_MIN = 16
/** Maximum group size, as a carrier sends to a group without a pause. */
const MEMBERS_MAX = 256
/** Connections with more streams are served one by one. */
const STREAMS_MAX = 8

class SharedSending {
  private readonly groups = new Map<string, Group[]>()
  /** The group of each connection; null for those served one by one. */
  private readonly groupOf = new Map<Session, Group | null>()

  /** Removes a connection whose streams have changed, or that is closed. */
  forget(session: Session): void {
    const group = this.groupOf.get(session)
    this.groupOf.delete(session)
    if (!group) return
    group.members.delete(session)
    group.carrier.remove(session.connection)
  }

  /**
   * Sends the common frames of the connection's group; returns the members served, or null. A group
   * in `tried` is not tried again.
   */
  sendWith(session: Session, tried: Set<object>): ReadonlySet<Session> | null {
    const group = this.groupOf.get(session) ?? this.join(session)
    if (!group || tried.has(group)) return null
    tried.add(group)
    return this.sendTo(group) ? group.members : null
  }

  /** Sends further frames of the connection's group; returns the members served, or null. */
  sendMore(session: Session): ReadonlySet<Session> | null {
    const group = this.groupOf.get(session)
    return group && this.sendTo(group) ? group.members : null
  }

  /** Sends waiting frames of a group, as many as one turn takes, if all queues are equal. */
  private sendTo({ members, carrier }: Group): boolean {
    if (members.size < MEMBERS_MIN) return false
    const [first] = members
    const frames = first?.sendQueue.waiting ?? []
    if (frames.length === 0) return false
    for (const { sendQueue } of members)
      if (sendQueue.isBlocked || sendQueue.isStalled || !isSame(sendQueue.waiting, frames))
        return false
    const count = Math.max(1, Math.floor(FRAMES_AT_ONCE / members.size))
    const sent = count < frames.length ? frames.slice(0, count) : frames
    carrier.send(sent)
    for (const { sendQueue } of members) sendQueue.noteSent(sent)
    return true
  }

  /** Removes a stalled client from its group, so that the others stay equal. */
  leaveAlone(session: Session): void {
    this.forget(session)
    this.groupOf.set(session, null)
  }

  private join(session: Session): Group | null {
    const { connection, streams } = session
    if (this.groupOf.has(session) || streams.size === 0 || streams.size > STREAMS_MAX) return null
    const key = [...streams.keys()].sort().join('\n')
    const group = this.groups.get(key)?.find(hasRoom) ?? this.begin(key, connection)
    const hasJoined = group?.carrier.add(connection) === true
    this.groupOf.set(session, hasJoined ? group : null)
    if (hasJoined) group.members.add(session)
    return hasJoined ? group : null
  }

  private begin(key: string, connection: SocketConnection): Group | null {
    const carrier = connection.openGroup?.()
    if (!carrier) return null
    for (const [other, groups] of this.groups)
      if (groups.every(({ members }) => members.size === 0)) this.groups.delete(other)
    const group: Group = { carrier, members: new Set() }
    this.groups.set(key, [...(this.groups.get(key) ?? []), group])
    return group
  }
}

const hasRoom = ({ members }: { members: ReadonlySet<unknown> }) => members.size < MEMBERS_MAX

const isSame = (frames: readonly string[], others: readonly string[]) =>
  frames.length === others.length && frames.every((frame, at) => frame === others[at])

// Queues items that may arrive by the thousand, and handles them in turns.

/** Items handled at once in a round of the event loop. */
const AT_ONCE = 256

export class SlicedQueue<T> {
  private readonly waiting: T[] = []
  private doneAtOnce = 0

  /**
   * @param inTurns runs work in the turns of the owner, not at once
   * @param handle handles one item
   */
  constructor(
    private readonly systemClock: Pick<SystemClock, 'runSoon'>,
    private readonly inTurns: (work: Slices<void>) => unknown,
    private readonly handle: (one: T) => void,
  ) {}

  add(one: T): void {
    if (this.waiting.length === 0 && this.doneAtOnce < AT_ONCE) {
      if (this.doneAtOnce === 0)
        this.systemClock.runSoon(() => {
          this.doneAtOnce = 0
        })
      this.doneAtOnce++
      this.handle(one)
      return
    }
    this.waiting.push(one)
    if (this.waiting.length === 1) this.inTurns(this.handling())
  }

  private *handling(): Slices<void> {
    for (let next = 0; next < this.waiting.length; next++) {
      this.handle(this.waiting[next] as T)
      yield
    }
    this.waiting.length = 0
  }
}
