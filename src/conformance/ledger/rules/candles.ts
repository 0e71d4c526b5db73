/** Candles: closed ones never change, and pushed ones are those that REST shows. */

import { isJsonObject, type JsonObject } from '../../responses.ts'
import type { Hearing, LedgerRule, Piece } from '../ledger-rule.ts'
import { RowMemory } from './immutable-past.ts'

/** Maximum number of remembered candles of sockets. */
const CANDLES_MAX = 300_000

/** The fields of a candle, with its coin, interval and opening time as key. */
interface HeardCandle {
  key: string
  t: number
  values: JsonObject
}

/** Candles of a successful answer; empty for other entries. */
function candlesIn(hearing: Hearing): HeardCandle[] {
  const { heard, operation, data } = hearing
  if (heard.kind !== 'answer' || !Array.isArray(data)) return []
  const rows = data.filter(isJsonObject)
  if (operation?.id === 'perpdex.klinesWithTakerVol') {
    const [coin, interval] = heard.request.path.split('/').slice(-2)
    const of = `${decodeURIComponent(coin ?? '')} ${interval}`
    return rows.map((row) => ({
      key: of,
      t: Number(row.openTime),
      values: { o: row.open, h: row.high, l: row.low, c: row.close, v: row.size, n: row.tc },
    }))
  }
  const { body } = heard.request
  if (operation?.id !== 'perpdex.info' || !isJsonObject(body) || body.type !== 'candleSnapshot')
    return []
  return rows.map(({ s, i, t, o, h, l, c, v, n }) => ({
    key: `${s} ${i}`,
    t: Number(t),
    values: { o, h, l, c, v, n },
  }))
}

/** Numbers written in different ways are equal. */
const isSameNumbers = (one: JsonObject, other: JsonObject): boolean =>
  Object.keys(one).every((name) => Number(one[name]) === Number(other[name]))

const closedCandles: LedgerRule = {
  id: 'ledger.closed-candles',
  title: 'a closed candle is the same in every answer, by candleSnapshot and with taker volumes',
  checks: ['operation.perpdex.klinesWithTakerVol', 'operation.perpdex.info'],
  judge: ({ compared, broken }) => {
    const memory = new RowMemory()
    return {
      hear(hearing) {
        const candles = candlesIn(hearing)
        const newest = Math.max(...candles.map(({ t }) => t))
        for (const { key, t, values } of candles) {
          // The newest one may be running.
          if (t === newest) continue
          const piece = { seq: hearing.seq, value: { t, ...values } }
          const earlier = memory.earlier(`${key} ${t}`, piece)
          if (earlier === null || earlier.seq === hearing.seq) continue
          compared()
          if (!isSameNumbers(earlier.value as JsonObject, piece.value))
            broken(`the closed candle ${key} of ${t} has changed`, earlier, piece)
        }
      },
    }
  },
}

// Candles of the socket.

const candlesConfirmed: LedgerRule = {
  id: 'ledger.candles-confirmed',
  title: 'a pushed candle only grows, ends with its interval, and is the one that REST shows',
  checks: ['channel.candle', 'operation.perpdex.klinesWithTakerVol'],
  judge: ({ compared, broken }) => {
    const latest = new Map<string, Piece>()
    const newest = new Map<string, Piece>()
    return {
      hear(hearing) {
        const { heard, json, seq } = hearing
        for (const { key, t, values } of candlesIn(hearing)) {
          const pushed = latest.get(`${key} ${t}`)
          if (pushed === undefined) continue
          compared()
          const name = shrinking(pushed.value as JsonObject, values)
          if (name !== null && isNewestOf(hearing, t) === false)
            broken(`the candle ${key} of ${t} was pushed with another ${name}`, pushed, {
              seq,
              value: { t, ...values },
            })
        }
        if (heard.kind !== 'frame' || heard.from !== 'target' || !isJsonObject(json)) return
        const candle = json.channel === 'candle' && isJsonObject(json.data) ? json.data : null
        if (candle === null) return
        const key = `${candle.s} ${candle.i}`
        const stream = `${heard.socket} ${key}`
        const piece = { seq, value: candle }
        const last = newest.get(stream)
        const before = last?.value as JsonObject | undefined
        if (last && before && Number(candle.t) < Number(before.t)) {
          compared()
          broken(`a candle ${key} is pushed after its successor`, last, piece)
        }
        if (last && before && candle.t === before.t) {
          compared()
          const name = shrinking(before, candle)
          if (name !== null) broken(`a running candle ${key} shrinks in ${name}`, last, piece)
        }
        newest.set(stream, piece)
        if (latest.size < CANDLES_MAX) latest.set(`${key} ${candle.t}`, piece)
      },
    }
  },
}

/** Whether an answer's candle is its newest, which may be older than a push. */
const isNewestOf = (hearing: Hearing, t: number): boolean =>
  candlesIn(hearing).every((candle) => candle.t <= t)

/** A field by which the later values cannot be those of the same candle; null for none. */
function shrinking(before: JsonObject, after: JsonObject): string | null {
  const is = (name: string, holds: (a: number, b: number) => boolean) =>
    !(name in before && name in after) || holds(Number(before[name]), Number(after[name]))
  if (!is('o', (a, b) => a === b)) return 'o'
  if (!is('l', (a, b) => b <= a)) return 'l'
  return ['h', 'v', 'n', 'a', 'nb', 'vb', 'ab'].find((name) => !is(name, (a, b) => b >= a)) ?? null
}

export const CANDLE_RULES: readonly LedgerRule[] = [closedCandles, candlesConfirmed]
