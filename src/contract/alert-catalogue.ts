/**
 * The alerts that can be set: indicators, what can come true of each, and the intervals on which
 * they are watched. Names of indicators and triggers are this sandbox's own.
 */
import type { AlertIndicator } from './records/signal-alert.ts'

/** Lengths of the intervals, minutes. */
export const ALERT_MINUTES = [1, 3, 5, 15, 30, 60, 120, 240, 360, 720, 1440]

/** How it is written: `en`, then `cn`. */
type BilingualName = readonly [en: string, cn: string]

interface AlertTrigger {
  side: 'buy' | 'sell'
  label: BilingualName
}

export interface AlertIndicatorType {
  label: string
  names: BilingualName
  triggers: Record<string, AlertTrigger>
  /** The numbers behind the last colon when they are left out. */
  usual: readonly number[] | 'price'
  /** Least and most of each, and whether it may have decimals. */
  bounds: readonly ParameterBound[]
}

export type ParameterBound = readonly [least: number, most: number, decimals?: 'decimals']

const cross: Record<string, AlertTrigger> = {
  golden: { side: 'buy', label: ['golden cross', '金叉'] },
  death: { side: 'sell', label: ['death cross', '死叉'] },
}
const periodBound = [1, 120] as const

export const ALERT_INDICATORS = {
  price: {
    label: 'PRICE',
    names: ['Price', '价格'],
    triggers: {
      above: { side: 'buy', label: ['rises to', '涨至'] },
      below: { side: 'sell', label: ['falls to', '跌至'] },
    },
    // The price of the moment at which it is set.
    usual: 'price',
    bounds: [[0, 1e12, 'decimals']],
  },
  ma: {
    label: 'MA',
    names: ['Moving average', '移动平均线'],
    triggers: cross,
    usual: [5, 20],
    bounds: [periodBound, periodBound],
  },
  ema: {
    label: 'EMA',
    names: ['Exponential moving average', '指数移动平均线'],
    triggers: cross,
    usual: [12, 26],
    bounds: [periodBound, periodBound],
  },
  macd: {
    label: 'MACD',
    names: ['Convergence of moving averages', '平滑异同移动平均线'],
    triggers: cross,
    usual: [12, 26, 9],
    bounds: [periodBound, periodBound, periodBound],
  },
  kdj: {
    label: 'KDJ',
    names: ['Stochastic indicator', '随机指标'],
    triggers: cross,
    usual: [9],
    bounds: [periodBound],
  },
  rsi: {
    label: 'RSI',
    names: ['Relative strength', '相对强弱指标'],
    triggers: {
      oversold: { side: 'buy', label: ['oversold', '超卖'] },
      overbought: { side: 'sell', label: ['overbought', '超买'] },
    },
    // The lower limit; the upper one lies as far below 100.
    usual: [14, 30],
    bounds: [periodBound, [1, 49]],
  },
  boll: {
    label: 'BOLL',
    names: ['Bollinger bands', '布林线'],
    triggers: {
      lower: { side: 'buy', label: ['breaks the lower band', '跌破下轨'] },
      upper: { side: 'sell', label: ['breaks the upper band', '突破上轨'] },
    },
    usual: [20, 2],
    bounds: [
      [2, 120],
      [1, 5, 'decimals'],
    ],
  },
  td: {
    label: 'TD',
    names: ['Sequential count', 'TD 序列'],
    triggers: {
      low: { side: 'buy', label: ['low nine', '低九'] },
      high: { side: 'sell', label: ['high nine', '高九'] },
    },
    usual: [],
    bounds: [],
  },
  vol: {
    label: 'VOL',
    names: ['Turnover', '成交额'],
    triggers: {
      rise: { side: 'buy', label: ['rises on high turnover', '放量上涨'] },
      fall: { side: 'sell', label: ['falls on high turnover', '放量下跌'] },
    },
    // So many times the usual turnover.
    usual: [3],
    bounds: [[1, 100, 'decimals']],
  },
} as const satisfies Record<string, AlertIndicatorType>

export type AlertIndicatorKey = keyof typeof ALERT_INDICATORS

/** What an alert waits for. */
export interface AlertCondition {
  indicator: AlertIndicatorKey
  minutes: number
  trigger: string
  side: 'buy' | 'sell'
  /** None on a price: that at which it was set. */
  numbers: number[]
}

const PICTURE_BASE_URL = 'https://static.example.com/signal'

/** What there is to choose from, in a language. */
export function alertConfig(language: 'cn' | 'en'): AlertIndicator[] {
  const said = ([en, cn]: BilingualName) => (language === 'en' ? en : cn)
  return Object.entries<AlertIndicatorType>(ALERT_INDICATORS).map(
    ([indicatorKey, indicator], at) => ({
      config: Object.entries(indicator.triggers).map(([triggerKey, { side, label }]) => ({
        appPicLink: `${PICTURE_BASE_URL}/app/${indicatorKey}-${triggerKey}.png`,
        label: said(label),
        name: `${indicator.label} ${said(label)}`,
        picLink: `${PICTURE_BASE_URL}/${indicatorKey}-${triggerKey}.png`,
        signalType: side,
        triggerKey,
      })),
      indicatorKey,
      label: indicator.label,
      name: said(indicator.names),
      sort: at + 1,
    }),
  )
}
