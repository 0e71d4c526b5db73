/** Records of requests, answers and pushes. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated

/** Active asset. */
export interface ActiveAsset {
  /** account address */
  user: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  leverage: NativeLeverage
  /** [buy, sell] */
  maxTradeSzs: [string, string]
  /** [buy, sell]: margin of such an order */
  availableToTrade: [string, string]
  /** mark price */
  markPx: string
}

/** Active order stats. */
export interface ActiveOrderStats {
  /** open orders */
  totalCount: number
  /** bids */
  bidCount: number
  /** asks */
  askCount: number
  /** value of the bids, USD */
  bidValue: string
  /** value of the asks, USD */
  askValue: string
  /** bidValue over the value of both, a fraction */
  bidValueRatio: string
  /** bids worth at least the threshold */
  whaleBidCount: number
  /** asks worth at least the threshold */
  whaleAskCount: number
  /** value of those bids, USD */
  whaleBidValue: string
  /** value of those asks, USD */
  whaleAskValue: string
  /** whaleBidValue over the value of both, a fraction */
  whaleBidValueRatio: string
}

/** Address drawdown. */
export type AddressDrawdown = {
  /** account address */
  Address: string
  High: DrawdownExtreme
  Low: DrawdownExtreme
  /** fraction of the high plus net inflow */
  MaxDrawdown: string
  /** net inflow, USD */
  NetIn: string
} | Drawdown & {
  /** account address */
  Address: string
  High: DrawdownExtreme
  Low: DrawdownExtreme
  /** fraction of the high plus net inflow */
  MaxDrawdown: string
  /** net inflow, USD */
  NetIn: string
  /** account address */
  address: string
}

/** Address fill. */
export interface AddressFill {
  /** account address */
  address: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** price */
  px: string
  /** size */
  sz: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** time, ms */
  time: number
  /** signed position before the fill */
  startPosition: string
  /** effect on the position, as text for display */
  dir: string
  /** realised PnL in USD */
  closedPnl: string
  /** transaction hash */
  hash: string
  /** order id */
  oid: number
  /** true for the taker */
  crossed: boolean
  /** fee; negative is a rebate */
  fee: string
  /** trade id, the same on both sides */
  tid: number
  feeToken: string
  twapId: number | null
  /** fee of the builder */
  builderFee?: string | undefined
}

/** Address net flow. */
export interface AddressNetFlow {
  /** account address */
  address: string
  /** into accounts of perpetuals, USD */
  netPerpIn: string
  /** into the spot account, tokens at their value then, USD */
  netSpotIn: string
}

/** Address pnls. */
export interface AddressPnls {
  /** account address */
  address: string
  pnls: PnlCurve
}

/** Address spot state. */
export interface AddressSpotState {
  /** account address */
  address: string
  spotState: SpotState
}

/** Address stat. */
export interface AddressStat {
  /** seconds */
  avgPosDuration: string
  /** positions closed in the period */
  closePosCount: number
  /** fraction */
  maxDrawdown: string
  /** orders placed in the period */
  orderCount: number
  /** price PnL of the positions closed, USD */
  totalPnl: string
  /** fraction of the positions closed */
  winRate: string
}

/** Address state. */
export interface AddressState {
  /** account address */
  address: string
  state: PerpState
}

/** Address twap. */
export interface AddressTwap extends TwapState {
  twapId: number
  /** activated while it runs, then how it ended */
  status: 'activated' | 'finished' | 'terminated' | 'error'
}

/** Ai insight. */
export interface AiInsight {
  coinKey: string
  /** ticker symbol */
  coinShow: string
  /** address of a picture */
  coinLogo: string
  /** price, USD */
  price: string
  /** change in 24 hours, percent */
  degree: string
  /** what has happened */
  interpret: string
  trend: 'rise' | 'fall'
  /** what may come */
  predition: string
}

/** Alert indicator. */
export interface AlertIndicator {
  config: {
    /** address of a small picture */
    appPicLink: string
    /** the condition */
    label: string
    /** the same with its indicator */
    name: string
    /** address of a picture */
    picLink: string
    /** buy or sell: the side of the alert */
    signalType: string
    /** third part of a subType */
    triggerKey: string
  }[]
  /** first part of a subType */
  indicatorKey: string
  /** short name */
  label: string
  name: string
  /** place in the list, from 1 */
  sort: number
}

/** Alert result. */
export interface AlertResult {
  /** "true" or "false" as text */
  result: 'true' | 'false'
}

/** Alert set item. */
export interface AlertSetItem {
  id: string
  /** pair */
  tpKey: string
  /** price when it was set */
  setPrice: string
  /** indicatorKey:period:triggerKey:params */
  subType: string
  /** when it was set, s, as text */
  setTime: string
}

/** Any indicator. */
export type AnyIndicator = 'fundflow' | 'ttsi' | 'ttmu' | 'position' | 'lsur' | 'tvolume' | 'ftbs'
  | 'basis' | 'mlr' | 'bsv' | 'fr' | 'aibst' | 'aili' | 'aiaggtrade' | string

/** Batch address stat. */
export interface BatchAddressStat {
  /** account address */
  address: string
  /** seconds */
  avgPosDuration: number
  /** positions closed in the period */
  closePosCount: number
  /** fraction */
  maxDrawdown: string
  /** orders placed in the period */
  orderCount: number
  /** price PnL of the positions closed, USD */
  totalPnl: string
  /** fraction of the positions closed */
  winRate: string
}

/** Best trade. */
export interface BestTrade {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  side: TradeDirection
  /** average opening price */
  entryPrice: string
  /** average closing price */
  exitPrice: string
  /** price PnL in USD, without fees and funding */
  pnl: string
  /** pnl over the entry notional, percent */
  pnlPercent: string
  /** when it was opened */
  openTime: number
  /** when it was closed */
  closeTime: number
}

/** Book level. */
export interface BookLevel {
  /** price */
  px: string
  /** size */
  sz: string
  /** number of orders */
  n: number
}

/** Book summary. */
export interface BookSummary {
  /** time, s */
  time: number
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** sum over the bids */
  bidVolume: string
  /** sum over the asks */
  askVolume: string
}

/** Builder fill. */
export interface BuilderFill {
  /** account address */
  address: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** price */
  px: string
  /** size */
  sz: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** time, ms */
  time: number
  /** signed position before the fill */
  startPosition: string
  /** effect on the position, as text for display */
  dir: string
  /** realised PnL in USD */
  closedPnl: string
  /** transaction hash */
  hash: string
  /** order id */
  oid: number
  /** true for the taker */
  crossed: boolean
  /** fee; negative is a rebate */
  fee: string
  /** trade id, the same on both sides */
  tid?: number | undefined
  feeToken: string
  twapId?: number | null | undefined
  /** fee of the builder */
  builderFee: string
}

