import { UserError } from '../../user-error.ts'
import type { Instrument } from '../tape-event.ts'
import { coinSize, contractOf } from './contract-size.ts'
import { type CoinDecimals, DecimalReader } from './decimal-reader.ts'
import type { ContractSize, ImportOptions } from './importer.ts'
import { guessInstrument } from './instrument-guess.ts'
import { splitPair, splitSymbol } from './market-symbol.ts'
import { cellNumber } from './table-columns.ts'
import type { TableRow } from './table-row.ts'

/** An instrument of an exchange as rows name it. */
export interface TableMarket {
  exchange: string
  symbol: string
  coin: string
  quote: string
  contract: ContractSize | null
  decimals: CoinDecimals
}

/** Exchanges that trade coins for money; the perpetuals of the same have names of their own. */
const SPOT = new Set([
  ...['binance', 'binance-us', 'binance-jersey', 'binance-dex', 'coinbase', 'kraken', 'bitstamp'],
  ...['gemini', 'bitfinex', 'okex', 'okcoin', 'huobi', 'bitflyer', 'poloniex', 'upbit', 'serum'],
  ...['gate-io', 'kucoin', 'crypto-com', 'bitnomial', 'blockchain-com', 'ascendex', 'bybit-spot'],
  ...['bitget', 'phemex-spot', 'mexc'],
])

/** A power of two. */
const RECENT = 256

/** Reads the numbers of rows in coins, and remembers of which instruments they are. */
export class TardisMarkets {
  private readonly decimals = new DecimalReader(true)
  private readonly markets = new Map<string, Map<string, TableMarket>>()
  /** Found without a text for a row's symbol, at a place that the symbol has. */
  private readonly recent: (TableMarket | undefined)[] = Array(RECENT).fill(undefined)

  constructor(private readonly options: ImportOptions) {}

  /** That of a row, told by two of its cells. */
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
    const contract = contractOf(this.options, symbol, coin)
    return { exchange, symbol, coin, quote, contract, decimals: this.decimals.of(coin) }
  }

  px({ decimals }: TableMarket, cell: string): string {
    return decimals.px(cellNumber(cell))
  }

  /** In coins, `0` for none. */
  sz({ contract, decimals }: TableMarket, cell: string, px: string): string {
    const text = cellNumber(cell)
    if (contract === null || text === null) return decimals.sz(text)
    return decimals.sz(coinSize(text, px, contract))
  }

  /** A number whose decimals say nothing of the instrument; null where the cell is empty. */
  number(cell: string): string | null {
    const text = cellNumber(cell)
    return text === null ? null : this.decimals.decimal(text, true)
  }

  instruments(): Instrument[] {
    const markets = [...this.markets.values()].flatMap((symbols) => [...symbols.values()])
    return markets.map(({ coin, quote, decimals }) =>
      guessInstrument(coin, quote, decimals.decimals()),
    )
  }
}
