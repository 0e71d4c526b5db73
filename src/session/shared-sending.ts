/**
 * Connections that follow the same streams are sent the same: where their carrier can, they are
 * sent it at once. Each has its queue all the same, and only equal queues are sent so.
 */
import type { SendQueue } from './send-queue.ts'
import type { SocketConnection, SocketGroup } from './socket-connection.ts'

/** A connection that may be sent what others are. */
export interface SharingSession {
  readonly connection: SocketConnection
  /** Streams by their id. */
  readonly streams: ReadonlyMap<string, unknown>
  readonly sendQueue: Pick<SendQueue, 'waiting' | 'isBlocked' | 'isStalled' | 'noteSent'>
}

interface Group<S> {
  readonly carrier: SocketGroup
  readonly members: Set<S>
}

/** Fewer are served one by one. */
export const MEMBERS_MIN = 16
/** A carrier sends to all of a group without a pause: further ones make another group. */
const MEMBERS_MAX = 256
/** Connections with more streams than this are served by themselves. */
const STREAMS_MAX = 8

export class SharedSending<S extends SharingSession> {
  private readonly groups = new Map<string, Group<S>[]>()
  /** The group of each connection; null for those served by themselves. */
  private readonly groupOf = new Map<S, Group<S> | null>()

  /** It follows something else now, or is gone. */
  forget(session: S): void {
    const group = this.groupOf.get(session)
    this.groupOf.delete(session)
    if (!group) return
    group.members.delete(session)
    group.carrier.remove(session.connection)
  }

  /**
   * Sends what all members of the connection's group wait for; the answer is whom that has served,
   * if anybody. A group that is in `tried` is not tried again.
   */
  sendWith(session: S, tried: Set<object>): ReadonlySet<S> | null {
    const group = this.groupOf.get(session) ?? this.join(session)
    if (!group || tried.has(group)) return null
    tried.add(group)
    return this.sendTo(group) ? group.members : null
  }

  /** Whether its members wait for the same, and were sent it. */
  private sendTo({ members, carrier }: Group<S>): boolean {
    if (members.size < MEMBERS_MIN) return false
    const [first] = members
    const frames = first?.sendQueue.waiting ?? []
    if (frames.length === 0) return false
    for (const { sendQueue } of members)
      if (sendQueue.isBlocked || sendQueue.isStalled || !isSame(sendQueue.waiting, frames))
        return false
    carrier.send(frames)
    for (const { sendQueue } of members) sendQueue.noteSent()
    return true
  }

  /** Its client takes nothing: it is served by itself, so that the others need not be. */
  leaveAlone(session: S): void {
    this.forget(session)
    this.groupOf.set(session, null)
  }

  private join(session: S): Group<S> | null {
    const { connection, streams } = session
    if (this.groupOf.has(session) || streams.size === 0 || streams.size > STREAMS_MAX) return null
    const key = [...streams.keys()].sort().join('\n')
    const group = this.groups.get(key)?.find(hasRoom) ?? this.begin(key, connection)
    const hasJoined = group?.carrier.add(connection) === true
    this.groupOf.set(session, hasJoined ? group : null)
    if (hasJoined) group.members.add(session)
    return hasJoined ? group : null
  }

  private begin(key: string, connection: SocketConnection): Group<S> | null {
    const carrier = connection.openGroup?.()
    if (!carrier) return null
    for (const [other, groups] of this.groups)
      if (groups.every(({ members }) => members.size === 0)) this.groups.delete(other)
    const group: Group<S> = { carrier, members: new Set() }
    this.groups.set(key, [...(this.groups.get(key) ?? []), group])
    return group
  }
}

const hasRoom = ({ members }: { members: ReadonlySet<unknown> }) => members.size < MEMBERS_MAX

const isSame = (frames: readonly string[], others: readonly string[]) =>
  frames.length === others.length && frames.every((frame, at) => frame === others[at])