/** Candle. */
export interface Candle {
  /** opening time */
  t: number
  /** closing time: t + length - 1 */
  T: number
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  s: string
  /** interval */
  i: string
  /** open */
  o: string
  /** close */
  c: string
  /** high */
  h: string
  /** low */
  l: string
  /** volume in the coin */
  v: string
  /** number of trades */
  n: number
}

/** Change signal. */
export interface ChangeSignal {
  /** rising with the time */
  id: string
  /** pair */
  key: string
  /** when it became true, s, as text */
  created_at: string
  /** ticker symbol */
  show: string
  /** currency of the price */
  currency_str: string
  /** the requested type */
  type: string
  /** price then */
  price: string
  /** turnover of the 24 hours before it */
  trade: string
  /** change over the 24 hours before it, percent */
  degree_24h: string
}

/** Coin interest. */
export interface CoinInterest extends InterestSummary {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
}

/** Coin item. */
export interface CoinItem {
  /** primary key */
  coin_key: string
  hash_key: string
  /** ticker symbol */
  show: string
  cn_name: string
  en_name: string
}

/** Coin liquidation stat. */
export interface CoinLiquidationStat {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** accounts that were liquidated */
  addresses: number
  /** forced closings of short positions */
  shortLiquidations: number
  /** forced closings of long positions */
  longLiquidations: number
  /** value closed, USD */
  totalFilled: string
  /** value of long positions closed, USD */
  longFilled: string
  /** value of short positions closed, USD */
  shortFilled: string
  /** realised PnL of the accounts, USD */
  totalPnl: string
  /** realised PnL of long positions, USD */
  longPnl: string
  /** realised PnL of short positions, USD */
  shortPnl: string
}

/** Coin performance. */
export interface CoinPerformance {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  tradeCount: number
  winCount: number
  lossCount: number
  /** winners, percent */
  winRate: string
  /** USD */
  totalPnl: string
  /** USD */
  avgPnl: string
}

/** Coin profile. */
export interface CoinProfile {
  coin_key: string
  /** ticker symbol */
  show: string
  cnName: string
  enName: string
  /** what it is */
  describe: string
  /** address of the white paper */
  whitePaper: string
  /** address of its site */
  officialUrl: string
  /** maximum supply, in the coin */
  publishAmount: string
  distribution: {
    /** purpose of the part */
    ico: string
    /** percent of all */
    foundation: string
  }[]
}

/** Coin ticker. */
export interface CoinTicker {
  coin_key: string
  /** price_cny */
  price_cny: string
  /** price_usd */
  price_usd: string
  /** degree_24h_cny */
  degree_24h_cny: string
  /** degree_24h_usd */
  degree_24h_usd: string
  /** degree_7day_cny */
  degree_7day_cny: string
  /** degree_7day_usd */
  degree_7day_usd: string
  /** supply_cny */
  supply_cny: string
  /** supply_usd */
  supply_usd: string
  /** trade_24h_cny */
  trade_24h_cny: string
  /** trade_24h_usd */
  trade_24h_usd: string
  /** fundNetIn_24h_cny */
  fundNetIn_24h_cny: string
  /** fundNetIn_24h_usd */
  fundNetIn_24h_usd: string
  /** vol_24h */
  vol_24h: string
}

/** Columnist. */
export interface Columnist {
  /** name */
  nick_name: string
  /** address of a picture */
  avatar: string
  /** the same for dark pages */
  avatar_black: string
}

/** Company. */
export interface Company {
  company_name: string
  /** `i:<symbol>:<market>` (question stock-ticker-form) */
  ticker: string
  /** where it is listed */
  market: string
  country_region: string
  /** what it does */
  description: string
  /** its last announcement; empty without any */
  announcement: string
  /** last price x maximum number of shares */
  fdv: number
  /** last price x shares */
  market_cap: number
  /** highest of 52 weeks */
  annual_high: number
  /** lowest of 52 weeks */
  annual_low: number
}

/** Completed trade. */
export interface CompletedTrade extends BestTrade {
  /** total opened size */
  size: string
}

/** Cumulative funding. */
export interface CumulativeFunding {
  /** funding paid, USD */
  allTime: string
  /** funding paid, USD */
  sinceOpen: string
  /** funding paid, USD */
  sinceChange: string
}

/** Curve point. */
export interface CurvePoint {
  /** time, ms */
  time: number
  /** USD */
  value: string
}

/** Depth bin. */
export type DepthBin = [string, string, string]

/** Distributor info. */
export interface DistributorInfo {
  /** primary access key */
  access_key: string
  /** preset by the invite token */
  name: string
  /** the distributor's own level */
  level: string
  /** maximum number of sub keys */
  max_sub_keys: number
  /** number of sub keys */
  sub_key_count: number
  /** requests a month, summed over all sub keys */
  max_total_quota: number
}

/** Drawdown. */
export interface Drawdown {
  high: DrawdownExtreme
  low: DrawdownExtreme
  /** fraction of the high plus net inflow */
  maxDrawdown: string
  /** net inflow, USD */
  netIn: string
}

/** Drawdown extreme. */
export interface DrawdownExtreme {
  /** time, ISO 8601, UTC */
  time: string
  /** account value, USD */
  value: string
}

/** Estimated liquidation. */
export interface EstimatedLiquidation {
  /** beginning of the 15 minutes, ms */
  time: number
  /** by leverage */
  data_map: {
    10?: LiquidationCells | undefined
    25?: LiquidationCells | undefined
    50?: LiquidationCells | undefined
    100?: LiquidationCells | undefined
  }
  /** time of the calculation: the end of the 15 minutes, or the present, ms */
  timestamp: number
}

/** Exchange interest. */
export interface ExchangeInterest {
  /** end of an hour, or the present, s */
  time: string
  /** open interest then */
  close: string
}

/** Fee day. */
export interface FeeDay {
  /** YYYY-MM-DD, UTC */
  date: string
  /** volume of the account as taker, USD */
  userCross: string
  /** volume of the account as maker, USD */
  userAdd: string
  /** volume of all accounts, USD */
  exchange: string
}

/** Fee schedule. */
export interface FeeSchedule {
  /** rate of takers */
  cross: string
  /** rate of makers; negative is a rebate */
  add: string
  /** rate of takers */
  spotCross: string
  /** rate of makers; negative is a rebate */
  spotAdd: string
  tiers: {
    vip: {
      /** volume of 14 days, USD */
      ntlCutoff: string
      /** rate of takers */
      cross: string
      /** rate of makers; negative is a rebate */
      add: string
      /** rate of takers */
      spotCross: string
      /** rate of makers; negative is a rebate */
      spotAdd: string
    }[]
    mm: {
      /** share of all maker volume */
      makerFractionCutoff: string
      /** rate of makers; negative is a rebate */
      add: string
    }[]
  }
  /** fraction */
  referralDiscount: string
  stakingDiscountTiers: {
    /** staked, basis points */
    bpsOfMaxSupply: string
    /** fraction */
    discount: string
  }[]
}

