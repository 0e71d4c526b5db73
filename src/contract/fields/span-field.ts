/** Lengths of time in files that users write: `10s`, `500ms`, `5m`, and `0s`. */
import { Type } from '@sinclair/typebox'
import { spanMs } from '../span.ts'

export const SpanField = (description: string) => Type.String({ pattern: PATTERN, description })

/** At most some 19,000 years in each unit. */
const PATTERN =
  '^(0s|[1-9]\\d{0,13}ms|[1-9]\\d{0,10}s|[1-9]\\d{0,8}m|[1-9]\\d{0,7}h|[1-9]\\d{0,5}[dw])$'

/** Its length in ms, for text that has been checked. */
export function fieldSpanMs(text: string): number {
  if (text === '0s') return 0
  return text.endsWith('ms') ? Number(text.slice(0, -2)) : spanMs(text)
}
