/** A refusal: any of the closed list, or one of the named ones. */
export type Refusal<N extends RefusalName = RefusalName> = Extract<Listed, { refused: N }>

export type RefusalName = Listed['refused']

type Listed =
  | { refused: 'signature' }
  | { refused: 'permission'; name: string }
  | { refused: 'missing'; parameter: string }
  /** `question`: the id of the open question that it rests on, if any. */
  | { refused: 'invalid'; parameter: string; expected: string; question?: string }
  | { refused: 'body'; expected: string }
  | { refused: 'symbol'; symbol: string }
  | { refused: 'bitcoinOnly' }
  | { refused: 'position' }
  | { refused: 'news' }
  | { refused: 'alert' }
  | { refused: 'alertAbsent' }
  | { refused: 'index' }
  | { refused: 'infoType'; type: string }
  | { refused: 'market' }
  | { refused: 'invite' }
  | { refused: 'resourceType' }
  | { refused: 'action'; name: string }
  | { refused: 'level'; name: string }
  | { refused: 'levelCount'; why: string }
  | { refused: 'subKey'; why: string }
  | { refused: 'subKeyAbsent'; name: string }
  | { refused: 'rate'; perMinute: number; retryAfterS: number }
  | { refused: 'quota'; retryAfterS: number }
  | { refused: 'timeRange'; maxS: number }
  | { refused: 'connections'; most: number }
  | { refused: 'weight' }
  | { refused: 'mediaType' }
  /** `near`: the path without doubled or trailing slashes, where that is served. */
  | { refused: 'path'; near?: string }
  | { refused: 'method'; allowed: string[] }
  | { refused: 'tooLarge'; maxBytes: number; declaredBytes?: number }
  | { refused: 'fault' }
  | { refused: 'storage' }
  | { refused: 'notRecorded'; why: string }
  | { refused: 'upstream'; why: string }

/** The refusal of an unknown pair. */
export const refuseSymbol = (symbol: string): Refusal<'symbol'> => ({ refused: 'symbol', symbol })

/** Whether a value is a refusal. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value
}