/** Fill. */
export interface Fill {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  side: 'buy' | 'sell'
  /** price */
  price: string
  /** size */
  size: string
  /** time, ms */
  time: number
  /** order id */
  oid: number
}

/** Fill in form. */
export type FillInForm = Fill | UserFill

/** Fill liquidation. */
export interface FillLiquidation {
  /** account address */
  liquidatedUser: string
  /** mark price */
  markPx: string
  method: 'market' | 'backstop'
}

/** Filled order. */
export interface FilledOrder {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** limit price */
  limitPx: string
  /** size left */
  sz: string
  oid: number
  /** size when placed */
  origSz: string
  isTrigger: boolean
  /** trigger price, "0.0" for none */
  triggerPx: string
  children: unknown[]
  reduceOnly: boolean
  orderType: string
  tif: string | null
  cloid: string | null
  /** time of the change of status */
  ts: number
  /** account address */
  address: string
  hash: string
  /** builder address, empty for none */
  builder: string
  /** builder fee rate, tenths of a basis point */
  builderF: string
  /** status; how the third is spelled says the question `order-status-spelling` */
  status: 'open' | 'filled' | 'cancelled' | 'canceled'
  /** time placed */
  placeTs: number
  trigger: string
  positionTpsl: boolean
}

/** Found trader. */
export interface FoundTrader {
  /** account address */
  address: string
  /** mean time a closed position was held, minutes */
  avgDurationMin?: number | undefined
  /** positions closed in the period */
  positionCount?: number | undefined
  /** fraction of profitable ones */
  winRate?: number | undefined
  /** fraction of profitable long ones */
  longWinRate?: number | undefined
  /** fraction of profitable short ones */
  shortWinRate?: number | undefined
  /** fraction of long ones */
  longRatio?: number | undefined
  /** realised by them, USD, 10 decimals */
  totalPnl?: string | undefined
  /** realised by the long ones, USD, 10 decimals */
  longPnl?: string | undefined
  /** realised by the short ones, USD, 10 decimals */
  shortPnl?: string | undefined
  /** mean leverage */
  avgLeverage?: string | undefined
  sharpe?: number | null | undefined
  /** max drawdown in the period, a fraction */
  ddDrawdown?: number | undefined
  /** net value of the account, USD */
  snapTotalValue?: string | undefined
  /** equity on the main dex, USD */
  snapPerpValue?: string | undefined
  /** spot balances at their prices, USD */
  snapSpotValue?: string | undefined
  /** margin used on the main dex, USD */
  snapTotalMarginUsed?: string | undefined
  /** margin used over equity on the main dex, a fraction */
  snapMarginUsageRate?: number | undefined
  snapEffLeverage?: string | null | undefined
  /** unrealised PnL on the main dex, USD */
  snapUnrealizedPnl?: string | undefined
  /** open positions on the main dex */
  snapPositionCount?: number | undefined
  /** their value, USD */
  snapPositionValue?: string | undefined
  /** long ones */
  snapLongPositionCount?: number | undefined
  /** value of the long ones, USD */
  snapLongPositionValue?: string | undefined
  /** short ones */
  snapShortPositionCount?: number | undefined
  /** value of the short ones, USD */
  snapShortPositionValue?: string | undefined
  oaLastOrderAt?: string | null | undefined
  pnlList?: PnlCurve | undefined
  /** tags of the trader */
  tags?: string[] | undefined
}

/** Frontend order. */
export interface FrontendOrder {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** limit price */
  limitPx: string
  /** size left */
  sz: string
  oid: number
  /** size when placed */
  origSz: string
  isTrigger: boolean
  /** trigger price, "0.0" for none */
  triggerPx: string
  children: unknown[]
  reduceOnly: boolean
  orderType: string
  tif: string | null
  cloid: string | null
  /** time placed */
  timestamp: number
  triggerCondition: string
  isPositionTpsl: boolean
}

/** Full depth. */
export interface FullDepth {
  /** time of the book */
  timestamp: number
  /** usually partial */
  action: string
  /** descending by price */
  bids: PriceQuantity[]
  /** ascending by price */
  asks: PriceQuantity[]
}

/** Fund asset scale. */
export interface FundAssetScale {
  /** holdings of the trust */
  total: string
  /** change since the day before */
  day_change: string
  /** relative change; times 100 for percent */
  percent: string
}

/** Fund trust. */
export interface FundTrust {
  key: string
  /** ticker symbol */
  show: string
  name: string
  /** price of a share, USD */
  last: string
  /** first of the day */
  open: string
  /** highest of the day */
  high: string
  /** lowest of the day */
  low: string
  /** change in 24 hours, percent */
  degree_24h: string
}

/** Funding payment. */
export interface FundingPayment {
  /** time, ms */
  time: number
  hash: string
  delta: {
    type: 'funding'
    /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
    coin: string
    /** positive when received, negative when paid, USD */
    usdc: string
    /** signed size of the position */
    szi: string
    /** rate of the hour */
    fundingRate: string
    nSamples: number | null
  }
}

/** Funding rate. */
export interface FundingRate {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** rate of the hour */
  fundingRate: string
  /** premium of the mark price over the oracle price */
  premium: string
  /** time, ms */
  time: number
}

/** Futures interest. */
export interface FuturesInterest {
  /** dbKey of the pair */
  key: string
  /** ticker symbol of the coin */
  show: string
  /** what the pair is quoted in */
  currency: string
  /** name of the exchange */
  market_name: string
  /** value of the open interest, in the requested currency */
  trade: string
  /** open interest, in the coin */
  vol_coin: string
  /** open interest over 24 hours, oldest first */
  trend: ExchangeInterest[]
}

/** Gainer. */
export interface Gainer {
  /** ticker symbol, such as MSTR */
  symbol: string
  name: string
  /** last price */
  price: number
  /** change since the last price of the session before */
  change: number
  /** the same in percent (question stock-change-rate) */
  change_rate: number
  /** shares traded in the session */
  volume: number
  /** last price x shares */
  market_cap: number
  market: 'US' | 'HK'
  currency: 'USD' | 'HKD'
  /** time of the last price */
  update_time: number
}

/** Grouped depth. */
export interface GroupedDepth {
  /** time of the book */
  timestamp: number
  /** usually partial */
  action: string
  /** descending by price */
  bids: DepthBin[]
  /** ascending by price */
  asks: DepthBin[]
  /** width of an interval */
  groupSize: number
}

