/** The operations of the group `stock`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallGroup, CallOptions } from '../requests/request.ts'
import type {
  Company,
  Gainer,
  StockQuote,
} from './records.ts'

/** Requests of `stock`. */
export interface StockCalls {
  /**
   * The company behind a stock.
   *
   * `GET /crypto_stock/company/:symbol`.
   */
  company(input: {
    path: {
      /** ticker, `i:<symbol>:<market>` */
      symbol: string
    }
  }, options?: CallOptions): Promise<Company | null>

  /**
   * Quotes of crypto-related stocks.
   *
   * `GET /crypto_stock/quotes`.
   */
  quotes(input?: {
    query?: {
      /** tickers, `i:<symbol>:<market>`, comma-separated */
      tickers?: string | undefined
    }
  }, options?: CallOptions): Promise<StockQuote[]>

  /**
   * Stocks by change of price, with a body. The same as with GET.
   *
   * `POST /crypto_stock/top-gainer`.
   */
  topGainerByPost(input?: {
    body?: {
      /** stocks of the United States */
      us_stock?: boolean | undefined
      /** stocks of Hong Kong */
      hk_stock?: boolean | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<Gainer[]>

  /**
   * Stocks by change of price. Crypto-related stocks, the largest rise of the day first. Indexes
   * are omitted.
   *
   * `GET /crypto_stock/top-gainer`.
   */
  topGainer(input?: {
    query?: {
      /** stocks of the United States */
      us_stock?: boolean | undefined
      /** stocks of Hong Kong */
      hk_stock?: boolean | undefined
      /** how many at most */
      limit?: number | undefined
    }
  }, options?: CallOptions): Promise<Gainer[]>
}

/** How to ask for it. */
export const stock: CallGroup<StockCalls> = {
  company: 'GET /crypto_stock/company/:symbol',
  quotes: 'GET /crypto_stock/quotes',
  topGainerByPost: 'POST /crypto_stock/top-gainer body',
  topGainer: 'GET /crypto_stock/top-gainer',
}
