/** Lengths of time in files that users write: `10s`, `500ms`, `5m`, and `0s`. */
import { Type } from '@sinclair/typebox'
import { spanMs } from '../span.ts'

export const SpanField = (description: string) =>
  Type.String({ pattern: '^(0s|[1-9]\\d{0,5}(ms|[smhdw]))$', description })

/** Its length in ms, for text that has been checked. */
export function fieldSpanMs(text: string): number {
  if (text === '0s') return 0
  return text.endsWith('ms') ? Number(text.slice(0, -2)) : spanMs(text)
}