/** Historical order. */
export interface HistoricalOrder {
  order: FrontendOrder
  /** open, filled, canceled (question order-status-spelling) */
  status: string
  /** time of the change */
  statusTimestamp: number
}

/** History candle. */
export interface HistoryCandle {
  /** beginning of the interval, ms */
  time: number
  /** value when it began */
  open: string
  /** highest */
  high: string
  /** lowest */
  low: string
  /** value when it ended, or the present one */
  close: string
}

/** Index info. */
export interface IndexInfo {
  /** short name */
  show: string
  name: string
  /** address of its page */
  link: string
  /** YYYY-MM-DD */
  release_date: string
  /** number of its coins */
  amount: string
  /** its calculation */
  introduce: string
  /** name of its rule book; empty without one */
  file_name: string
  /** address of its rule book; empty without one */
  file_link: string
}

/** Index item. */
export interface IndexItem {
  /** `i:<name>:<source>` */
  key: string
  cn_name: string
  en_name: string
  /** short name */
  show: string
  /** what it tells */
  describe: string
  /** change in 24 hours, percent; `-` without one */
  degree24h: string
  /** present value, USD where it is one of money; `-` without one */
  price: string
  /** sort of index */
  en_type: string
  cn_type: string
}

/** Index price. */
export interface IndexPrice {
  /** present value; `-` without one */
  price: string
  /** value 24 hours ago; `-` without one */
  open: string
  /** highest of the 24 hours; `-` without one */
  high: string
  /** lowest of the 24 hours; `-` without one */
  low: string
  /** present value; `-` without one */
  close: string
  /** change in 24 hours, percent; `-` without one */
  degree24H: string
  /** change in 24 hours; `-` without one */
  change24H: string
  /** number of its coins that rose in 24 hours; `-` without one */
  up: string
  /** how many fell; `-` without one */
  down: string
}

/** Industry flash. */
export interface IndustryFlash extends Newsflash {
  /** its subject */
  flashType: 0 | 1 | 3 | 4 | 5 | 6 | 7 | 8 | 10 | 14 | 15 | 16 | 18 | 19 | 20 | 21 | 22 | 23 | 24
    | 25 | 26 | 27 | 28
}

/** Interest point. */
export interface InterestPoint {
  /** time, ms */
  time: number
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** open positions */
  positionCount: number
  /** open long positions */
  longCount: number
  /** value of the long positions at the mark price, USD */
  longPv: string
  /** value of all open positions at the mark price, USD */
  totalPv: string
  /** totalPv over positionCount, USD */
  avgPv: string
}

/** Interest summary. */
export interface InterestSummary {
  /** open positions */
  positionCount: number
  /** value of the long positions at the mark price, USD */
  longPv: string
  /** value of the short positions at the mark price, USD */
  shortPv: string
  /** longPv + shortPv, USD */
  totalPv: string
  /** totalPv over positionCount, USD */
  avgPv: string
}

/** Latest depth. */
export interface LatestDepth {
  /** levels a side at most in this answer */
  max: number
  /** ascending by price */
  asks: PriceQuantity[]
  /** descending by price */
  bids: PriceQuantity[]
  /** time of the book */
  now: string
  result: 'success' | 'error'
  /** asks and bids together */
  length: number
  ds: 1
}

/** Ledger update. */
export interface LedgerUpdate {
  /** time, ms */
  time: number
  hash: string
  delta: {
    type: string
    [field: string]: unknown
  }
}

/** Level config. */
export interface LevelConfig {
  request_limits: RequestLimits
  permissions: PermissionGrant[]
}

/** Liquidated position. */
export interface LiquidatedPosition {
  /** time, ms */
  time: number
  /** account address */
  address: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  direction: 'long' | 'short'
  /** order that closed it */
  oid: number
  /** liquidation price directly before */
  liqPrice: string
  /** value closed, USD */
  liquidatedVal: string
  /** realised PnL of the account, USD */
  pnl: string
  /** signed position before */
  startPosition: string
  /** signed position after */
  endPosition: string
}

/** Liquidation bucket. */
export interface LiquidationBucket {
  /** beginning of the interval, ms */
  time: number
  /** value of the long positions liquidated, USD */
  long_liquidation_usd: string
  /** value of the short positions liquidated, USD */
  short_liquidation_usd: string
}

/** from, to (prices, half-open) and turnover in USD */
export type LiquidationCell = [string, string, string] | [number, number, number]

/** Liquidation cells. */
export interface LiquidationCells {
  mapping: ['from', 'to', 'turnover']
  /** short positions, ascending by price */
  short: LiquidationCell[]
  /** long positions, ascending by price */
  long: LiquidationCell[]
}

/** Liquidation column. */
export interface LiquidationColumn extends LiquidationCells {
  /** beginning of the interval, ms */
  time: number
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
}

/** Liquidation detail. */
export interface LiquidationDetail {
  /** value liquidated in the last hour */
  liq1h: string
  /** that of long positions */
  liqLong1h: string
  /** that of short positions */
  liqShort1h: string
  /** value liquidated in the last 24 hours */
  liq24h: string
  /** that of long positions */
  liqLong24h: string
  /** that of short positions */
  liqShort24h: string
  /** largest of the 24 hours; 0 when there was none */
  maxLiq: string
  /** exchange of the largest; empty when there was none */
  maxLiqMarket: string
  /** key of the market with the most in 24 hours; empty when there was none */
  liq24HMaxMarket: string
  /** pair with the most in 24 hours; empty when there was none */
  liq24HMaxTpKey: string
}

/** Liquidation map. */
export interface LiquidationMap extends LiquidationCells {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** time of the calculation: the present */
  time: number
  /** mark price */
  markPx: string
  /** sum of the long cells, USD */
  longTotal: string
  /** sum of the short cells, USD */
  shortTotal: string
}

/** Liquidation stat. */
export interface LiquidationStat {
  /** beginning of the span, ISO 8601 in whole seconds */
  startTime: string
  /** accounts that were liquidated */
  addresses: number
  /** forced closings of short positions */
  shortLiquidations: number
  /** forced closings of long positions */
  longLiquidations: number
  /** value closed, USD */
  totalFilled: string
  /** value of long positions closed, USD */
  longFilled: string
  /** value of short positions closed, USD */
  shortFilled: string
  /** realised PnL of the accounts, USD */
  totalPnl: string
  /** realised PnL of long positions, USD */
  longPnl: string
  /** realised PnL of short positions, USD */
  shortPnl: string
}

/** Listing flash. */
export interface ListingFlash {
  /** the same in all languages */
  id: number
  title: string
  content: string
  /** cn, tc or en */
  language: string
  /** when it was published, s */
  createtime: number
  newsType: 2
}

/** Long short ratio. */
export interface LongShortRatio {
  /** present ratio */
  last: string
  /** a day ago */
  last_day: string
  /** a week ago */
  last_week: string
}

