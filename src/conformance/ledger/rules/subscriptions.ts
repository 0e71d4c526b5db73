/** What is pushed belongs to a subscription, and begins as one. */

import { isPong } from '../../probe-socket.ts'
import { isJsonObject, type JsonObject } from '../../responses.ts'
import type { Hearing, LedgerRule, Piece } from '../ledger-rule.ts'
import { type OpenSubscription, Sockets } from './socket-state.ts'

const onlySubscribed: LedgerRule = {
  id: 'ledger.only-subscribed',
  title: 'nothing is pushed that was not subscribed on that socket, or has been ended there',
  checks: ['state.subscription.unsubscribed', 'state.addresses.removed', 'channel.allMids'],
  judge: ({ compared, broken }) => {
    const sockets = new Sockets()
    const opened = new Map<number, number>()
    return {
      hear(hearing) {
        const { heard, seq } = hearing
        if (heard.kind === 'opened') opened.set(heard.socket, seq)
        sockets.hear(hearing)
        const push = pushIn(hearing, sockets)
        if (push === null || !('socket' in heard)) return
        compared()
        const present = sockets.of(heard.socket)
        if (present.some((one) => isOf(push, one))) return
        const first = present.at(-1)?.seq ?? opened.get(heard.socket) ?? seq
        const names = present.map(({ channel, subscription }) => ({ channel, subscription }))
        const found = { channel: push.channel, subject: push.subject }
        broken(
          `${push.channel} ${push.subject ?? ''} is pushed, which the socket has not subscribed`,
          { seq: first, value: names },
          { seq, value: found },
        )
      },
    }
  },
}

interface Push {
  channel: string
  /** Coin or address; null where it names none. */
  subject: string | null
}

/** A frame that is no reply; null for any other entry. */
function pushIn({ heard, json }: Hearing, sockets: Sockets): Push | null {
  if (heard.kind !== 'frame' || heard.from !== 'target' || !isJsonObject(json)) return null
  const path = sockets.pathOf(heard.socket)
  const { channel, type, data } = json
  if (path === undefined || isPong(json) || !('data' in json)) return null
  if (path !== '/hl/ws') {
    if (type !== 'data' && channel !== 'clearinghouseState') return null
    return { channel: path, subject: textOf(isJsonObject(data) ? data.address : undefined) }
  }
  if (typeof channel !== 'string' || REPLIES.has(channel)) return null
  const row = Array.isArray(data) ? data[0] : data
  const { coin, s, user } = isJsonObject(row) ? row : ({} as JsonObject)
  return { channel, subject: textOf(COIN_CHANNELS.has(channel) ? (coin ?? s) : user) }
}

const COIN_CHANNELS: ReadonlySet<string> = new Set(['l2Book', 'bbo', 'trades', 'candle'])

const REPLIES: ReadonlySet<string> = new Set(['subscriptionResponse', 'error', 'pong', 'post'])

const textOf = (subject: unknown): string | null =>
  subject === undefined ? null : String(subject).toLowerCase()

/** A push without a subject is judged by its form elsewhere. */
const isOf = (push: Push, { channel, subscription }: OpenSubscription): boolean =>
  channel === push.channel &&
  (push.subject === null || push.subject === textOf(subscription.coin ?? subscription.user))

// Snapshots.

const snapshotFirst: LedgerRule = {
  id: 'ledger.snapshot-first',
  title: 'isSnapshot is only on a snapshot: the first push, or one that repeats what was sent',
  checks: ['event.snapshot'],
  judge: ({ compared, broken }) => {
    const sockets = new Sockets()
    const snapshots = new Map<string, Piece & { rows: Set<string> }>()
    return {
      hear(hearing) {
        for (const key of sockets.hear(hearing)) snapshots.delete(key)
        const { heard, json, seq } = hearing
        // A repeated command may be answered with a snapshot again.
        const renewed = subscribedKey(hearing)
        if (renewed !== null) snapshots.delete(renewed)
        if (heard.kind !== 'frame' || heard.from !== 'target' || !isJsonObject(json)) return
        const { channel, data } = json
        if (!isJsonObject(data) || typeof data.user !== 'string') return
        if (channel !== 'userFills' && channel !== 'userNonFundingLedgerUpdates') return
        const key = `${heard.socket} ${channel} ${data.user.toLowerCase()}`
        const earlier = snapshots.get(key)
        const rows = rowsOf(data)
        const value = { isSnapshot: data.isSnapshot, user: data.user }
        if (earlier === undefined) {
          snapshots.set(key, { seq, value, rows: new Set(rows) })
          return
        }
        compared()
        // While nothing happens, the present snapshot may be sent again: with earlier rows.
        const isNew =
          earlier.rows.size > 0 && rows.length > 0 && !rows.some((row) => earlier.rows.has(row))
        if (data.isSnapshot === true && isNew)
          broken(`${channel}: a push of new rows is called a snapshot`, earlier, { seq, value })
        if (earlier.rows.size < ROWS_MAX) for (const row of rows) earlier.rows.add(row)
      },
    }
  },
}

