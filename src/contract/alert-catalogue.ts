/**
 * The catalogue of alerts: indicators, their triggers, and the intervals on which they are checked.
 * Names of indicators and triggers are this sandbox's own.
 */
import type { AlertIndicator } from './records/signal.ts'

/** Lengths of the intervals, minutes. */
export const ALERT_MINUTES = [1, 3, 5, 15, 30, 60, 120, 240, 360, 720, 1440]

/** A name: `en`, then `cn`. */
type BilingualName = readonly [en: string, cn: string]

interface AlertTrigger {
  side: 'buy' | 'sell'
  label: BilingualName
}

export interface AlertIndicatorType {
  label: string
  names: BilingualName
  triggers: Record<string, AlertTrigger>
  /** The default numbers after the last colon. */
  usual: readonly number[] | 'price'
  /** Minimum and maximum of each, and whether it may have decimals. */
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
    // The price when the alert is set.
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
    // A multiple of the usual turnover.
    usual: [3],
    bounds: [[1, 100, 'decimals']],
  },
} as const satisfies Record<string, AlertIndicatorType>

export type AlertIndicatorKey = keyof typeof ALERT_INDICATORS

/** The condition of an alert. */
export interface AlertCondition {
  indicator: AlertIndicatorKey
  minutes: number
  trigger: string
  side: 'buy' | 'sell'
  /** Empty for a price: the price when it was set. */
  numbers: number[]
}

const PICTURE_BASE_URL = 'https://static.example.com/signal'

/** The catalogue in a language. */
export function alertConfig(language: 'cn' | 'en'): AlertIndicator[] {
  const inLanguage = ([en, cn]: BilingualName) => (language === 'en' ? en : cn)
  return Object.entries<AlertIndicatorType>(ALERT_INDICATORS).map(
    ([indicatorKey, indicator], at) => ({
      config: Object.entries(indicator.triggers).map(([triggerKey, { side, label }]) => ({
        appPicLink: `${PICTURE_BASE_URL}/app/${indicatorKey}-${triggerKey}.png`,
        label: inLanguage(label),
        name: `${indicator.label} ${inLanguage(label)}`,
        picLink: `${PICTURE_BASE_URL}/${indicatorKey}-${triggerKey}.png`,
        signalType: side,
        triggerKey,
      })),
      indicatorKey,
      label: indicator.label,
      name: inLanguage(indicator.names),
      sort: at + 1,
    }),
  )
}

// Parses the condition of an alert: `indicatorKey:period:triggerKey:params`.

/** null for an unknown one. */
export function parseSubType(text: string): AlertCondition | null {
  const read = wishIn(text)
  return typeof read === 'string' ? null : read
}

/** Why there is no such alert, as text; null where there is. */
export function alertSubTypeFlaw(text: string): string | null {
  const read = wishIn(text)
  return typeof read === 'string' ? read : null
}

function wishIn(text: string): AlertCondition | string {
  const parts = text.split(':')
  const [key = '', period = '', trigger = '', params = ''] = parts
  if (parts.length > 4) return `subType has ${parts.length} parts, and 4 are the most`
  if (!Object.hasOwn(ALERT_INDICATORS, key))
    return `there is no indicator "${key}": use ${listed(Object.keys(ALERT_INDICATORS))}`
  const indicator: AlertIndicatorType = ALERT_INDICATORS[key as AlertIndicatorKey]
  const minutes = ALERT_MINUTES.find((one) => String(one) === period)
  if (minutes === undefined) return `there is no period "${period}": use ${listed(ALERT_MINUTES)}`
  const found = Object.hasOwn(indicator.triggers, trigger) ? indicator.triggers[trigger] : undefined
  if (!found) return `${key} has no trigger "${trigger}": use ${listed(keysOf(indicator))}`
  const numbers = parametersOf(indicator, params)
  if (numbers === null) return `${key}: ${wantedOf(indicator)}, not "${params}"`
  return { indicator: key as AlertIndicatorKey, minutes, trigger, side: found.side, numbers }
}

const keysOf = ({ triggers }: AlertIndicatorType) => Object.keys(triggers)

const listed = (words: readonly (string | number)[]) =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter((part) => part !== '').join(' or ')

/** The given numbers, each within its bounds, then the default ones; null for anything else. */
function parametersOf({ usual, bounds }: AlertIndicatorType, params: string): number[] | null {
  const given = params === '' ? [] : params.split(',')
  if (usual === 'price' && given.length === 0) return []
  if (given.some((one) => !/^\d{1,12}(\.\d{1,12})?$/.test(one))) return null
  const rest = usual === 'price' ? [] : usual.slice(given.length)
  const numbers = [...given.map(Number), ...rest]
  if (numbers.length !== bounds.length) return null
  return bounds.every((bound, at) => isWithin(numbers[at] as number, bound)) ? numbers : null
}

const isWithin = (number: number, [least, most, decimals]: ParameterBound) =>
  number >= least && number <= most && (decimals !== undefined || Number.isInteger(number))

/** The valid params, as text. */
function wantedOf({ bounds }: AlertIndicatorType): string {
  if (bounds.length === 0) return 'it has no params'
  const ranges = bounds.map(([least, most, decimals]) =>
    decimals ? `a number from ${least} to ${most}` : `a whole number from ${least} to ${most}`,
  )
  return `params may be ${ranges.join(', then ')}`
}