/** Margin summary. */
export interface MarginSummary {
  /** cash plus unrealised PnL, USD */
  accountValue: string
  /** sum of position values, USD */
  totalNtlPos: string
  /** account value less signed position value, USD */
  totalRawUsd: string
  /** USD */
  totalMarginUsed: string
}

/** Margin tier. */
export interface MarginTier {
  /** position value from which the tier holds, USD */
  lowerBound: string
  maxLeverage: number
}

/** Meta. */
export interface Meta {
  universe: {
    /** decimals of a size */
    szDecimals: number
    name: string
    maxLeverage: number
    marginTableId: number
    onlyIsolated?: true | undefined
    isDelisted?: true | undefined
  }[]
  marginTables: ([number, {
    description: string
    marginTiers: MarginTier[]
  }])[]
  collateralToken: number
}

/** Native asset position. */
export interface NativeAssetPosition {
  type: 'oneWay'
  position: NativePosition
}

/** Native leverage. */
export interface NativeLeverage {
  type: 'cross' | 'isolated'
  /** leverage */
  value: number
  /** isolated margin less position value */
  rawUsd?: string | undefined
}

/** Native position. */
export interface NativePosition {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** signed size */
  szi: string
  leverage: NativeLeverage
  /** average entry price */
  entryPx: string
  /** USD */
  positionValue: string
  /** USD */
  unrealizedPnl: string
  /** fraction of the margin at entry */
  returnOnEquity: string
  liquidationPx: string | null
  /** USD */
  marginUsed: string
  maxLeverage: number
  cumFunding: CumulativeFunding
}

/** Native state. */
export interface NativeState {
  marginSummary: MarginSummary
  crossMarginSummary: MarginSummary
  /** USD */
  crossMaintenanceMarginUsed: string
  /** USD */
  withdrawable: string
  assetPositions: NativeAssetPosition[]
  /** time, ms */
  time: number
}

/** Nav item. */
export interface NavItem {
  /** dbKey of a pair, key of an index */
  key: string
  /** 1 trading pair, 3 index */
  key_type: 1 | 3
  /** ticker symbol; short name of an index */
  coin_show: string
  /** last price or value; `-` for an index without one */
  last: string
  coin_name: string
  /** exchange; empty for an index */
  market_name: string
  /** currency of the price */
  currency_str: string
  /** newest trades, newest first */
  trades: {
    /** time, s, as text */
    time: string
    /** price */
    price: string
    /** size, in the coin */
    amount: string
    side: 'buy' | 'sell'
  }[]
}

/** Nested order. */
export interface NestedOrder {
  order: FrontendOrder
  status: string
  /** time of the change */
  statusTimestamp: number
}

/** Net flow. */
export interface NetFlow {
  /** into accounts of perpetuals, USD */
  netPerpIn: string
  /** into the spot account, tokens at their value then, USD */
  netSpotIn: string
}

/** News detail. */
export interface NewsDetail extends NewsItem {
  /** HTML paragraphs */
  content: string
  /** its source */
  source?: string | undefined
}

/** News item. */
export interface NewsItem {
  id: number
  title: string
  /** what it says, in a sentence */
  describe: string
  /** address of a picture */
  cover: string
  /** when it was published, s */
  createtime: number
  /** 10 or 0 Chinese, 11 English */
  language: number
  columnist: Columnist
}

/** Newsflash. */
export interface Newsflash {
  /** the same in all languages */
  id: number
  title: string
  content: string
  /** cn, tc or en */
  language: string
  /** when it was published, s */
  createtime: number
  columnist: Columnist
}

/** Observed completed trade. */
export interface ObservedCompletedTrade {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  direction: TradeDirection
  /** average opening price */
  entryPrice: string
  /** average closing price */
  closePrice: string
  /** total opened size */
  size: string
  /** price PnL in USD */
  pnl: string
  /** fees, USD */
  totalFee: string
  marginMode: 'cross' | 'isolated'
  /** when it was opened, ms */
  startTime: string
  /** when it was closed, ms */
  endTime: string
}

/** Older coin ticker. */
export interface OlderCoinTicker {
  coin_key: string
  /** price_cny */
  price_cny: string
  /** price_usd */
  price_usd: string
  /** degree_24h_cny */
  degree_24h_cny: string
  /** degree_24h_usd */
  degree_24h_usd: string
  /** supply_cny */
  supply_cny: string
  /** supply_usd */
  supply_usd: string
  /** trade_24h_cny */
  trade_24h_cny: string
  /** trade_24h_usd */
  trade_24h_usd: string
  /** vol_24h */
  vol_24h: string
  /** usdt_funding_rate */
  usdt_funding_rate: string
  /** usd_funding_rate */
  usd_funding_rate: string
}

/** Open order. */
export interface OpenOrder {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** limit price */
  limitPx: string
  /** size left */
  sz: string
  oid: number
  /** size when placed */
  origSz: string
  /** time placed */
  timestamp: number
  cloid?: string | undefined
  reduceOnly?: true | undefined
}

/** Order. */
export interface Order {
  /** order id */
  oid: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  side: 'buy' | 'sell'
  /** limit price */
  price: string
  /** size when placed */
  size: string
  /** size filled so far */
  filledSize: string
  /** status; how the third is spelled says the question `order-status-spelling` */
  status: 'open' | 'filled' | 'cancelled' | 'canceled'
  /** time of the last change of status */
  time: number
}

/** Order in form. */
export type OrderInForm = Order | NestedOrder

/** Order status. */
export type OrderStatus = {
  status: 'order'
  order: HistoricalOrder
} | {
  status: 'unknownOid'
}

/** Past found trader. */
export interface PastFoundTrader extends FoundTrader {
  /** its instant */
  time: number
}

/** Permission grant. */
export interface PermissionGrant {
  /** must be perpdex */
  resource_type: string
  /** names of the action map */
  actions: string[]
}

/** Perp asset position. */
export interface PerpAssetPosition {
  type: 'oneWay'
  position: PerpPosition
}

/** Perp context. */
export interface PerpContext {
  /** last price a day ago */
  prevDayPx: string
  /** turnover of 24 hours, USD */
  dayNtlVlm: string
  /** mark price */
  markPx: string
  midPx: string | null
  /** volume of 24 hours, in the coin */
  dayBaseVlm: string
  /** rate of the hour */
  funding: string
  /** in the coin */
  openInterest: string
  premium: string | null
  /** oracle price */
  oraclePx: string
  impactPxs: [string, string] | null
}

