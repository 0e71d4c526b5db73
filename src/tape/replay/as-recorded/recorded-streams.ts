/** The frames of a recording by the subscription that they belong to. */
import type { Channel } from '../../../contract/channel.ts'
import type { FollowedSocket, FollowedSubscription, RecordedPush } from '../socket-follower.ts'
import { RecordedFrames } from './recorded-frames.ts'

/** What one subscription was sent, in order. */
export interface FramesOfStream {
  channel: Channel
  frames: RecordedFrames
  /** Whether the first of them is what a subscriber is sent at once. */
  hasOpening: boolean
}

interface OwnedFrames extends FramesOfStream {
  owner: FollowedSocket
}

/** What comes so soon after subscribing is what every subscriber is sent first. */
const OPENING_MS = 1000

export class RecordedStreams {
  private readonly byId = new Map<string, OwnedFrames>()
  /** All of them, in order of time. */
  readonly frames = new RecordedFrames()
  /** Pushes that belong to no subscription that is known. */
  strayCount = 0

  /**
   * In order of time. Where two sockets followed the same, the frames of one are kept.
   *
   * @param keep keeps its text and answers the number of that
   */
  add(push: RecordedPush, atMs: number, keep: () => number): void {
    const found = subscriptionsOf(push)
    if (found.length === 0) this.strayCount++
    let text: number | null = null
    for (const made of found) {
      const stream = this.begin(made, push.socket)
      if (stream.owner !== push.socket && stream.owner.subscriptions.has(made.id)) continue
      stream.owner = push.socket
      if (stream.frames.length === 0) stream.hasOpening = atMs - made.atMs <= OPENING_MS
      text ??= keep()
      const frame = { atMs, stream: made.id, text }
      stream.frames.add(frame)
      this.frames.add(frame)
    }
  }

  /** Something is subscribed to, whether or not it is ever sent anything. */
  begin({ id, channel }: FollowedSubscription, owner: FollowedSocket): OwnedFrames {
    const known = this.byId.get(id)
    if (known) return known
    const stream = { channel, frames: new RecordedFrames(), hasOpening: false, owner }
    this.byId.set(id, stream)
    return stream
  }

  of(id: string): FramesOfStream | undefined {
    return this.byId.get(id)
  }

  /** Ids of those that there are. */
  get ids(): string[] {
    return [...this.byId.keys()]
  }
}

// Which of a socket's subscriptions a push belongs to: frames do not name them.

/** Those whose keys the data shows, or does not contradict. */
function subscriptionsOf({ channel, data, socket }: RecordedPush): FollowedSubscription[] {
  const ofChannel = [...socket.subscriptions.values()].filter((one) => one.channel.id === channel)
  const shown = shownIn(data)
  const fitting = ofChannel.filter(({ channel: { key }, subscription }) =>
    key.every((field) => {
      const names = NAMES[field]
      const value = names?.map((name) => shown[name]).find((one) => one !== undefined)
      return value === undefined || isSame(value, subscription[field])
    }),
  )
  return fitting.length > 1 && channel === 'l2Book' ? [roundedAs(fitting, shown)] : fitting
}

/** What the data of pushes calls the key of a subscription. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  coin: ['coin', 's'],
  interval: ['i'],
  user: ['user'],
  address: ['address'],
  dex: ['dex'],
}

const isSame = (value: unknown, wanted: unknown): boolean =>
  String(value).toLowerCase() === String(wanted ?? '').toLowerCase()

function shownIn(data: unknown): Record<string, unknown> {
  const first = Array.isArray(data) ? data[0] : data
  return typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {}
}

/** Of books that are rounded differently: the coarsest that all prices fit. */
function roundedAs(
  fitting: readonly FollowedSubscription[],
  { levels }: Record<string, unknown>,
): FollowedSubscription {
  const prices = Array.isArray(levels) ? levels.flat().map(({ px }) => String(px)) : []
  const digits = Math.max(0, ...prices.map(significantDigits))
  const sorted = fitting.toSorted((a, b) => figuresOf(a) - figuresOf(b))
  return sorted.find((one) => digits <= figuresOf(one)) ?? (sorted.at(-1) as FollowedSubscription)
}

const figuresOf = ({ subscription }: FollowedSubscription): number =>
  typeof subscription.nSigFigs === 'number' ? subscription.nSigFigs : Number.POSITIVE_INFINITY

const significantDigits = (px: string): number =>
  px.replace(/\.0*$/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length
