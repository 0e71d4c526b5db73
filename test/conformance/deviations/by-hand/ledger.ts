/** Lies that no single answer shows: what was said before contradicts them. */
import { HISTORIES } from '../../../../src/conformance/ledger/rules/immutable-past.ts'
import type { Change } from '../../../../src/conformance/lies/lying-transport.ts'
import { isJsonObject, isSameJson } from '../../../../src/conformance/responses.ts'
import { routed } from '../routed.ts'
import type { AnyJson } from './shorthand.ts'
import { data, frames } from './shorthand.ts'

export interface LedgerLie {
  /** The rule that must notice it. */
  rule: string
  title: string
  /** Cases that are needed besides `sockets.minutes.together`. */
  cases?: readonly string[]
  change: () => Change
}

const lies = (rule: string, changes: Record<string, () => Change>): LedgerLie[] =>
  Object.entries(changes).map(([title, change]) => ({ rule: `ledger.${rule}`, title, change }))

/** Frames of trades after the first push of each coin. */
function liveTrades(change: (frame: AnyJson, rank: number) => unknown): Change {
  return {
    connection: () => {
      const ranks = new Map<string, number>()
      return {
        frame: (text) => {
          const frame = JSON.parse(text)
          if (frame.channel !== 'trades') return [text]
          const coin = String(frame.data[0].coin)
          const rank = ranks.get(coin) ?? 0
          ranks.set(coin, rank + 1)
          const changed = rank === 0 ? frame : change(frame, rank)
          const all = Array.isArray(changed) ? changed : changed === null ? [] : [changed]
          return all.map((one) => JSON.stringify(one))
        },
      }
    },
  }
}

/** Changes an answer of a path that was answered before. */
function later(path: RegExp, change: (data: AnyJson) => unknown): Change {
  const counts = new Map<string, number>()
  return data(path, (given, at) => {
    const key = (at.split('?')[0] ?? '') + (/(interval|limit)=\w+/.exec(at)?.[0] ?? '')
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return count === 0 ? given : change(given)
  })
}