/** Perp dex. */
export interface PerpDex {
  name: string
  fullName: string
  /** account address */
  deployer: string
  oracleUpdater: string | null
  feeRecipient: string | null
  assetToStreamingOiCap: ([string, string])[]
  subDeployers: ([string, string[]])[]
  /** of the usual fee */
  deployerFeeScale: string
  lastDeployerFeeScaleChangeTime: string
  assetToFundingMultiplier: ([string, string])[]
  assetToFundingInterestRate: ([string, string])[]
}

/** Perp leverage. */
export interface PerpLeverage {
  type: 'cross' | 'isolated'
  /** leverage */
  value: number
  rawUsd: string | null
}

/** Perp position. */
export interface PerpPosition {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** signed size */
  szi: string
  leverage: PerpLeverage
  /** average entry price */
  entryPx: string
  /** USD */
  positionValue: string
  /** USD */
  unrealizedPnl: string
  /** fraction of the margin at entry */
  returnOnEquity: string
  liquidationPx: string | null
  /** USD */
  marginUsed: string
  maxLeverage: number
  cumFunding: CumulativeFunding
}

/** Perp state. */
export interface PerpState {
  marginSummary: MarginSummary
  crossMarginSummary: MarginSummary
  /** USD */
  crossMaintenanceMarginUsed: string
  /** USD */
  withdrawable: string
  assetPositions: PerpAssetPosition[]
  /** time, ms */
  time: number
}

/** Pnl curve. */
export type PnlCurve = PnlPoint[] | ShortPnlPoint[]

/** Pnl point. */
export interface PnlPoint {
  /** time, ms */
  time: number
  /** USD, cumulative */
  pnl: string
}

/** Portfolio curve. */
export interface PortfolioCurve {
  /** net value of the account */
  accountValue: CurvePoint[]
  /** PnL since the first point */
  pnl: CurvePoint[]
}

/** Portfolio point. */
export type PortfolioPoint = [number, string]

/** Portfolio window name. */
export interface PortfolioWindowName {
  /** oldest first; the last is now */
  accountValueHistory: PortfolioPoint[]
  /** since the first point */
  pnlHistory: PortfolioPoint[]
  /** volume in the window, USD */
  vlm: string
}

/** Position executions. */
export interface PositionExecutions {
  /** account address */
  address: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  direction: 'long' | 'short'
  /** false on isolated margin */
  cross: boolean
  /** when it was opened */
  startTime: string
  /** when it was closed; of completed ones only */
  endTime?: string | undefined
  interval: string
  executions: {
    /** start of the interval */
    time: number
    buyCount: number
    sellCount: number
    /** size */
    buySz: string
    /** size */
    sellSz: string
    buyAvgPx: string | null
    sellAvgPx: string | null
  }[]
}

/** Position history. */
export interface PositionHistory {
  /** account address */
  address: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  direction: 'long' | 'short'
  /** false on isolated margin */
  cross: boolean
  /** when it was opened */
  startTime: string
  /** when it was closed; of completed ones only */
  endTime?: string | undefined
  history: {
    /** time, ms */
    time: number
    /** size, without sign */
    size: string
    leverage: number
    effLeverage?: string | null | undefined
    /** average entry price */
    entryPrice: string
    /** USD */
    positionValue: string
    /** USD */
    unrealizedPnl: string
    /** fraction of the margin at entry */
    returnOnEquity: string
    liquidationPx?: string | null | undefined
    liqPrice?: string | null | undefined
    /** USD */
    marginUsed: string
    /** funding paid since it was opened, USD */
    cumFunding: string
  }[]
}

/** Position pnls. */
export interface PositionPnls {
  /** account address */
  address: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  direction: 'long' | 'short'
  /** false on isolated margin */
  cross: boolean
  /** when it was opened */
  startTime: string
  /** when it was closed; of completed ones only */
  endTime?: string | undefined
  interval: string
  pnls: {
    /** start of the interval */
    time: number
    /** size at its end, without sign */
    size: string
    /** USD, at its end */
    positionValue: string
    /** USD, at its end */
    unrealizedPnl: string
  }[]
}

/** Predicted funding. */
export type PredictedFunding = [string, ([string, {
  /** rate of the interval */
  fundingRate: string
  /** when it is charged */
  nextFundingTime: number
  fundingIntervalHours: number
} | null])[]]

/** Price quantity. */
export type PriceQuantity = [string, string]

/** Quota summary. */
export interface QuotaSummary {
  /** contracted ceiling a month */
  max_total_quota: number
  /** sum of the quotas of all sub keys */
  allocated_quota: number
  /** max_total_quota - allocated_quota */
  available_quota: number
  /** requests of this month by all sub keys */
  used_quota: number
  /** max(max_total_quota - used_quota, 0) */
  remaining_quota: number
}

/** Registration. */
export interface Registration {
  /** primary access key */
  access_key: string
  /** shown once */
  secret_key: string
  name: string
  level: string
}

/** Request limits. */
export interface RequestLimits {
  /**
   * longest time range of a request, s: between two instants, back from now, or a number of rows
   * times their interval
   */
  max_time_range: number
  /** default quota of a sub key, requests a month */
  max_request: number
  /** requests a minute */
  request_rate_limit: number
}

/** Rss item. */
export interface RssItem {
  title: string
  description: string
  /** address of a picture */
  image: string
  /** when it was published, s */
  pubDate: number
}

/** Short pnl point. */
export interface ShortPnlPoint {
  /** time, ms */
  ts: number
  /** USD, cumulative */
  v: string
}

/** Signal alert. */
export interface SignalAlert {
  /** pair */
  tp_key: string
  /** indicatorKey:period:triggerKey:params */
  sub_type: string
  side: 'sell' | 'buy'
  /** price when it fired */
  ews_price: string
  /** when it fired, s, as text */
  ews_time: string
}

/** Slice fill. */
export interface SliceFill {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** price */
  px: string
  /** size */
  sz: string
  /** time, ms */
  time: number
  /** the TWAP it is a slice of */
  twapId: number
}

/** Spot context. */
export interface SpotContext {
  /** last price a day ago */
  prevDayPx: string
  /** turnover of 24 hours, USD */
  dayNtlVlm: string
  /** mark price */
  markPx: string
  midPx: string | null
  /** volume of 24 hours, in the coin */
  dayBaseVlm: string
  /** units of the base token */
  circulatingSupply: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** units of the base token */
  totalSupply: string
}

/** Spot meta. */
export interface SpotMeta {
  universe: {
    /** [base, quote] */
    tokens: [number, number]
    name: string
    index: number
    isCanonical: boolean
  }[]
  tokens: {
    name: string
    szDecimals: number
    weiDecimals: number
    index: number
    tokenId: string
    isCanonical: boolean
    evmContract: {
      address: string
      evm_extra_wei_decimals: number
    } | null
    fullName: string | null
    /** share */
    deployerTradingFeeShare: string
  }[]
}

