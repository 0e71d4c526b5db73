import { UserError } from '../../platform/user-error.ts'
import type {
  EventDraft,
  Instrument,
  Level,
  LiquidationData,
  Side,
  TradeData,
} from '../tape-event.ts'
import { LeftOut } from './bad-rows.ts'
import { coinSize, contractOf, contractOfExchange, isInCoins } from './contract-size.ts'
import { rowTimeMs } from './csv-cells.ts'
import { type CoinDecimals, DecimalReader } from './decimal-reader.ts'
import { LevelGroups } from './draft-stream.ts'
import type { ContractSize, Importer, ImportOptions, RecordingReader } from './importer.ts'
import { guessInstrument, splitPair, splitSymbol } from './market-symbol.ts'
import type { Sample } from './sample.ts'
import type { TableRow } from './table-row.ts'
import { cellNumber, TableColumns } from './table-row.ts'
import { REPEATED, tradeNumber } from './trade-ids.ts'
import { hourlyRate } from './venue-contexts.ts'

/**
 * CSV in the format of tardis.dev, or the same columns in Parquet, gzip or zstd: a file a day, kind
 * and symbol.
 *
 * Times are microseconds, and events have the exchange's; sizes are as on the exchange.
 *
 * @see https://docs.tardis.dev/downloadable-csv-files/data-types
 */
export const tardis: Importer = {
  name: 'tardis',
  order: 'merged',
  container: 'table',
  recognises: (sample) => kindOf(sample) !== null,
  tellsTrades: (sample) => kindOf(sample)?.name === 'trades',
  createReader: (options) => new TardisReader(options),
}

const BASE = ['exchange', 'symbol', 'timestamp']

function kindOf(sample: Sample): TableKind | null {
  const { columns } = sample
  if (!BASE.every((name) => columns?.includes(name))) return null
  return TABLE_KINDS.find((kind) => kind.recognises(columns ?? [], sample.name)) ?? null
}

class TardisReader implements RecordingReader {
  readonly leftOut = new LeftOut()
  private readonly markets: TardisMarkets
  private columns: TableColumns | null = null
  private rows: { row(row: TableRow): EventDraft[]; end(): EventDraft[] } | null = null

  constructor(private readonly options: ImportOptions) {
    this.markets = new TardisMarkets(options, this.leftOut)
  }

  begin(file: Sample): void {
    if (file.columns?.includes('strike_price'))
      throw new UserError('has options (strike_price), which are not perpetuals or pairs')
    const kind = kindOf(file)
    if (kind === null)
      throw new UserError(
        `has the columns ${(file.columns ?? []).join(', ')}, which are of none of ` +
          TABLE_KINDS.map(({ name }) => name).join(', '),
      )
    this.columns = new TableColumns(file, [...BASE, ...kind.needs])
    const { columns, markets, leftOut, options } = this
    this.rows = kind.open({ columns, markets, leftOut, options })
  }

  record(row: TableRow): EventDraft[] {
    this.columns?.check(row)
    return this.rows?.row(row) ?? []
  }

  end(): EventDraft[] {
    return this.rows?.end() ?? []
  }

  instruments(): Instrument[] {
    return this.markets.instruments()
  }
}

/** Context of a kind's rows. */
interface RowContext {
  columns: TableColumns
  markets: TardisMarkets
  leftOut: LeftOut
  options: ImportOptions
}

/** A kind of table, detected by its columns. */
interface TableKind {
  name: string
  recognises(columns: readonly string[], file: string): boolean
  /** Required columns. */
  needs: readonly string[]
  open(context: RowContext): { row(row: TableRow): EventDraft[]; end(): EventDraft[] }
}

