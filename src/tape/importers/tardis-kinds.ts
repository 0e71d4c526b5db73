import { UserError } from '../../user-error.ts'
import { DIGITS_MAX } from '../decimal-text.ts'
import type { EventDraft, Level, Side, TradeData } from '../tape-event.ts'
import { hourlyRate } from './hourly-rate.ts'
import type { ImportOptions } from './importer.ts'
import type { LeftOut } from './left-out.ts'
import { LiquidationRows } from './liquidation-rows.ts'
import type { TableColumns } from './table-columns.ts'
import type { TableRow } from './table-row.ts'
import { TardisLevels } from './tardis-levels.ts'
import type { TableMarket, TardisMarkets } from './tardis-markets.ts'
import { rowTimeMs } from './time-text.ts'

/** What rows of a kind are read with. */
export interface RowContext {
  columns: TableColumns
  markets: TardisMarkets
  leftOut: LeftOut
  options: ImportOptions
}

/** A kind of table, told by its columns. */
export interface TableKind {
  name: string
  recognises(columns: readonly string[], file: string): boolean
  /** Columns that it cannot be without. */
  needs: readonly string[]
  open(context: RowContext): { row(row: TableRow): EventDraft[]; end(): EventDraft[] }
}

/** Every kind; of two that fit, the first. */
export const TABLE_KINDS: readonly TableKind[] = [
  {
    name: 'incremental_book_L2',
    recognises: (columns) => columns.includes('is_snapshot'),
    needs: ['local_timestamp', 'is_snapshot', 'side', 'price', 'amount'],
    open: (context) => new TardisLevels(context),
  },
  {
    name: 'book_snapshot_N',
    recognises: (columns) => columns.includes('asks[0].price'),
    needs: ['asks[0].price', 'asks[0].amount', 'bids[0].price', 'bids[0].amount'],
    open: (context) => eachRow(context, bookRow(context)),
  },
  {
    name: 'derivative_ticker',
    recognises: (columns) => columns.includes('funding_rate'),
    needs: ['funding_rate', 'open_interest', 'index_price', 'mark_price'],
    open: (context) => eachRow(context, tickerRow(context)),
  },
  {
    name: 'quotes',
    recognises: (columns) => columns.includes('ask_price') && columns.includes('bid_price'),
    needs: ['ask_amount', 'ask_price', 'bid_price', 'bid_amount'],
    open: (context) => eachRow(context, quoteRow(context)),
  },
  {
    // Its columns are those of trades: only the name of the file tells them apart.
    name: 'liquidations',
    recognises: (columns, file) => columns.includes('amount') && /liquidations/i.test(file),
    needs: ['side', 'price', 'amount'],
    open: (context) => new LiquidationRows(context),
  },
  {
    name: 'trades',
    recognises: (columns) => ['side', 'price', 'amount'].every((name) => columns.includes(name)),
    needs: ['side', 'price', 'amount'],
    open: (context) => eachRow(context, tradeRow(context)),
  },
]

type Row = (row: TableRow, market: TableMarket, time: number) => EventDraft[]

function eachRow({ columns, markets }: RowContext, draftsOf: Row) {
  const [exchange, symbol, time] = ['exchange', 'symbol', 'timestamp'].map((name) =>
    columns.place(name),
  ) as [number, number, number]
  return {
    row: (row: TableRow) =>
      draftsOf(row, markets.market(row, exchange, symbol), rowTimeMs(row, time)),
    end: () => [],
  }
}

function tradeRow({ columns, markets, leftOut }: RowContext): Row {
  const [id, side, price, amount] = ['id', 'side', 'price', 'amount'].map((name) =>
    columns.place(name),
  ) as [number, number, number, number]
  return (row, market, time) => {
    const taker = takerOf(row, side)
    if (taker === null) {
      leftOut.count('trade whose side the exchange does not tell')
      return []
    }
    const px = markets.px(market, row.cell(price))
    const sz = markets.sz(market, row.cell(amount), px)
    // A tape has no place for ids that are texts.
    const tid = row.length(id) <= DIGITS_MAX ? row.whole(id) : -1
    const data: TradeData = tid < 0 ? { side: taker, px, sz } : { side: taker, px, sz, tid }
    return [{ time, kind: 'trade', coin: market.coin, data }]
  }
}

/** Null where the exchange does not tell it. */
function takerOf(row: TableRow, side: number): Side | null {
  if (row.is(side, 'buy')) return 'B'
  if (row.is(side, 'sell')) return 'A'
  if (row.is(side, 'unknown')) return null
  throw new UserError(`has side "${row.cell(side)}", known: buy and sell`)
}

function bookRow({ columns, markets }: RowContext): Row {
  const places = (side: string) => {
    const found: [px: number, sz: number][] = []
    for (let n = 0; columns.place(`${side}[${n}].price`) >= 0; n++)
      found.push([columns.place(`${side}[${n}].price`), columns.place(`${side}[${n}].amount`)])
    return found
  }
  const [asks, bids] = [places('asks'), places('bids')]
  return (row, market, time) => {
    const levels = (side: readonly [px: number, sz: number][]): Level[] =>
      side.flatMap(([px, sz]): Level[] => {
        if (row.cell(px) === '') return []
        const price = markets.px(market, row.cell(px))
        const size = markets.sz(market, row.cell(sz), price)
        return size === '0' ? [] : [[price, size, 1]]
      })
    return [
      { time, kind: 'book', coin: market.coin, data: { bids: levels(bids), asks: levels(asks) } },
    ]
  }
}

function quoteRow({ columns, markets }: RowContext): Row {
  const [askSz, askPx, bidPx, bidSz] = [
    ...['ask_amount', 'ask_price', 'bid_price', 'bid_amount'],
  ].map((name) => columns.place(name)) as [number, number, number, number]
  return (row, market, time) => {
    const level = (px: number, sz: number): Level | null => {
      if (row.cell(px) === '') return null
      const price = markets.px(market, row.cell(px))
      const size = markets.sz(market, row.cell(sz), price)
      return size === '0' ? null : [price, size, 1]
    }
    const data = { bid: level(bidPx, bidSz), ask: level(askPx, askSz) }
    return [{ time, kind: 'bbo', coin: market.coin, data }]
  }
}

/** Hours for which an exchange tells its funding rate, where they are not eight. */
const FUNDING_HOURS: Record<string, number> = { hyperliquid: 1, dydx: 1, 'dydx-v4': 1 }

/** A row repeats what has not changed, which a tape does not. */
function tickerRow({ columns, markets }: RowContext): Row {
  const told = new Map<string, string>()
  return (row, { coin }, time) => {
    const cell = (name: string) => row.cell(columns.place(name))
    const number = (name: string) => markets.number(cell(name))
    const drafts: EventDraft[] = []
    const [rate, mark, oracle] = [
      number('funding_rate'),
      number('mark_price'),
      number('index_price'),
    ]
    if (rate !== null) {
      const data = { rate: hourlyRate(rate, FUNDING_HOURS[cell('exchange')] ?? 8) }
      drafts.push({ time, kind: 'funding', coin, data })
    }
    if (mark !== null && oracle !== null)
      drafts.push({ time, kind: 'mark', coin, data: { mark, oracle } })
    const openInterest = number('open_interest')
    if (openInterest !== null) drafts.push({ time, kind: 'interest', coin, data: { openInterest } })
    return drafts.filter(({ kind, data }) => {
      const [key, text] = [`${coin} ${kind}`, JSON.stringify(data)]
      const isNews = told.get(key) !== text
      told.set(key, text)
      return isNews
    })
  }
}