/** Spot meta and contexts. */
export type SpotMetaAndContexts = [SpotMeta, SpotContext[]]

/** Spot state. */
export interface SpotState {
  balances: {
    /** token, such as USDC or HYPE */
    coin: string
    /** number of the token */
    token: number
    /** balance */
    total: string
    /** amount in open orders */
    hold: string
    /** its cost, USD */
    entryNtl: string
  }[]
}

/** Stock market detail. */
export type StockMarketDetail = StockMarketItem[] | StockMarketItem | null

/** Stock market item. */
export interface StockMarketItem {
  /** `i:<symbol>:<market>` */
  key: string
  name: string
  /** last price */
  last: string
  /** change, percent */
  degree: string
}

/** Stock quote. */
export interface StockQuote {
  /** `i:<symbol>:<market>` (question stock-ticker-form) */
  ticker: string
  company_name: string
  /** in the currency of its market */
  last_price: number
  /** first price of the session */
  open: number
  /** last price of the session so far */
  close: number
  /** highest of the session */
  high: number
  /** lowest of the session */
  low: number
  /** shares traded in the session */
  volume: number
  /** last price x shares */
  market_cap: number
  /** time of the last price */
  timestamp: number
  /** first price of the session */
  open_today?: number | undefined
  /** beginning of the session */
  start_ts?: number | undefined
  /** end of the session */
  end_ts?: number | undefined
}

/** Strategy page. */
export interface StrategyPage {
  mapping: ['id', 'signal_time', 'signal_type', 'side', 'capital_rate', 'history_win_rate',
    'advise_win_rate', 'advise_loss_rate', 'state', 'price']
  /** 100 at most */
  list: StrategyRow[]
  supportList: {
    /** a strategy */
    strategy: 'depth_win_one' | 'depth_win_two' | 'depth_buy_one' | 'order_buy_one' | 'td_buy_one'
      | 'lsur_one'
    /** key of a supported coin */
    coinType: string
    category: 'spot' | 'futures'
  }[]
  /** for the next call, ms, as text */
  latest_time: string
}

/** Strategy row. */
export type StrategyRow = [string, string, string, string, string, string, string, string, string,
  string]

/** Sub account. */
export interface SubAccount {
  name: string
  /** account address */
  subAccountUser: string
  /** account address */
  master: string
  clearinghouseState: NativeState
  spotState: SpotState
}

/** Taker delta. */
export interface TakerDelta {
  /** in the coin; positive when takers bought more */
  szDelta: string
  /** in the quote unit; positive when takers bought more */
  valDelta: string
}

/** Taker kline. */
export interface TakerKline {
  /** opening time */
  openTime: number
  /** number of trades */
  tc: number
  /** volume in the coin */
  size: string
  /** volume in the quote unit */
  amount: string
  /** trades with a buying taker */
  tcBuyer: number
  /** volume bought by takers, in the coin */
  sizeBuyer: string
  /** volume bought by takers, in the quote unit */
  amountBuyer: string
  /** first price */
  open: string
  /** highest price */
  high: string
  /** lowest price */
  low: string
  /** last price */
  close: string
}

/** Ticker. */
export interface Ticker {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** last price */
  price: string
}

/** Top open order. */
export interface TopOpenOrder {
  /** time placed */
  time: number
  /** account address */
  address: string
  /** order id */
  oid: number
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** size left */
  sz: string
  /** size when placed */
  origSz: string
  /** limit price */
  limitPx: string
  /** limitPx x sz, USD */
  val: string
  reduceOnly: boolean
  tif: string | null
  distPct: string | null
}

/** Top trade. */
export interface TopTrade {
  /** time, ms */
  time: number
  /** account address */
  address: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  oid: number
  isTaker: boolean
  /** price */
  px: string
  /** size */
  sz: string
  /** px x sz, USD */
  val: string
  endPosition: string | null
}

/** Trade. */
export interface Trade {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** price */
  px: string
  /** size */
  sz: string
  /** time, ms */
  time: number
  hash: string
  tid: number
  users: [string, string]
}

/** Trade direction. */
export type TradeDirection = 'long' | 'short'

/** Trade page. */
export interface TradePage {
  list: CompletedTrade[]
  total: number
  pageNum: number
  pageSize: number
}

/** Trader account. */
export interface TraderAccount {
  /** account address */
  address: string
  /** equity on builder dexes, not in totalValue, USD */
  builderPerpValue: string
  /** open positions on the main dex */
  currentPosition: number
  /** position value over equity on the main dex */
  effLeverage: string
  /** newest order or fill, ms; 0 before the first */
  lastOperationAt: number
  leverage: string | null
  /** margin used on the main dex, USD */
  marginUsage: string
  /** margin used over equity on the main dex, a fraction */
  marginUsageRate: string
  /** equity on the main dex, USD */
  perpValue: string
  /** spot balances at their prices, USD */
  spotValue: string
  /** net value of the account, USD */
  totalValue: string
}

/** Trader filter. */
export interface TraderFilter {
  /** a column */
  field: string
  /** comparison */
  op?: '>' | '>=' | '<' | '<=' | '=' | '!=' | '<>' | 'exist' | undefined
  /** number to compare with */
  val?: number | string | undefined
  /** text or date to compare with, such as 2026-01-15 */
  val2?: string | undefined
  /** days back; else the search's own period */
  period?: number | undefined
}

/** Trader page. */
export interface TraderPage {
  list: TraderStatistics[]
  /** accounts found */
  total: number
  pageNum: number
  pageSize: number
}

/** Trader search. */
export interface TraderSearch {
  /** page, from 1 to 20 */
  pageNum?: number | undefined
  /** traders per page */
  pageSize?: number | undefined
  /** days back, 0 for all time */
  period?: number | undefined
  sort?: TraderSort | undefined
  /** has all of these tags */
  tags?: string[] | undefined
  /** held all of these in the period */
  coins?: string[] | undefined
  /** held any of these in the period */
  anyCoins?: string[] | undefined
  /** held none of these in the period */
  noCoins?: string[] | undefined
  /** held nothing but these in the period */
  allCoins?: string[] | undefined
  /** columns; the address is always included */
  selects?: string[] | undefined
  /** with `pnlList` */
  loadPnls?: boolean | undefined
  /** with `tags` */
  loadTags?: boolean | undefined
  /** only the number of traders */
  countOnly?: boolean | undefined
  /** language of the tags */
  lang?: 'en' | 'cn' | undefined
  /** all of these are true */
  filters?: TraderFilter[] | undefined
  /** only these; those after the first 50 are cut */
  addrs?: string[] | undefined
}

/** Trader sort. */
export interface TraderSort {
  /** a column */
  field: string
  /** direction */
  dir?: 'desc' | 'asc' | 'DESC' | 'ASC' | undefined
}

