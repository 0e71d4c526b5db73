/** The trades of a coin are pushed once each, in order, and none is left out. */

import type { JsonObject } from '../../responses.ts'
import type { Hearing, LedgerRule, Piece, RuleFindings } from '../ledger-rule.ts'
import { fillsOf, TRADES_MAX, tradesOf } from './heard-fills.ts'
import { keyOf, Sockets } from './socket-state.ts'

// Trades of a coin: each once, in order, none left out.

/** The trades of one subscription since its snapshot. */
interface TradeStream {
  coin: string
  /** By tid. */
  pushed: Map<number, Piece>
  /** The last one after the snapshot. */
  last: Piece | null
  lastTime: number
  /** Text of the first push. */
  snapshot: string | null
}

const tradesOnce: LedgerRule = {
  id: 'ledger.trades-once',
  title: 'each trade of a coin is pushed once, in order of time',
  checks: ['channel.trades'],
  judge: ({ compared, broken }) => {
    const streams = new Map<string, TradeStream>()
    const sockets = new Sockets()
    return {
      hear(hearing) {
        const ended = sockets.hear(hearing)
        for (const key of ended) streams.delete(key)
        const trades = tradesOf(hearing)
        if (trades === null || hearing.heard.kind !== 'frame') return
        const key = `${hearing.heard.socket} ${keyOf('trades', { coin: trades[0]?.coin })}`
        const stream = streams.get(key)
        if (stream === undefined) {
          streams.set(key, newStream(hearing, trades))
          return
        }
        // A snapshot may be sent again while nothing happens.
        if (hearing.heard.text === stream.snapshot) return
        for (const trade of trades) judgeTrade(stream, trade, hearing.seq, { compared, broken })
      },
    }
  },
}

/** By its first push, the snapshot, which may be in any order. */
function newStream({ seq, heard }: Hearing, trades: readonly JsonObject[]): TradeStream {
  const pieces = trades.map((value): [number, Piece] => [Number(value.tid), { seq, value }])
  const lastTime = Math.max(...trades.map(({ time }) => Number(time)))
  const snapshot = heard.kind === 'frame' ? heard.text : null
  const coin = String(trades[0]?.coin)
  return { coin, pushed: new Map(pieces), last: null, lastTime, snapshot }
}

function judgeTrade(
  stream: TradeStream,
  trade: JsonObject,
  seq: number,
  { compared, broken }: RuleFindings,
): void {
  const [tid, piece] = [Number(trade.tid), { seq, value: trade }]
  const known = stream.pushed.get(tid)
  compared()
  if (known !== undefined) {
    broken(`the trade ${tid} of ${stream.coin} is pushed twice on one socket`, known, piece)
    return
  }
  if (stream.pushed.size < TRADES_MAX) stream.pushed.set(tid, piece)
  const time = Number(trade.time)
  if (time < stream.lastTime && stream.last !== null)
    broken(`a trade of ${stream.coin} is pushed after a later one`, stream.last, piece)
  stream.lastTime = Math.max(stream.lastTime, time)
  stream.last = piece
}

// Nothing is left out of a stream.

const tradesWhole: LedgerRule = {
  id: 'ledger.trades-whole',
  title: 'no trade is left out of a stream: each that any other answer or push shows is in it',
  checks: ['channel.trades'],
  judge: ({ compared, broken }) => {
    const streams = new Map<string, WholeStream>()
    const done: WholeStream[] = []
    const known = new Map<string, Map<number, Piece>>()
    const sockets = new Sockets()
    const remember = (coin: string, tid: number, piece: Piece) => {
      const of = known.get(coin) ?? new Map<number, Piece>()
      known.set(coin, of)
      if (of.size < TRADES_MAX && !of.has(tid)) of.set(tid, piece)
    }
    return {
      hear(hearing) {
        for (const key of sockets.hear(hearing)) {
          const stream = streams.get(key)
          if (stream?.live && stream.live.size > 1) done.push(stream)
          streams.delete(key)
        }
        for (const { tid, row } of fillsOf(hearing))
          remember(String(row.coin), tid, { seq: hearing.seq, value: row })
        const trades = tradesOf(hearing)
        if (trades === null || hearing.heard.kind !== 'frame') return
        const coin = String(trades[0]?.coin)
        const key = `${hearing.heard.socket} ${keyOf('trades', { coin })}`
        const stream = streams.get(key) ?? { coin, live: null, fromMs: 0, untilMs: 0, last: null }
        streams.set(key, stream)
        for (const trade of trades)
          remember(coin, Number(trade.tid), { seq: hearing.seq, value: trade })
        extend(stream, trades, hearing.seq)
      },
      end() {
        for (const stream of [...done, ...streams.values()])
          for (const [tid, piece] of known.get(stream.coin) ?? []) {
            const time = Number((piece.value as JsonObject).time)
            if (!stream.live || !stream.last || time <= stream.fromMs || time >= stream.untilMs)
              continue
            compared()
            if (!stream.live.has(tid))
              broken(
                `the trade ${tid} of ${stream.coin} is left out of a stream`,
                piece,
                stream.last,
              )
          }
      },
    }
  },
}

/** Trades after the first push, and the times of the first and the last of them. */
interface WholeStream {
  coin: string
  live: Set<number> | null
  fromMs: number
  untilMs: number
  last: Piece | null
}

function extend(stream: WholeStream, trades: readonly JsonObject[], seq: number): void {
  const times = trades.map(({ time }) => Number(time))
  if (stream.live === null) {
    // The first push is a snapshot, or the first live one: it is not whole.
    stream.live = new Set()
    stream.fromMs = Math.max(...times)
  }
  for (const { tid } of trades) if (stream.live.size < TRADES_MAX) stream.live.add(Number(tid))
  stream.untilMs = Math.max(stream.untilMs, ...times)
  stream.last = { seq, value: trades.at(-1) }
}

export const TRADE_RULES: readonly LedgerRule[] = [tradesOnce, tradesWhole]
