/** The operations of the group `mix`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallOptions } from '../requests/call-options.ts'
import type { CallGroup, NoInput } from '../requests/operation-call.ts'
import type {
  FundAssetScale,
  FundTrust,
  LiquidationDetail,
  LongShortRatio,
  NavItem,
  StockMarketDetail,
} from './records.ts'

/** What can be asked of `mix`. */
export interface MixCalls {
  /**
   * Scale of the fund trusts. What each trust holds, and how much that has changed since the day
   * before.
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
   * Fund trust. What a share in a trust that holds bitcoin costs.
   *
   * `GET /mix/fundco-trust`.
   */
  fundcoTrust(input?: NoInput, options?: CallOptions): Promise<{
    detail: FundTrust | null
  }>

  /**
   * Liquidation statistics. What was liquidated in the last hour and the last 24, over all markets.
   *
   * `GET /mix/liq`.
   */
  liq(input?: {
    query?: {
      /** currency */
      currency?: 'cny' | 'usd' | undefined
      /** 1 by coin (`coinKey`), 2 by market (`marketKey`); all when left out */
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
   * Long/short ratio. How many accounts are long in bitcoin for each that is short.
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
   * Stock market. Prices of the stocks that have to do with coins: their index, or all of them.
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
