/** The operations of the group `signal`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallGroup, CallOptions, NoInput } from '../requests/request.ts'
import type {
  AlertIndicator,
  AlertResult,
  AlertSetItem,
  ChangeSignal,
  SignalAlert,
  StrategyPage,
} from './records.ts'

/** Requests of `signal`. */
export interface SignalCalls {
  /**
   * Set an alert. signalAlertConf lists the choices: `macd:15:golden` waits for a golden cross of
   * MACD on quarters of an hour, `rsi:60:oversold:14,25` has numbers of its own, and
   * `price:1:above:100000` waits for a price.
   *
   * `GET /signal/addSignalAlert`.
   */
  addAlert(input: {
    query: {
      /** `indicatorKey:period:triggerKey:params`; params, comma-separated, optional */
      subType: string
      /** pair, `symbol:exchange` */
      symbol: string
      /** a note; no answer shows it */
      remark?: string | undefined
    }
  }, options?: CallOptions): Promise<AlertResult>

  /**
   * Alerts that can be set. The indicators, the triggers of each, and the intervals.
   *
   * `GET /signal/signalAlertConf`.
   */
  alertConfig(input?: {
    query?: {
      /** language */
      lan?: 'cn' | 'en' | undefined
    }
  }, options?: CallOptions): Promise<{
    alertConfig: AlertIndicator[]
    /** lengths of intervals, minutes */
    period: number[]
  }>

  /**
   * Alerts that are set.
   *
   * `GET /signal/getSignalAlertSetList`.
   */
  alertSettings(input?: NoInput, options?: CallOptions): Promise<{
    list: AlertSetItem[]
    /** number of alerts, as text */
    count: string
  }>

  /**
   * Alerts that have fired. The set alerts that have fired, newest first.
   *
   * `GET /signal/signalAlert`.
   */
  alerts(input?: NoInput, options?: CallOptions): Promise<{
    list: SignalAlert[]
  }>

  /**
   * Sudden changes. Sudden changes of all coins in the last 24 hours, newest first.
   *
   * `GET /signal/changeSignal`.
   */
  changes(input: {
    query: {
      /**
       * 1 high-volume breakout up, 2 breakdown down, 3 intraday surge, 4 intraday plunge, 5 quick
       * rebound, 6 high-level waterfall drop, 7 recent new high, 8 recent new low, 9 rapid pump, 10
       * rapid dump, 11 large buy orders, 12 large sell orders, 17 rapid inflow, 18 rapid outflow,
       * 23 large long liquidation, 24 large short liquidation
       */
      type: '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '10' | '11' | '12' | '17' | '18'
        | '23' | '24'
      /** currency */
      currency?: 'cny' | 'usd' | undefined
    }
  }, options?: CallOptions): Promise<{
    list: ChangeSignal[]
  }>

  /**
   * Remove an alert.
   *
   * `GET /signal/delSignalAlert`.
   */
  deleteAlert(input: {
    query: {
      /** id in the list of alerts that are set */
      id: number
    }
  }, options?: CallOptions): Promise<AlertResult>

  /**
   * Strategy signals. Signals of a strategy for a coin. depth_win_one: value of the open bids
   * against the asks; depth_win_two: their number; depth_buy_one: bids far above asks;
   * order_buy_one: takers buy nearly all of a high turnover; td_buy_one: nine falling closes;
   * lsur_one: against a crowd that stands on one side.
   *
   * `GET /signal/strategySignal`.
   */
  strategies(input: {
    query: {
      /** key of a coin or its symbol */
      coin_type: string
      /** strategy */
      signal_key: 'depth_win_one' | 'depth_win_two' | 'depth_buy_one' | 'order_buy_one'
        | 'td_buy_one' | 'lsur_one'
      /** the 100 after this, ms; the latest 100 by default */
      latest_time?: string | undefined
    }
  }, options?: CallOptions): Promise<StrategyPage>
}

/** How to ask for it. */
export const signal: CallGroup<SignalCalls> = {
  addAlert: 'GET /signal/addSignalAlert changes',
  alertConfig: 'GET /signal/signalAlertConf',
  alertSettings: 'GET /signal/getSignalAlertSetList',
  alerts: 'GET /signal/signalAlert',
  changes: 'GET /signal/changeSignal',
  deleteAlert: 'GET /signal/delSignalAlert changes',
  strategies: 'GET /signal/strategySignal',
}
