import { UserError } from '../../../user-error.ts'
import type { EventDraft, Level, Side } from '../../tape-event.ts'
import { hourlyRate } from '../hourly-rate.ts'
import { readTimeMs, type TimeUnit } from '../time-text.ts'
import type { MappedRecord } from './field-access.ts'
import type { MappedContext } from './mapped-context.ts'
import { sideLevels } from './mapped-levels.ts'
import type { MappedKind, RecordMapping } from './mapping.ts'

/** The events of a record. */
export type MappedDrafts = (record: MappedRecord) => EventDraft[]

/** Reads records as the mapping says; fields that are not there are refused now. */
export function openKind(context: MappedContext): MappedDrafts {
  const { mapping, access, numbers, coin } = context
  const time = access.field(mapping.time ?? '')
  const unit = (mapping.timeUnit ?? 'auto') as TimeUnit
  const draftsOf = KINDS[mapping.kind](context)
  return (record) => {
    const symbol = coin(record)
    if (symbol === null) throw new UserError('names no coin')
    const timeMs = readTimeMs(time(record) ?? '', unit)
    return draftsOf(record, numbers.coin(symbol, mapping), timeMs)
  }
}

type Drafts = (record: MappedRecord, coin: string, time: number) => EventDraft[]

const KINDS: Record<MappedKind, (context: MappedContext) => Drafts> = {
  trade(context) {
    const { mapping, access } = context
    const [level, side] = [levelOf(context), takerOf(context)]
    const tid = mapping.tid === undefined ? null : access.field(mapping.tid)
    return (record, coin, time) => {
      const { px, sz } = level(record, coin)
      const id = tid?.(record) ?? ''
      const numbered = /^\d{1,15}$/.test(id) ? { tid: Number(id) } : {}
      return [
        { time, kind: 'trade', coin, data: { side: side(record, coin, px), px, sz, ...numbered } },
      ]
    }
  },
  liquidation(context) {
    const [level, side] = [levelOf(context), sideOf(context)]
    return (record, coin, time) => {
      const { px, sz } = level(record, coin)
      const position = side(record) === 'A' ? 'long' : 'short'
      return [{ time, kind: 'liquidation', coin, data: { position, sz, markPx: px, tids: [] } }]
    }
  },
  level(context) {
    const { mapping, access, groups } = context
    const [level, side] = [levelOf(context), sideOf(context)]
    const snapshot = mapping.snapshot === undefined ? null : access.field(mapping.snapshot)
    const message = access.field(mapping.message ?? mapping.time ?? '')
    return (record, coin, time) => {
      const { px, sz } = level(record, coin)
      return groups.put({
        coin,
        time,
        message: message(record) ?? '',
        // Where no column says it, every message is the full book.
        isWhole: snapshot === null,
        isSnapshot:
          snapshot === null || /^(?:true|1|snapshot|t|yes)$/i.test(snapshot(record) ?? ''),
        side: side(record) === 'B' ? 'bid' : 'ask',
        level: [px, sz, sz === '0' ? 0 : 1],
      })
    }
  },
  book: (context) => sides(context, 'book'),
  delta: (context) => sides(context, 'delta'),
  bbo(context) {
    const { mapping, numbers, access } = context
    const best = (pxName: string | number = '', szName: string | number = '') => {
      const [px, sz] = [access.field(pxName), access.field(szName)]
      return (record: MappedRecord, coin: string): Level | null => {
        const written = px(record)
        if (written === null) return null
        const price = numbers.px(coin, written, mapping)
        const size = numbers.sz(coin, sz(record), price, mapping)
        return size === '0' ? null : [price, size, 1]
      }
    }
    const [bid, ask] = [best(mapping.bidPx, mapping.bidSz), best(mapping.askPx, mapping.askSz)]
    return (record, coin, time) => [
      { time, kind: 'bbo', coin, data: { bid: bid(record, coin), ask: ask(record, coin) } },
    ]
  },
  mark(context) {
    const [mark, oracle] = [numberOf(context, 'mark'), numberOf(context, 'oracle')]
    return (record, coin, time) => {
      const data = { mark: needed(mark(record), 'mark'), oracle: needed(oracle(record), 'oracle') }
      return [{ time, kind: 'mark', coin, data }]
    }
  },
  funding(context) {
    const { rateHours = 1, premium: named } = context.mapping
    const rate = numberOf(context, 'rate')
    const premium = named === undefined ? () => null : numberOf(context, 'premium')
    return (record, coin, time) => {
      const told = premium(record)
      const hourly = hourlyRate(needed(rate(record), 'rate'), rateHours)
      const data = told === null ? { rate: hourly } : { rate: hourly, premium: told }
      return [{ time, kind: 'funding', coin, data }]
    }
  },
  interest(context) {
    const openInterest = numberOf(context, 'openInterest')
    return (record, coin, time) => {
      const data = { openInterest: needed(openInterest(record), 'openInterest') }
      return [{ time, kind: 'interest', coin, data }]
    }
  },
}

function sides(context: MappedContext, kind: 'book' | 'delta'): Drafts {
  const bids = sideLevels(context, 'bids', kind === 'delta')
  const asks = sideLevels(context, 'asks', kind === 'delta')
  return (record, coin, time) => [
    { time, kind, coin, data: { bids: bids(record, coin), asks: asks(record, coin) } },
  ]
}

function levelOf({ mapping, access, numbers }: MappedContext) {
  const [px, sz] = [access.field(mapping.px ?? ''), access.field(mapping.sz ?? '')]
  return (record: MappedRecord, coin: string) => {
    const price = numbers.px(coin, px(record), mapping)
    return { px: price, sz: numbers.sz(coin, sz(record), price, mapping) }
  }
}

function numberOf({ mapping, access, numbers }: MappedContext, name: keyof RecordMapping) {
  const field = access.field(mapping[name] as string | number)
  return (record: MappedRecord) => numbers.number(field(record), mapping.round)
}

const BUY = ['buy', 'b', 'bid', 'bids', 'long']
const SELL = ['sell', 's', 'a', 'ask', 'asks', 'short']

const wordsOf = (words: ReadonlySet<string>): string => [...words].join(', ')

function sideOf({ mapping, access }: MappedContext): (record: MappedRecord) => Side {
  const field = access.field(mapping.side ?? '')
  const [buy, sell] = [mapping.buy ?? BUY, mapping.sell ?? SELL].map(
    (words) => new Set(words.map((word) => String(word).toLowerCase())),
  ) as [Set<string>, Set<string>]
  return (record) => {
    const said = field(record)?.toLowerCase() ?? ''
    if (buy.has(said)) return 'B'
    if (sell.has(said)) return 'A'
    throw new UserError(
      `has side "${said.slice(0, 40)}"; buy is ${wordsOf(buy)}, sell ${wordsOf(sell)}`,
    )
  }
}

type Taker = (record: MappedRecord, coin: string, px: string) => Side

/** Where no column tells the taker's side, a higher price than before was bought. */
function takerOf(context: MappedContext): Taker {
  if (context.mapping.side !== undefined) return sideOf(context)
  const last = new Map<string, { px: number; side: Side }>()
  return (_, coin, px) => {
    const [before, price] = [last.get(coin), Number(px)]
    const moved: Side = price > (before?.px ?? 0) ? 'B' : 'A'
    const side = price === before?.px ? before.side : moved
    last.set(coin, { px: price, side })
    return side
  }
}

function needed(text: string | null, name: string): string {
  if (text !== null) return text
  throw new UserError(`has no ${name}`)
}
