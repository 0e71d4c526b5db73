/** The kind of a refusal, by its status, code and reason, in every known form. */

/**
 * `rate` passes within minutes, `quota` with the month; `unavailable` is an unreachable service,
 * `fault` a failed one.
 */
export type RefusalKind =
  | 'signature'
  | 'permission'
  | 'rate'
  | 'quota'
  | 'parameter'
  | 'absent'
  | 'unavailable'
  | 'fault'
  | 'other'

/** The content of a refusal. */
export interface Refusal {
  status: number
  code: string
  reason: string
  retryAfterS: number | null
  /** Lines of the reason, from a stand-in. */
  explained?: readonly string[] | undefined
}

/**
 * The reason has precedence over the code, and the code of the envelope over a successful status.
 */
export function refusalKind({ status, code, reason, retryAfterS }: Refusal): RefusalKind {
  const number = status >= 400 ? status : Number(code)
  if (number === 429 || code === '429' || TOO_MANY.test(reason))
    return QUOTA.test(reason) || (retryAfterS ?? 0) > AN_HOUR_S ? 'quota' : 'rate'
  const worded = BY_WORDS.find(([words]) => words.test(reason))
  return worded?.[1] ?? statusKind(number)
}

/** The kind of a status, or of a code that stands for one. */
export function statusKind(number: number): RefusalKind {
  return BY_NUMBER[number] ?? (number >= 500 && number < 600 ? 'fault' : 'other')
}

const AN_HOUR_S = 3600
const TOO_MANY = /请求过于频繁|too many requests/i
const QUOTA = /quota|month|额度|配额/i

const BY_WORDS: readonly [words: RegExp, kind: RefusalKind][] = [
  [/^Permission denied|没有权限/, 'permission'],
  [/Invalid signature|AccessKey|验证失败/, 'signature'],
  [/not found|no such|not[ _]exist|不存在/i, 'absent'],
  [/invalid_key|参数无效|请求体无效/, 'parameter'],
]

/** 304 and 1001 are codes of the older gateway: a paid feature, and a bad signature. */
const BY_NUMBER: Readonly<Record<number, RefusalKind>> = {
  304: 'permission',
  400: 'parameter',
  401: 'signature',
  403: 'permission',
  404: 'absent',
  413: 'parameter',
  422: 'parameter',
  429: 'rate',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
  1001: 'signature',
}
