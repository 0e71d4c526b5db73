/** Fills are the same on every channel and in every answer, and no follower misses one. */

import { isPong } from '../../probe-socket.ts'
import { isJsonObject, type JsonObject } from '../../responses.ts'
import type { Hearing, LedgerRule, Piece } from '../ledger-rule.ts'
import { fillsOf, TRADES_MAX, tradesOf } from './heard-fills.ts'
import { keyOf, Sockets } from './socket-state.ts'

/** Fields of a fill that are equal in every form, and those that a trade has as well. */
const FILL_FIELDS = [
  'coin',
  'px',
  'sz',
  'side',
  'time',
  'startPosition',
  'dir',
  'closedPnl',
  'hash',
  'oid',
  'crossed',
  'fee',
  'feeToken',
  'twapId',
  'builderFee',
]
const TRADE_FIELDS = ['coin', 'px', 'sz', 'time', 'hash']

const fillsConfirmed: LedgerRule = {
  id: 'ledger.fills-confirmed',
  title: 'a fill is the same on every channel and in every answer, with its fee, and as the trade',
  checks: ['operation.perpdex.fillsOfAddress', 'event.fills', 'channel.trades'],
  judge: ({ compared, broken }) => {
    const fills = new Map<string, Piece>()
    const trades = new Map<number, Piece>()
    const simple = new SimpleFills()
    const aggregated = new Set<number>()
    const compare = (fields: readonly string[], known: Piece, piece: Piece, what: string) => {
      compared()
      const [before, after] = [known.value, piece.value] as [JsonObject, JsonObject]
      const name = fields.find(
        (field) => field in before && field in after && !isSameValue(before[field], after[field]),
      )
      if (name !== undefined) broken(`${what} has another ${name}`, known, piece)
    }
    return {
      hear(hearing) {
        const { seq } = hearing
        if (isAggregating(hearing, aggregated)) return
        simple.hear(hearing)
        for (const trade of tradesOf(hearing) ?? []) {
          const piece = { seq, value: trade }
          const tid = Number(trade.tid)
          const known = trades.get(tid)
          if (known) compare(TRADE_FIELDS, known, piece, `the trade ${tid}`)
          else if (trades.size < TRADES_MAX) trades.set(tid, piece)
        }
        for (const { tid, address, row } of fillsOf(hearing)) {
          const piece = { seq, value: row }
          const trade = trades.get(tid)
          if (trade) compare(TRADE_FIELDS, trade, piece, `the fill of the trade ${tid}`)
          // Both sides of a trade have its id.
          const key = `${tid} ${address ?? ''} ${row.oid}`
          const known = fills.get(key)
          if (known)
            compare(FILL_FIELDS, known, piece, `the fill ${tid} of ${address ?? 'an order'}`)
          else if (fills.size < TRADES_MAX) fills.set(key, piece)
        }
      },
      end() {
        for (const piece of fills.values()) {
          const shown = simple.like(piece.value as JsonObject)
          if (shown === null) continue
          compared()
          const { px, sz, tid } = piece.value as JsonObject
          const isShown = (shown.value as JsonObject[]).some(
            ({ price, size }) => isSameValue(price, px) && isSameValue(size, sz),
          )
          if (!isShown) broken(`the fill ${tid} has another price or size over REST`, piece, shown)
        }
      },
    }
  },
}

/** Fills in the simple form, which has no trade id: those of an order and an instant. */
class SimpleFills {
  private readonly groups = new Map<string, Piece>()

  hear(hearing: Hearing): void {
    const { heard, operation, data, seq } = hearing
    if (heard.kind !== 'answer' || operation?.id !== 'perpdex.fillsOfAddress') return
    if (!Array.isArray(data) || this.groups.size > TRADES_MAX) return
    const rows = data.filter(isJsonObject).filter(({ price }) => price !== undefined)
    const times = rows.map(({ time }) => Number(time))
    const [oldest, newest] = [Math.min(...times), Math.max(...times)]
    const groups = new Map<string, JsonObject[]>()
    for (const row of rows) {
      // The limit may cut a group, and the present instant may not be over.
      if (row.time === oldest || row.time === newest) continue
      const key = `${row.oid} ${row.time}`
      const group = groups.get(key)
      if (group) group.push(row)
      else groups.set(key, [row])
    }
    for (const [key, value] of groups)
      if (!this.groups.has(key)) this.groups.set(key, { seq, value })
  }