const nudged = (value: unknown): unknown =>
  typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${Number(value) + 1}` : value

/** A row in the middle has another value. */
function oneRow(rows: AnyJson, name: string): AnyJson {
  if (!Array.isArray(rows)) return rows
  const middle = rows.length >> 1
  return rows.map((row, at) => (at === middle ? withNudged(row, name) : row))
}

function withNudged(row: AnyJson, name: string): AnyJson {
  if (!Array.isArray(row)) return { ...row, [name]: nudged(row[name]) }
  return row.map((value, at) => (String(at) === name ? nudged(value) : value))
}

const TRADES: readonly LedgerLie[] = [
  ...lies('trades-once', {
    'one push of trades in ten is repeated after the next one': () => {
      let held: AnyJson = null
      return liveTrades((frame, rank) => {
        if (rank % 10 === 0) held = frame
        else if (held !== null) {
          const again = [frame, held]
          held = null
          return again
        }
        return frame
      })
    },
    'two pushes of trades are merged out of order': () => {
      let held: AnyJson = null
      return liveTrades((frame, rank) => {
        if (rank % 7 === 0 && held === null) {
          held = frame
          return null
        }
        const both = held === null ? frame : { ...frame, data: [...frame.data, ...held.data] }
        held = null
        return both
      })
    },
  }),
  ...lies('trades-whole', {
    'one push of trades in ten is lost': () =>
      liveTrades((frame, rank) => (rank % 10 === 5 ? null : frame)),
  }),
  ...lies('fills-confirmed', {
    'the fee of a pushed fill is not that of REST': () =>
      frames((frame) =>
        frame.type === 'data' && frame.data.fee
          ? { ...frame, data: { ...frame.data, fee: nudged(frame.data.fee) } }
          : frame,
      ),
    'REST gives a fill another price than the push': () =>
      data(/\/hl\/fills\/0x/, (rows) =>
        rows.map((row: AnyJson) => ({ ...row, price: nudged(row.price) })),
      ),
    'userFills of info has another fee than the push': () =>
      data(/\/hl\/info/, (rows) =>
        Array.isArray(rows)
          ? rows.map((row: AnyJson) => (row.tid ? { ...row, fee: nudged(row.fee) } : row))
          : rows,
      ),
    'a trade has another size than the fills': () =>
      liveTrades((frame) => ({
        ...frame,
        data: frame.data.map((trade: AnyJson) => ({ ...trade, sz: nudged(trade.sz) })),
      })),
  }),
  ...lies('fills-whole', {
    'addresses in upper case are acknowledged and never heard': () => ({
      connection: () => ({
        sent: (frame, tell) => {
          if (!/"0x\d*[A-F]/.test(frame) || !frame.includes('"subscribe"')) return [frame]
          tell('{"type":"subscribe"}')
          return []
        },
      }),
    }),
    'every second fill is not sent to the second follower': () => {
      let sockets = 0
      return {
        connection: (path) => {
          const rank = path.includes('/ws/fills') ? sockets++ : 0
          let fills = 0
          return {
            frame: (text) =>
              rank === 1 && text.includes('"type":"data"') && fills++ % 2 === 0 ? [] : [text],
          }
        },
      }
    },
  }),
  ...lies('candles-confirmed', {
    'a candle is pushed after its close with another volume': () => ({
      connection: () => {
        const last = new Map<string, AnyJson>()
        return {
          frame: (text) => {
            const frame = JSON.parse(text)
            if (frame.channel !== 'candle') return [text]
            const { s, i, t, v } = frame.data
            const before = last.get(`${s} ${i}`)
            last.set(`${s} ${i}`, frame.data)
            if (before === undefined || before.t === t) return [text]
            const late = { ...frame, data: { ...before, v: nudged(v) } }
            return [text, JSON.stringify(late)]
          },
        }
      },
    }),
    'pushed candles have more trades than those of REST': () =>
      frames((frame) =>
        frame.channel === 'candle'
          ? { ...frame, data: { ...frame.data, n: frame.data.n + 5 } }
          : frame,
      ),
    'the opening price of a running candle moves': () => {
      let count = 0
      return frames((frame) =>
        frame.channel === 'candle'
          ? { ...frame, data: { ...frame.data, o: `${Number(frame.data.o) + count++}` } }
          : frame,
      )
    },
  }),
]

// The past: each history, and candles and equal rows.

/** For each history: a value of a row in the middle is another one when it is read again. */
const PAST: readonly LedgerLie[] = [
  ...lies('closed-candles', {
    'a closed candle has another high when it is read again': () =>
      later(/klines-with-taker-vol/, (rows) => oneRow(rows, 'high')),
  }),
  ...[...HISTORIES.keys()].map((of) => ({
    rule: 'ledger.past-rows',
    title: `${of}: a row in the middle has another value when it is read again`,
    change: () => changedHistory(of),
  })),
  ...lies('settled', {
    'a completed trade earns more when it is read again': () =>
      later(/completed-trades/, (rows) => oneRow(rows, 'pnl')),
  }),
  ...lies('equal-rows', {
    'fills of one instant stand in another order in every second answer': () =>
      later(/\/hl\/(fills|orders)\/0x/, turnedTies),
  }),
]

function changedHistory(of: string): Change {
  const counts = new Map<string, number>()
  return {
    answer: (received, sent) => {
      if (routed(sent.method, sent.path)?.operation.id !== of) return received
      const key = sent.path.replace(/&?(AccessKeyId|Signature\w*|Timestamp)=[^&]*/g, '')
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      if (count === 0) return received
      const body = JSON.parse(received.text)
      return { ...received, text: JSON.stringify({ ...body, data: changedRows(of, body.data) }) }
    },
  }
}

/** The list of a history with another last value in its middle row. */
function changedRows(of: string, given: AnyJson): AnyJson {
  const change = (rows: AnyJson[]) => {
    const names =
      isJsonObject(rows[0]) || Array.isArray(rows[0]) ? Object.keys(rows[0] as object) : []
    return oneRow(rows, names.findLast((name) => nameable(rows[rows.length >> 1], name)) ?? '')
  }
  if (Array.isArray(given)) return change(given)
  if (!isJsonObject(given)) return given
  const history = HISTORIES.get(of)
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      isSameJson(history?.rows(given), value) && Array.isArray(value) ? change(value) : value,
    ]),
  )
}

const nameable = (row: AnyJson, name: string): boolean =>
  !/time|^t$|^0$/i.test(name) && !Number.isNaN(Number(row?.[name] ?? Number.NaN))

function turnedTies(rows: AnyJson): AnyJson {
  if (!Array.isArray(rows)) return rows
  const times = new Map<number, AnyJson[]>()
  for (const row of rows) times.set(row.time, [...(times.get(row.time) ?? []), row])
  return rows.map((row) => times.get(row.time)?.pop())
}

// Sockets and answers.

const SAID: readonly LedgerLie[] = [
  ...lies('only-subscribed', {
    'allMids is pushed beside each pong': () =>
      frames((frame) =>
        frame.channel === 'pong'
          ? [{ channel: 'allMids', data: { mids: { BTC: '1' } } }, frame]
          : frame,
      ),
    'trades of another coin are pushed as well': () =>
      frames((frame) =>
        frame.channel === 'trades'
          ? [
              frame,
              { ...frame, data: frame.data.map((one: AnyJson) => ({ ...one, coin: 'DOGE' })) },
            ]
          : frame,
      ),
    'fills of an account that is not followed are pushed': () =>
      frames((frame) =>
        frame.type === 'data' && frame.data.tid
          ? [frame, { ...frame, data: { ...frame.data, address: '0x1' } }]
          : frame,
      ),
  }),
  ...lies('snapshot-first', {
    'every push of userFills is a snapshot': () =>
      frames((frame) =>
        frame.channel === 'userFills'
          ? { ...frame, data: { ...frame.data, isSnapshot: true } }
          : frame,
      ),
  }),
  ...lies('book-figures', {
    'all but the first push of a book with four figures has one more': () => {
      const few = new Set<string>()
      return frames((frame) => {
        if (frame.channel !== 'l2Book') return frame
        const levels = frame.data.levels as AnyJson[][]
        const isFew = levels.flat().every(({ px }) => /0\.0$/.test(px))
        if (!isFew || !few.has(frame.data.coin)) {
          if (isFew) few.add(frame.data.coin)
          return frame
        }
        const finer = (row: AnyJson) => ({ ...row, px: row.px.replace(/0$/, '1') })
        return { ...frame, data: { ...frame.data, levels: levels.map((side) => side.map(finer)) } }
      })
    },
  }),
  ...lies('content-types', {
    'successes of prices are sent as latin-1': () => ({
      answer: (received, sent) =>
        sent.path.includes('/hl/klines') && received.status === 200
          ? { ...received, contentType: 'application/json; charset=latin-1' }
          : received,
    }),
  }),
  ...lies('heartbeats', {
    'each pong is sent twice': () =>
      frames((frame) =>
        frame.channel === 'pong' || frame.type === 'pong' ? [frame, frame] : frame,
      ),
  }),
  ...lies('same-instant', {
    'every second answer of the open interest has a higher last value': () => {
      let count = 0
      return data(/open-interest\/history/, (rows) => {
        const last = rows.at(-1)
        const name = Object.keys(last).findLast((one) => nameable(last, one)) ?? ''
        return count++ % 2 === 0 ? rows : [...rows.slice(0, -1), withNudged(last, name)]
      })
    },
  }),
  ...lies('identities', {
    'the latest fills of an address have other sizes than those of info': () =>
      data(/\/hl\/fills\/0x/, (rows) =>
        rows.map((row: AnyJson) => ({ ...row, size: nudged(row.size) })),
      ),
  }),
  {
    rule: 'ledger.refusal-envelopes',
    title: '403 of futures is in envelope A',
    cases: ['access.futures.fundingRateHistory.permission'],
    change: () => ({
      answer: (received, sent) =>
        received.status === 403 && sent.path.includes('/futures/')
          ? {
              ...received,
              text: JSON.stringify({
                success: false,
                errorCode: 403,
                error: JSON.parse(received.text).msg,
                data: null,
              }),
            }
          : received,
    }),
  },
]

export const LEDGER_LIES: readonly LedgerLie[] = [...TRADES, ...PAST, ...SAID]
