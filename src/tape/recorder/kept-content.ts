/** Bytes as they stand in a tape: text where they are UTF-8, else Base64. */
import { isUtf8 } from 'node:buffer'
import type { Redaction } from './redaction/redaction.ts'

/** A text without its secrets, or bytes without theirs. */
export type KeptContent = { text: string } | { base64: string }

export function keptContent(bytes: Buffer, redaction: Redaction): KeptContent {
  // A zero is in no text, and JSON writes it in six letters.
  if (isUtf8(bytes) && !bytes.includes(0)) return { text: redaction.text(bytes.toString('utf8')) }
  return { base64: redaction.bytes(bytes).toString('base64') }
}
