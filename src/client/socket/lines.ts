/** All connections of a client: which subscription is on which, and who hears what. */
import type { Machine } from '../../clock/machine.ts'
import { STREAMS } from '../../contract/channels.ts'
import { ClientError, ConnectionError } from '../errors.ts'
import type { Signer } from '../signer.ts'
import { Line } from './line.ts'
import {
  Followed,
  isOfficial,
  type Listener,
  type Subscription,
  type Wish,
} from './subscription.ts'

export interface LinesSettings {
  /** Full address of a socket path with its query. */
  address: (path: string, query: string) => string
  sign: Signer
  by: Machine
  chance: () => number
  trouble: (error: ConnectionError) => void
}

/** A connection and what is followed on it. */
interface Place {
  path: string
  dex: string
  line: Line
  followed: Set<Followed>
  /** Not yet acknowledged, in the order of asking. */
  waiting: Followed[]
}

export class Lines {
  private readonly places = new Set<Place>()

  constructor(private readonly settings: LinesSettings) {}

  subscribe(name: keyof typeof STREAMS, wanted: object, listener: Listener<never>): Subscription {
    const channel = STREAMS[name]
    if (channel === undefined) throw new ClientError(String(name), 'there is no such channel')
    const followed = new Followed(channel, { ...wanted }, listener)
    const place = this.placeFor(followed)
    place.followed.add(followed)
    if (place.line.isOpen) ask(place, [followed])
    return { ready: followed.ready, close: () => this.leave(place, followed) }
  }

  close(): void {
    for (const place of this.places) place.line.close()
    this.places.clear()
  }

  /** One where its pushes can be told from those of others. */
  private placeFor(followed: Followed): Place {
    const { path } = followed.channel.dialect
    const dex = isOfficial(followed) ? '' : String(followed.wish.dex ?? '')
    const free = [...this.places].find(
      (place) =>
        place.path === path &&
        place.dex === dex &&
        ![...place.followed].some((other) => other.isLike(followed)),
    )
    return free ?? this.open(path, dex, followed.channel.dialect.name === 'official')
  }

  private open(path: string, dex: string, official: boolean): Place {
    const { address, sign, by, chance } = this.settings
    const place: Place = { path, dex, followed: new Set(), waiting: [], line: null as never }
    place.line = new Line({
      address: () => address(path, String(new URLSearchParams({ ...sign(), ...withDex(dex) }))),
      ping: official ? '{"method":"ping"}' : '{"type":"ping"}',
      by,
      chance,
      opened: () => ask(place, [...place.followed]),
      heard: (text) => this.heard(place, text),
      lost: (code, waitMs) => this.lost(place, code, waitMs),
    })
    this.places.add(place)
    return place
  }

  private leave(place: Place, followed: Followed): void {
    if (!place.followed.delete(followed)) return
    place.line.send(frameOf(followed, 'unsubscribe'))
    if (place.followed.size > 0) return
    place.line.close()
    this.places.delete(place)
  }

  private lost(place: Place, code: number, waitMs: number | null): void {
    place.waiting = []
    const then = waitMs === null ? 'given up' : `tried again in ${Math.round(waitMs)} ms`
    const error = new ConnectionError(place.path, `closed with ${code}, ${then}`)
    if (waitMs === null) {
      this.places.delete(place)
      for (const followed of place.followed) followed.refused(error)
    }
    this.settings.trouble(error)
  }

  private heard(place: Place, text: string): void {
    const frame = parsed(text)
    const kind = String(frame.channel ?? frame.type)
    if (kind === 'pong') return
    if (kind === 'error') return this.complained(place, String(frame.data))
    if (isReply(frame)) {
      if (isToSubscribe(frame)) place.waiting.shift()?.acknowledged()
      return
    }
    for (const followed of [...place.followed]) {
      const isIts = isOfficial(followed) ? followed.channel.id === kind : 'data' in frame
      if (isIts && followed.isConcernedBy(frame.data)) followed.hear(frame.data, frame)
    }
  }

  /** The service does not say to whom it complains; it answers in the order of asking. */
  private complained(place: Place, words: string): void {
    const followed = place.waiting.shift()
    const error = new ConnectionError(followed?.channel.id ?? place.path, words)
    if (followed) {
      place.followed.delete(followed)
      followed.refused(error)
    }
    this.settings.trouble(error)
  }
}

const isReply = ({ channel, type }: Wish) =>
  channel === 'subscriptionResponse' || type === 'subscribe' || type === 'unsubscribe'

const isToSubscribe = ({ type, data }: Wish) =>
  type === 'subscribe' || (data as Wish | undefined)?.method === 'subscribe'

function ask(place: Place, followed: readonly Followed[]): void {
  for (const one of followed) {
    place.waiting.push(one)
    place.line.send(frameOf(one, 'subscribe'))
  }
}

function frameOf({ channel, wish }: Followed, method: 'subscribe' | 'unsubscribe'): object {
  return channel.dialect.name === 'official'
    ? { method, subscription: { type: channel.id, ...wish } }
    : { type: method, address: [wish.address] }
}

const withDex = (dex: string) => (dex === '' ? {} : { dex })

/** What is no JSON object is a frame of no kind. */
function parsed(text: string): Wish {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
