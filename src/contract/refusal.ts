/**
 * Every way in which the service says no (spec, Errors). What each looks like on the wire stands
 * in refusal-forms.ts.
 */

/** The closed list of refusals. */
export type Refusal =
  | { refused: 'signature' }
  | { refused: 'permission'; name: string }
  | { refused: 'missing'; parameter: string }
  | { refused: 'invalid'; parameter: string; expected: string }
  | { refused: 'body'; expected: string }
  | { refused: 'symbol'; symbol: string }
  | { refused: 'bitcoinOnly' }
  | { refused: 'position' }
  | { refused: 'news' }
  | { refused: 'alert' }
  | { refused: 'alertAbsent' }
  | { refused: 'index' }
  | { refused: 'infoType'; type: string }
  | { refused: 'invite' }
  | { refused: 'resourceType' }
  | { refused: 'action'; name: string }
  | { refused: 'level'; name: string }
  | { refused: 'subKey'; why: string }
  | { refused: 'subKeyAbsent'; name: string }
  | { refused: 'rate'; perMinute: number; retryAfterS: number }
  | { refused: 'quota'; retryAfterS: number }
  | { refused: 'timeRange'; mostS: number }
  | { refused: 'connections'; most: number }
  | { refused: 'weight' }
  | { refused: 'path' }
  | { refused: 'method'; allowed: string[] }
  | { refused: 'tooLarge'; maxBytes: number }
  | { refused: 'fault' }

export type RefusalName = Refusal['refused']

/** A pair that is not known. */
export const refuseSymbol = (symbol: string): Refusal => ({ refused: 'symbol', symbol })

/** Tells a refusal from an answer. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value
}