  /** The fills of the same order and instant; null where none were heard. */
  like({ oid, time }: JsonObject): Piece | null {
    return this.groups.get(`${oid} ${time}`) ?? null
  }
}

/** Numbers written in different ways are equal. */
const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other ||
  JSON.stringify(one) === JSON.stringify(other) ||
  (typeof one === 'string' &&
    typeof other === 'string' &&
    NUMBER.test(one) &&
    Number(one) === Number(other))

const NUMBER = /^-?\d+(\.\d+)?$/

/** Whether fills of several trades are merged in it, or may be on its socket. */
function isAggregating({ heard, json }: Hearing, sockets: Set<number>): boolean {
  if (heard.kind === 'answer') return JSON.stringify(heard.request).includes('aggregateByTime')
  if (heard.kind !== 'frame') return false
  if (heard.from === 'suite' && heard.text.includes('aggregateByTime')) sockets.add(heard.socket)
  return sockets.has(heard.socket) && isJsonObject(json) && json.channel === 'userFills'
}

// No follower misses a fill.

const fillsWhole: LedgerRule = {
  id: 'ledger.fills-whole',
  title: 'every socket that follows an account is sent its fills, however the address is spelled',
  checks: ['channel.userFills', 'event.fills'],
  judge: ({ compared, broken }) => {
    const sockets = new Sockets()
    const followers = new Map<string, Follower>()
    const pongs = new Map<number, number>()
    const pushes: { address: string; tid: number; afterSeq: number; piece: Piece }[] = []
    const ended: Follower[] = []
    return {
      hear(hearing) {
        const { heard, json, seq } = hearing
        for (const key of sockets.hear(hearing)) {
          const follower = followers.get(key)
          if (follower) ended.push(follower)
          followers.delete(key)
        }
        if (heard.kind !== 'frame' || !isJsonObject(json)) return
        if (heard.from === 'suite') return follow(hearing, sockets, followers)
        if (isPong(json)) {
          pongs.set(heard.socket, seq)
          for (const follower of followers.values())
            if (follower.socket === heard.socket) follower.pongs.push(seq)
          return
        }
        for (const { tid, address } of fillsOf(hearing)) {
          if (address === null || json.channel === 'userFills') continue
          const piece = { seq, value: (json.data as JsonObject) ?? null }
          const path = sockets.pathOf(heard.socket) ?? ''
          followers.get(`${heard.socket} ${keyOf(path, { user: address })}`)?.tids.add(tid)
          const afterSeq = pongs.get(heard.socket) ?? -1
          if (pushes.length < TRADES_MAX) pushes.push({ address, tid, afterSeq, piece })
        }
      },
      end() {
        for (const follower of [...ended, ...followers.values()])
          for (const push of pushes) {
            if (push.address !== follower.address || push.afterSeq < follower.seq) continue
            // What it is sent may arrive a little later than on the other socket.
            if (follower.pongs.filter((pong) => pong > push.piece.seq).length < 2) continue
            compared()
            if (!follower.tids.has(push.tid))
              broken(
                `the fill ${push.tid} of ${push.address} is not sent to another follower`,
                push.piece,
                { seq: follower.seq, value: follower.spelled },
              )
          }
      },
    }
  },
}

/** A socket that follows an address. */
interface Follower {
  socket: number
  address: string
  /** As it was subscribed. */
  spelled: string
  seq: number
  tids: Set<number>
  pongs: number[]
}

function follow(
  { heard, json, seq }: Hearing,
  sockets: Sockets,
  followers: Map<string, Follower>,
): void {
  if (heard.kind !== 'frame' || !isJsonObject(json) || json.type !== 'subscribe') return
  const path = sockets.pathOf(heard.socket)
  if (path !== '/hl/ws/fills' || !Array.isArray(json.address)) return
  for (const spelled of json.address.map(String)) {
    const key = `${heard.socket} ${keyOf(path, { user: spelled })}`
    const address = spelled.toLowerCase()
    if (!followers.has(key))
      followers.set(key, {
        socket: heard.socket,
        address,
        spelled,
        seq,
        tids: new Set(),
        pongs: [],
      })
  }
}

export const FILL_RULES: readonly LedgerRule[] = [fillsConfirmed, fillsWhole]
