import { isUtf8 } from 'node:buffer'
import type { Redaction } from '../redaction/redaction.ts'

/** Memory limit shared by everything in progress. */
export interface KeepingBudget {
  /** Limit of one body or message. */
  readonly oneMax: number
  /** Bytes left for all of them. */
  left: number
}

/** The bytes of one body or message, dropped when they exceed a limit. */
export class KeptBytes {
  private pieces: Buffer[] = []
  private held = 0
  private total = 0
  private why: string | null = null

  constructor(private readonly budget: KeepingBudget) {}

  /** Number of received bytes, kept or not. */
  get length(): number {
    return this.total
  }

  /** Why they were dropped, as text; null when they were kept. */
  get flaw(): string | null {
    return this.why
  }

  add(bytes: Buffer): void {
    this.total += bytes.length
    if (this.why !== null || bytes.length === 0) return
    if (this.total > this.budget.oneMax) return this.giveUp(tooLong(this.budget.oneMax))
    if (bytes.length > this.budget.left)
      return this.giveUp('came while the limit of kept bytes was reached')
    this.pieces.push(bytes)
    this.held += bytes.length
    this.budget.left -= bytes.length
  }

  /** Returns all of them and frees their share of the limit. */
  release(): Buffer {
    const whole = this.pieces.length === 1 ? (this.pieces[0] as Buffer) : Buffer.concat(this.pieces)
    this.empty()
    return whole
  }

  private giveUp(why: string): void {
    this.why = why
    this.empty()
  }

  private empty(): void {
    this.pieces = []
    this.budget.left += this.held
    this.held = 0
  }
}

/** Reason for something beyond a limit, as text. */
export const tooLong = (most: number): string =>
  `is longer than ${Math.round(most / 1_048_576)} MiB, which is not kept`

// Bytes in a tape's form: text where they are UTF-8, else Base64.

/** Text or bytes without secrets. */
type KeptContent = { text: string } | { base64: string }

export function keptContent(bytes: Buffer, redaction: Redaction): KeptContent {
  // Text does not contain zeros, and JSON writes one in six characters.
  if (isUtf8(bytes) && !bytes.includes(0)) return { text: redaction.text(bytes.toString('utf8')) }
  return { base64: redaction.bytes(bytes).toString('base64') }
}