/** All kinds; the first match wins. */
const TABLE_KINDS: readonly TableKind[] = [
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
    // Its columns are those of trades: only the file name distinguishes them.
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

function tradeRow({ columns, markets, leftOut, options: { trades: seen } }: RowContext): Row {
  const [id, side, price, amount] = ['id', 'side', 'price', 'amount'].map((name) =>
    columns.place(name),
  ) as [number, number, number, number]
  return (row, market, time) => {
    const taker = takerOf(row, side)
    if (taker === null) {
      leftOut.count('trade without a side from the exchange')
      return []
    }
    const px = markets.px(market, row.cell(price))
    const sz = markets.sz(market, row.cell(amount), px)
    const number = row.whole(id)
    const tid = number < 0 ? tradeNumber(row.cell(id), leftOut) : number
    if (tid !== undefined && seen.of(`${market.exchange} ${market.symbol}`).hasSeen(tid)) {
      leftOut.count(REPEATED)
      return []
    }
    const data: TradeData =
      tid === undefined ? { side: taker, px, sz } : { side: taker, px, sz, tid }
    return [{ time, kind: 'trade', coin: market.coin, data }]
  }
}

/** Null where the exchange does not publish it. */
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

/** Interval in hours of an exchange's funding rate, where it is not eight. */
const FUNDING_HOURS: Record<string, number> = { hyperliquid: 1, dydx: 1, 'dydx-v4': 1 }

/** A row repeats unchanged values, which a tape omits. */
function tickerRow({ columns, markets }: RowContext): Row {
  const reported = new Map<string, string>()
  return (row, market, time) => {
    const { coin } = market
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
    const openInterest = markets.interest(market, cell('open_interest'), mark)
    if (openInterest !== null) drafts.push({ time, kind: 'interest', coin, data: { openInterest } })
    return drafts.filter(({ kind, data }) => {
      const [key, text] = [`${coin} ${kind}`, JSON.stringify(data)]
      const isNews = reported.get(key) !== text
      reported.set(key, text)
      return isNews
    })
  }
}

/**
 * Liquidations, a row each: `side` buy closed a short, sell a long.
 *
 * Their trades are in another file, if anywhere: without tids they wait for them
 * (`LiquidationJoin`).
 */
class LiquidationRows {
  private readonly columns: TableColumns
  private readonly markets: TardisMarkets

  constructor(context: { columns: TableColumns; markets: TardisMarkets }) {
    this.columns = context.columns
    this.markets = context.markets
  }

  row(row: TableRow): EventDraft[] {
    const place = (name: string) => this.columns.place(name)
    const [side, time] = [row.cell(place('side')), rowTimeMs(row, place('timestamp'))]
    if (side !== 'buy' && side !== 'sell')
      throw new UserError(`has side "${side}", known: buy and sell`)
    const market = this.markets.market(row, place('exchange'), place('symbol'))
    const px = this.markets.px(market, row.cell(place('price')))
    const sz = this.markets.sz(market, row.cell(place('amount')), px)
    const position = side === 'buy' ? 'short' : 'long'
    const data: LiquidationData = { position, sz, markPx: px, tids: [] }
    return [{ time, kind: 'liquidation', coin: market.coin, data }]
  }

  end(): EventDraft[] {
    return []
  }
}

const COLUMNS = [
  ...['exchange', 'symbol', 'timestamp', 'local_timestamp', 'is_snapshot'],
  ...['side', 'price', 'amount'],
]

/** Rows of `incremental_book_L2`: those with one local time are one message. */
class TardisLevels {
  private readonly markets: TardisMarkets
  private readonly groups: LevelGroups
  private readonly places: readonly number[]

  constructor(context: { columns: TableColumns; markets: TardisMarkets; leftOut: LeftOut }) {
    this.markets = context.markets
    this.groups = new LevelGroups(context.leftOut)
    this.places = COLUMNS.map((name) => context.columns.place(name))
  }

  row(row: TableRow): EventDraft[] {
    const [exchange = -1, symbol = -1, at = -1, message = -1, ...others] = this.places
    const [snapshot, side, price = '', amount = ''] = others.map((place) => row.cell(place))
    if (snapshot !== 'true' && snapshot !== 'false')
      throw new UserError(`has is_snapshot "${snapshot}", known: true and false`)
    if (side !== 'bid' && side !== 'ask')
      throw new UserError(`has side "${side}", known: bid and ask`)
    const market = this.markets.market(row, exchange, symbol)
    const px = this.markets.px(market, price)
    const sz = this.markets.sz(market, amount, px)
    return this.groups.put({
      coin: market.coin,
      time: rowTimeMs(row, at),
      message: row.cell(message),
      isSnapshot: snapshot === 'true',
      side,
      level: [px, sz, sz === '0' ? 0 : 1],
    })
  }

  end(): EventDraft[] {
    return this.groups.end()
  }
}

/** An instrument of an exchange as named in rows. */
interface TableMarket {
  exchange: string
  symbol: string
  coin: string
  quote: string
  /** null where sizes are in coins, undefined where their unit is unknown. */
  contract: ContractSize | null | undefined
  decimals: CoinDecimals
}

/** Spot exchanges; perpetuals of the same have names of their own. */
const SPOT = new Set([
  ...['binance', 'binance-us', 'binance-jersey', 'binance-dex', 'coinbase', 'kraken', 'bitstamp'],
  ...['gemini', 'bitfinex', 'okex', 'okcoin', 'huobi', 'bitflyer', 'poloniex', 'upbit', 'serum'],
  ...['gate-io', 'kucoin', 'crypto-com', 'bitnomial', 'blockchain-com', 'ascendex', 'bybit-spot'],
  ...['bitget', 'phemex-spot', 'mexc'],
])

/** A power of two. */
const RECENT = 256

/** Reads the numbers of rows in coins, and collects their instruments. */
class TardisMarkets {
  private readonly decimals: DecimalReader
  private readonly markets = new Map<string, Map<string, TableMarket>>()
  /** Cache by hash of a row's symbol, which avoids a string per row. */
  private readonly recent: (TableMarket | undefined)[] = Array(RECENT).fill(undefined)

  constructor(
    private readonly options: ImportOptions,
    private readonly leftOut: LeftOut,
  ) {
    this.decimals = new DecimalReader(true, leftOut)
  }

  /** The market of a row, by two of its cells. */
  market(row: TableRow, exchange: number, symbol: number): TableMarket {
    const place = row.hash(symbol) & (RECENT - 1)
    const recent = this.recent[place]
    if (recent && row.is(symbol, recent.symbol) && row.is(exchange, recent.exchange)) return recent
    const market = this.known(row.cell(exchange), row.cell(symbol))
    this.recent[place] = market
    return market
  }

  private known(exchange: string, symbol: string): TableMarket {
    let symbols = this.markets.get(exchange)
    if (symbols === undefined) {
      symbols = new Map()
      this.markets.set(exchange, symbols)
    }
    let market = symbols.get(symbol)
    if (market === undefined) {
      market = this.named(exchange, symbol)
      symbols.set(symbol, market)
    }
    return market
  }

  private named(exchange: string, symbol: string): TableMarket {
    if (symbol === '') throw new UserError('has no symbol')
    const isSpot = SPOT.has(exchange) || exchange.endsWith('-spot')
    const { coin, quote } = isSpot ? splitPair(symbol) : splitSymbol(symbol)
    const contract = this.contract(exchange, symbol, coin)
    return { exchange, symbol, coin, quote, contract, decimals: this.decimals.of(coin) }
  }

  private contract(exchange: string, symbol: string, coin: string) {
    const named = contractOf(this.options, symbol, coin)
    if (named !== null) return named
    const known = contractOfExchange(exchange, symbol)
    if (known === undefined || isInCoins(known)) return known && null
    this.options.knownContracts.set(symbol, known)
    return known
  }

  px({ decimals }: TableMarket, cell: string): string {
    return decimals.px(cellNumber(cell))
  }

  /** In coins, `0` for none. */
  sz({ contract, decimals, symbol, exchange }: TableMarket, cell: string, px: string): string {
    const text = cellNumber(cell)
    if (contract === null || text === null) return decimals.sz(text)
    if (contract === undefined)
      throw new UserError(
        `has a size in contracts of ${exchange}: --contract ${symbol}=100usd or ${symbol}=0.01 ` +
          `says what one is worth, in dollars or coins; ${symbol}=1 where sizes are coins`,
      )
    return decimals.sz(coinSize(text, px, contract))
  }

  /** A number that does not affect the instrument's decimals; null for an empty cell. */
  number(cell: string): string | null {
    const text = cellNumber(cell)
    return text === null ? null : this.decimals.decimal(text, true)
  }

  /** In coins; null where the cell is empty, or the contract size is unknown. */
  interest({ contract }: TableMarket, cell: string, mark: string | null): string | null {
    const text = cellNumber(cell)
    if (text === null || contract === null) return this.number(cell)
    if (contract !== undefined && mark !== null) return this.number(coinSize(text, mark, contract))
    this.leftOut.count('open interest in contracts of unknown size')
    return null
  }

  instruments(): Instrument[] {
    const markets = [...this.markets.values()].flatMap((symbols) => [...symbols.values()])
    return markets.map(({ coin, quote, decimals }) =>
      guessInstrument(coin, quote, decimals.decimals()),
    )
  }
}
