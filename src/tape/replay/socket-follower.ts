/** Follows the sockets of a recording: dialect and subscriptions of each. */
import type { Channel } from '../../contract/channel.ts'
import { streamId } from '../../contract/channel.ts'
import { readBody } from '../../contract/parameter-reader.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { ConnectionData, SocketFrameData } from '../recorded-data.ts'
import { jsonOf, type RecordedRoutes, type RecordedSocket, splitUrl } from './upstream.ts'

/** A subscription of a recorded socket. */
export interface FollowedSubscription {
  /** Equal ids mean equal subscriptions. */
  id: string
  channel: Channel
  subscription: Record<string, unknown>
  /** Time of the request, ms. */
  atMs: number
}

/** A recorded push on a socket: data of a channel. */
export interface RecordedPush {
  /** Channel named by the frame or the socket. */
  channel: string
  data: unknown
  socket: FollowedSocket
}

/** A request in the form of `POST /info`, and its response over a socket. */
export interface RecordedPost {
  question: unknown
  /** Of type `info` or `error`, and its payload. */
  response: Readonly<Record<string, unknown>>
}

/** Called for each subscription as it is made. */
export type SubscribedListener = (made: FollowedSubscription, socket: FollowedSocket) => void

export class FollowedSocket {
  /** By id, in order of subscription. */
  readonly subscriptions = new Map<string, FollowedSubscription>()
  /** Pending requests, by their ids. */
  private readonly posts = new Map<unknown, unknown>()

  constructor(
    readonly socket: RecordedSocket,
    private readonly dex: string,
    private readonly onSubscribed: SubscribedListener,
  ) {}

  /** A client's message: subscribes or unsubscribes. */
  takeCommand(text: string, atMs: number): void {
    const { dialect, channels } = this.socket
    const command = dialect.parse(jsonOf(text), text)
    if (command.command === 'subscribe') {
      const made = this.subscriptionOf(command.subscription, atMs)
      if (made) this.add(made)
    } else if (command.command === 'unsubscribe') {
      const made = this.subscriptionOf(command.subscription, atMs)
      if (made) this.subscriptions.delete(made.id)
    } else if (command.command === 'addresses') {
      const [channel] = channels
      if (channel)
        for (const address of command.addresses) {
          const subscription = { address, dex: this.dex }
          const id = streamId(channel, subscription)
          if (command.add) this.add({ id, channel, subscription, atMs })
          else this.subscriptions.delete(id)
        }
    } else if (command.command === 'post' && command.type === 'info')
      this.posts.set(Number(command.id), command.payload)
  }

  /** The request of a response; null for none. */
  takeResponse(data: unknown): RecordedPost | null {
    const { id, response } = (data ?? {}) as Record<string, unknown>
    if (!this.posts.has(id) || typeof response !== 'object' || response === null) return null
    const question = this.posts.get(id)
    this.posts.delete(id)
    return { question, response: response as Record<string, unknown> }
  }

  private add(made: FollowedSubscription): void {
    if (this.subscriptions.has(made.id)) return
    this.subscriptions.set(made.id, made)
    this.onSubscribed(made, this)
  }

  private subscriptionOf(
    request: Record<string, unknown>,
    atMs: number,
  ): FollowedSubscription | null {
    const channel = this.socket.channels.find(({ id }) => id === request.type)
    if (!channel) return null
    const read = readBody(channel.subscription, request)
    if (isRefusal(read)) return null
    const subscription = read as Record<string, unknown>
    if (typeof subscription.user === 'string') subscription.user = subscription.user.toLowerCase()
    return { id: streamId(channel, subscription), channel, subscription, atMs }
  }
}

export class SocketFollower {
  private readonly sockets = new Map<number, FollowedSocket>()

  constructor(
    private readonly routes: RecordedRoutes,
    private readonly onSubscribed: SubscribedListener = () => {},
  ) {}

  /** Handles a connection's opening or end. */
  connection(data: ConnectionData): void {
    if (data.event === 'close') {
      this.sockets.get(data.connection)?.subscriptions.clear()
      this.sockets.delete(data.connection)
    }
    if (data.event !== 'open' || (data.continued && this.sockets.has(data.connection))) return
    const { path, query } = splitUrl(data.url)
    const socket = this.routes.socketAt(path)
    if (!socket) return
    const dex = new URLSearchParams(query).get('dex') ?? ''
    this.sockets.set(data.connection, new FollowedSocket(socket, dex, this.onSubscribed))
  }

  /** Handles a frame. Returns pushes and answered requests; null for anything else. */
  frame(data: SocketFrameData, atMs: number): RecordedPush | RecordedPost | null {
    const { connection, direction, text, control } = data
    const socket = this.sockets.get(connection)
    if (!socket || text === undefined || control !== undefined) return null
    if (direction === 'in') {
      socket.takeCommand(text, atMs)
      return null
    }
    const message = jsonOf(text)
    const { channel, data: answered } = (message ?? {}) as Record<string, unknown>
    if (channel === 'post') return socket.takeResponse(answered)
    const push = pushIn(message, socket.socket)
    return push && { channel: push.channel, data: push.data, socket }
  }
}

/** Replies to commands are no pushes. */
const REPLIES: ReadonlySet<unknown> = new Set(['subscriptionResponse', 'pong', 'error', 'post'])

function pushIn(
  frame: unknown,
  { dialect, channels }: RecordedSocket,
): { channel: string; data: unknown } | null {
  if (typeof frame !== 'object' || frame === null) return null
  const { channel, type, data } = frame as Record<string, unknown>
  if (data === undefined || REPLIES.has(channel)) return null
  if (dialect.name === 'addresses') {
    const isPush = type === 'data' || channel === 'clearinghouseState'
    return isPush && channels[0] ? { channel: channels[0].id, data } : null
  }
  return typeof channel === 'string' ? { channel, data } : null
}