/** Maximum number of remembered rows of a stream. */
const ROWS_MAX = 20_000

function rowsOf({ fills, nonFundingLedgerUpdates }: JsonObject): string[] {
  const rows = fills ?? nonFundingLedgerUpdates
  return Array.isArray(rows) ? rows.map((row) => JSON.stringify(row)) : []
}

/** `<socket> <channel> <user>` of a subscription by the suite; null for any other entry. */
function subscribedKey({ heard, json }: Hearing): string | null {
  if (heard.kind !== 'frame' || heard.from !== 'suite' || !isJsonObject(json)) return null
  const { method, subscription } = json
  if (method !== 'subscribe' || !isJsonObject(subscription)) return null
  return `${heard.socket} ${subscription.type} ${String(subscription.user ?? '').toLowerCase()}`
}

// Heartbeats.

const heartbeats: LedgerRule = {
  id: 'ledger.heartbeats',
  title:
    'each ping is answered by one pong before 20 s have passed, and no pong is sent without one',
  checks: ['event.ping'],
  judge: ({ compared, broken }) => {
    const open = new Map<
      number,
      { path: string; opened: number; pings: { seq: number; ms: number }[] }
    >()
    let nowMs = 0
    return {
      hear(hearing) {
        const { heard, json, seq } = hearing
        if (heard.kind === 'moved') nowMs += heard.ms
        if (heard.kind === 'opened')
          open.set(heard.socket, { path: heard.request.path, opened: seq, pings: [] })
        const socket = heard.kind === 'frame' ? open.get(heard.socket) : undefined
        if (socket === undefined || heard.kind !== 'frame' || !isJsonObject(json)) return
        if (heard.from === 'suite') {
          const isPing = socket.path === '/hl/ws' ? json.method === 'ping' : json.type === 'ping'
          if (isPing) socket.pings.push({ seq, ms: nowMs })
          return
        }
        if (!isPong(json)) return
        compared()
        const ping = socket.pings.shift()
        const pong = { seq, value: json }
        if (ping === undefined) {
          broken('a pong is sent without a ping', { seq: socket.opened, value: 'no ping' }, pong)
          return
        }
        const lateMs = nowMs - ping.ms
        if (lateMs < HEARTBEAT_MS) return
        broken(
          `a ping is answered only after ${lateMs / 1000} s of the target's time`,
          { seq: ping.seq, value: 'ping' },
          pong,
        )
      },
    }
  },
}

/** The shortest recommended interval of heartbeats: the next ping is due. */
const HEARTBEAT_MS = 20_000

// Books.

const bookFigures: LedgerRule = {
  id: 'ledger.book-figures',
  title: 'every push of a book has as many significant figures as its only subscription asks for',
  checks: ['channel.l2Book.nSigFigs'],
  judge: ({ compared, broken }) => {
    const sockets = new Sockets()
    return {
      hear(hearing) {
        sockets.hear(hearing)
        const { heard, json, seq } = hearing
        if (heard.kind !== 'frame' || heard.from !== 'target' || !isJsonObject(json)) return
        const { channel, data } = json
        if (channel !== 'l2Book' || !isJsonObject(data) || !Array.isArray(data.levels)) return
        // A frame does not say to which of several subscriptions of its coin it belongs.
        const own = sockets
          .of(heard.socket)
          .filter((one) => one.channel === channel && one.subscription.coin === data.coin)
        const [only] = own
        const figures = only?.subscription.nSigFigs
        if (own.length !== 1 || !only || typeof figures !== 'number') return
        compared()
        const wrong = data.levels
          .flat()
          .filter(isJsonObject)
          .find(({ px }) => significant(String(px)) > figures)
        if (wrong === undefined) return
        broken(
          `l2Book ${data.coin}: a price of ${figures} figures is pushed as ${wrong.px}`,
          { seq: only.seq, value: only.subscription },
          { seq, value: wrong },
        )
      },
    }
  },
}

/** Significant figures of a decimal text; zeros at the end of a whole number are none. */
const significant = (text: string): number => {
  const [whole = '', part = ''] = text.split('.')
  const digits = /^0*$/.test(part) ? whole.replace(/0+$/, '') : whole + part.replace(/0+$/, '')
  return digits.replace(/^0+/, '').length
}

export const SUBSCRIPTION_RULES: readonly LedgerRule[] = [
  onlySubscribed,
  snapshotFirst,
  heartbeats,
  bookFigures,
]