/** Trader statistics. */
export interface TraderStatistics extends TraderAccount {
  /** mean time a closed position was held, seconds */
  avgHoldingSec: number
  /** realised by long positions, USD */
  longPnl: string
  /** fraction of profitable long positions */
  longWr: string
  pnlList: PnlCurve | null
  /** positions closed */
  positions: number
  /** of these, with a profit */
  profitPositions: number
  /** realised by positions closed, without fees and funding, USD */
  realizedPnl: string
  /** realised by short positions, USD */
  shortPnl: string
  /** fraction of profitable short positions */
  shortWr: string
  /** profitPositions / positions, a fraction */
  winRate: string
}

/** Trading pair. */
export type TradingPair = [string, string]

/** Twap change. */
export interface TwapChange {
  /** time of the change, s */
  time: number
  state: TwapState
  status: {
    /** activated when it began, then how it ended */
    status: 'activated' | 'finished' | 'terminated' | 'error'
    /** what went wrong */
    description?: string | undefined
  }
  twapId: number
}

/** Twap impact. */
export interface TwapImpact {
  twapId: number
  /** account address */
  address: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** size */
  sz: string
  /** size executed so far */
  executedSz: string
  /** size left */
  remainSz: string
  /** value left, USD */
  remainVal: string
  /** duration, minutes */
  minutes: number
  /** start */
  timestamp: number
  /** planned end */
  endTime: number
  reduceOnly: boolean
  /** slices at random times */
  randomize: boolean
  /** remainVal in percent of the turnover of 24 hours */
  impactPct: string
}

/** Twap state. */
export interface TwapState {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** value executed so far */
  executedNtl: string
  /** size executed so far */
  executedSz: string
  /** duration, minutes */
  minutes: number
  /** slices at random times */
  randomize: boolean
  reduceOnly: boolean
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** size */
  sz: string
  /** start */
  timestamp: number
  /** account address */
  user: string
}

/** Twap wall. */
export interface TwapWall {
  coin: string | null
  /** the present */
  time: number
  /** TWAPs that buy */
  buyCount: number
  /** TWAPs that sell */
  sellCount: number
  /** value left to buy, USD */
  buyVal: string
  /** value left to sell, USD */
  sellVal: string
  /** buyVal less sellVal */
  netVal: string
  /** oldest first */
  wall: WallInterval[]
}

/** User fees. */
export interface UserFees {
  /** 15 days, oldest first; the last is today */
  dailyUserVlm: FeeDay[]
  feeSchedule: FeeSchedule
  /** rate of takers */
  userCrossRate: string
  /** rate of makers; negative is a rebate */
  userAddRate: string
  /** rate of takers */
  userSpotCrossRate: string
  /** rate of makers; negative is a rebate */
  userSpotAddRate: string
  /** fraction */
  activeReferralDiscount: string
  trial: null
  /** USD */
  feeTrialEscrow: string
  nextTrialAvailableTimestamp: number | null
  stakingLink: null
  activeStakingDiscount: {
    /** staked, basis points */
    bpsOfMaxSupply: string
    /** fraction */
    discount: string
  }
}

/** User fill. */
export interface UserFill {
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  coin: string
  /** price */
  px: string
  /** size */
  sz: string
  /** B bid or buy, A ask or sell */
  side: 'B' | 'A'
  /** time, ms */
  time: number
  /** signed position before the fill */
  startPosition: string
  /** effect on the position, as text for display */
  dir: string
  /** realised PnL in USD */
  closedPnl: string
  /** transaction hash */
  hash: string
  /** order id */
  oid: number
  /** true for the taker */
  crossed: boolean
  /** fee; negative is a rebate */
  fee: string
  /** trade id, the same on both sides */
  tid: number
  feeToken: string
  twapId: number | null
  /** fee of the builder */
  builderFee?: string | undefined
  cloid?: string | undefined
  liquidation?: FillLiquidation | undefined
}

/** Venue portfolio. */
export type VenuePortfolio = [['day', PortfolioWindowName], ['week', PortfolioWindowName], ['month',
  PortfolioWindowName], ['allTime', PortfolioWindowName], ['perpDay', PortfolioWindowName],
  ['perpWeek', PortfolioWindowName], ['perpMonth', PortfolioWindowName], ['perpAllTime',
  PortfolioWindowName]]

/** Wall interval. */
export interface WallInterval {
  /** beginning of the interval, ms */
  time: number
  buySz: string | null
  sellSz: string | null
  /** value left to buy, USD */
  buyVal: string
  /** value left to sell, USD */
  sellVal: string
  /** buyVal less sellVal */
  netVal: string
}

/** Web data2. */
export interface WebData2 {
  clearinghouseState: NativeState
  leadingVaults: {
    /** account address */
    address: string
    name: string
  }[]
  /** USD */
  totalVaultEquity: string
  openOrders: FrontendOrder[]
  agentAddress: string | null
  agentValidUntil: number | null
  /** net deposits, USD */
  cumLedger: string
  meta: Meta | null
  assetCtxs: PerpContext[] | null
  /** time, ms */
  serverTime: number
  isVault: boolean
  /** account address */
  user: string
  /** TWAPs that run: id and state */
  twapStates: ([number, TwapState])[]
  spotState: SpotState
  spotAssetCtxs: SpotContext[]
}

/** Whale directions. */
export interface WhaleDirections {
  /** long positions */
  longCount: number
  /** short positions */
  shortCount: number
}

/** Whale event. */
export interface WhaleEvent {
  /** account address */
  user: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  symbol: string
  /** signed size */
  positionSize: string
  /** average entry price */
  entryPrice: string
  liqPrice: string | null
  /** USD */
  positionValueUsd: string
  /** margin mode */
  marginMode: 'cross' | 'isolated'
  /** 1 opened, 2 closed */
  positionAction: 1 | 2
  /** when that was */
  createTime: string
}

/** Whale position. */
export interface WhalePosition {
  /** account address */
  user: string
  /** coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA */
  symbol: string
  /** signed size */
  positionSize: string
  /** average entry price */
  entryPrice: string
  liqPrice: string | null
  /** USD */
  positionValueUsd: string
  /** margin mode */
  marginMode: 'cross' | 'isolated'
  leverage: number
  /** margin of the position, USD */
  marginBalance: string
  /** USD */
  unrealizedPnL: string
  /** funding since it was opened, USD */
  fundingFee: string
  /** when it was opened */
  createTime: number
  /** when it last changed */
  updateTime: number
}

/** Whale ratio. */
export interface WhaleRatio {
  /** time, ms */
  time: number
  /** part of the positions that are long, a fraction */
  longRatio: string
  /** value of the long positions less that of the short ones, USD */
  positionValueDiff: string
  /** part of the value that is long, a fraction */
  longPositionValueRatio: string
}
