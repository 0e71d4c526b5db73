/** The operations of the group `mix`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallGroup, CallOptions, NoInput } from '../requests/request.ts'
import type {
  FundAssetScale,
  FundTrust,
  LiquidationDetail,
  LongShortRatio,
  NavItem,
  StockMarketDetail,
} from './records.ts'

/** Requests of `mix`. */
export interface MixCalls {
  /**
   * Scale of the fund trusts. The holdings of each trust, and their change since the previous day.
   *
   * `GET /mix/fundco-scale`.
   */
  fundcoScale(input?: {
    query?: {
      /** comma-separated, of btc, ltc, eth, bch, xrp, xlm, zec, zen, etc */
      coins?: string | undefined
    }
  }, options?: CallOptions): Promise<{
    detail: {
      btc?: FundAssetScale | undefined
      ltc?: FundAssetScale | undefined
      eth?: FundAssetScale | undefined
      bch?: FundAssetScale | undefined
      xrp?: FundAssetScale | undefined
      xlm?: FundAssetScale | undefined
      zec?: FundAssetScale | undefined
      zen?: FundAssetScale | undefined
      etc?: FundAssetScale | undefined
    }
  }>

  /**
   * Fund trust. The price of a share in a trust that holds bitcoin.
   *
   * `GET /mix/fundco-trust`.
   */
  fundcoTrust(input?: NoInput, options?: CallOptions): Promise<{
    detail: FundTrust | null
  }>

  /**
   * Liquidation statistics. Liquidations of the last hour and of the last 24 hours, over all
   * markets.
   *
   * `GET /mix/liq`.
   */
  liq(input?: {
    query?: {
      /** currency */
      currency?: 'cny' | 'usd' | undefined
      /** 1 by coin (`coinKey`), 2 by market (`marketKey`); all by default */
      type?: number | undefined
      /** key of a coin, such as bitcoin */
      coinKey?: string | undefined
      /** key of a market, such as binance */
      marketKey?: string | undefined
    }
  }, options?: CallOptions): Promise<{
    detail: LiquidationDetail
  }>

  /**
   * Long/short ratio. The number of accounts long in bitcoin for each short account.
   *
   * `GET /mix/ls-ratio`.
   */
  lsRatio(input?: NoInput, options?: CallOptions): Promise<{
    detail: LongShortRatio | null
  }>

  /**
   * Navigation. The main trading pair of each coin, then the indexes.
   *
   * `GET /mix/nav`.
   */
  nav(input?: {
    query?: {
      /** language */
      lan?: 'cn' | 'en' | undefined
    }
  }, options?: CallOptions): Promise<NavItem[]>

  /**
   * Stock market. Prices of crypto-related stocks: their index, or all of them.
   *
   * `GET /mix/stock-market`.
   */
  stockMarket(input?: NoInput, options?: CallOptions): Promise<{
    detail: StockMarketDetail
  }>
}

/** How to ask for it. */
export const mix: CallGroup<MixCalls> = {
  fundcoScale: 'GET /mix/fundco-scale',
  fundcoTrust: 'GET /mix/fundco-trust',
  liq: 'GET /mix/liq',
  lsRatio: 'GET /mix/ls-ratio',
  nav: 'GET /mix/nav',
  stockMarket: 'GET /mix/stock-market',
}
