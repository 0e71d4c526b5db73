/** What each socket has subscribed, as its frames in both directions say. */

import { isJsonObject, type JsonObject } from '../../responses.ts'
import type { Hearing } from '../ledger-rule.ts'

/** A subscription of a socket. */
export interface OpenSubscription {
  /** Entry that sent it. */
  seq: number
  /** `trades`, or the path of a socket by addresses. */
  channel: string
  /** `{coin}` or `{user}` with its options. */
  subscription: JsonObject
}

interface OpenSocket {
  path: string
  active: Map<string, OpenSubscription>
  /** Keys of the addresses that were ended and are not yet acknowledged. */
  leaving: string[][]
}

/** Follows the subscriptions of all sockets of a target. */
export class Sockets {
  private readonly open = new Map<number, OpenSocket>()

  /** Follows an entry. Returns `<socket> <key>` of each subscription that it ends. */
  hear(hearing: Hearing): string[] {
    const { heard, json } = hearing
    if (heard.kind === 'opened') {
      this.open.set(heard.socket, { path: heard.request.path, active: new Map(), leaving: [] })
      return []
    }
    const socket = 'socket' in heard ? this.open.get(heard.socket) : undefined
    if (socket === undefined || !('socket' in heard)) return []
    if (heard.kind === 'closed') {
      this.open.delete(heard.socket)
      return [...socket.active.keys()].map((key) => `${heard.socket} ${key}`)
    }
    if (!isJsonObject(json)) return []
    if (heard.kind === 'frame' && heard.from === 'suite') sent(socket, json, hearing.seq)
    else return acknowledged(socket, json).map((key) => `${heard.socket} ${key}`)
    return []
  }

  /** Path of an open socket. */
  pathOf(socket: number): string | undefined {
    return this.open.get(socket)?.path
  }

  /** The present subscriptions of a socket. */
  of(socket: number): readonly OpenSubscription[] {
    return [...(this.open.get(socket)?.active.values() ?? [])]
  }
}

function sent({ path, active, leaving }: OpenSocket, frame: JsonObject, seq: number): void {
  const { method, type, subscription } = frame
  if (method === 'subscribe' && isJsonObject(subscription))
    add(active, { seq, channel: String(subscription.type), subscription })
  const addresses = Array.isArray(frame.address) ? frame.address : []
  const of = addresses.map((user) => ({ seq, channel: path, subscription: { user } }))
  if (type === 'subscribe') for (const one of of) add(active, one)
  if (type === 'unsubscribe')
    leaving.push(of.map(({ channel, subscription }) => keyOf(channel, subscription)))
}

/** What was ended is silent from its acknowledgement on. */
function acknowledged({ active, leaving }: OpenSocket, frame: JsonObject): string[] {
  const { channel, type, data } = frame
  const ended = type === 'unsubscribe' ? (leaving.shift() ?? []) : []
  if (channel === 'subscriptionResponse' && isJsonObject(data) && data.method === 'unsubscribe') {
    const { subscription } = data
    if (isJsonObject(subscription)) ended.push(keyOf(String(subscription.type), subscription))
  }
  return ended.filter((key) => active.delete(key))
}

function add(active: Map<string, OpenSubscription>, one: OpenSubscription): void {
  const key = keyOf(one.channel, one.subscription)
  if (!active.has(key)) active.set(key, one)
}

/** Channel, coin or address, and the options that make another subscription. */
export function keyOf(channel: string, { coin, user, interval, nSigFigs }: JsonObject): string {
  const options = [interval, nSigFigs].filter((one) => one !== undefined && one !== null)
  return [channel, String(coin ?? user ?? '').toLowerCase(), ...options].join(' ')
}
