/** Reads what an alert waits for: `indicatorKey:period:triggerKey:params`. */
import {
  ALERT_INDICATORS,
  ALERT_MINUTES,
  type AlertCondition,
  type AlertIndicatorKey,
  type AlertIndicatorType,
  type ParameterBound,
} from './alert-catalogue.ts'

/** null for what there is not. */
export function parseSubType(text: string): AlertCondition | null {
  const read = wishIn(text)
  return typeof read === 'string' ? null : read
}

/** Why there is no such alert, in words; null where there is. */
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

/** The given numbers, each within its bounds, then the usual ones; null for anything else. */
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

/** What params may be, in words. */
function wantedOf({ bounds }: AlertIndicatorType): string {
  if (bounds.length === 0) return 'it has no params'
  const ranges = bounds.map(([least, most, decimals]) =>
    decimals ? `a number from ${least} to ${most}` : `a whole number from ${least} to ${most}`,
  )
  return `params may be ${ranges.join(', then ')}`
}
