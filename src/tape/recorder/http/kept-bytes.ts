/** Bytes that may be held in all, shared by everything that is going on at a time. */
export interface KeepingBudget {
  /** Of one body or message. */
  readonly oneMax: number
  /** What is left of the bytes for all of them. */
  left: number
}

/** The bytes of one body or message, given up when they are too many to keep. */
export class KeptBytes {
  private pieces: Buffer[] = []
  private held = 0
  private total = 0
  private why: string | null = null

  constructor(private readonly budget: KeepingBudget) {}

  /** How many have come, kept or not. */
  get length(): number {
    return this.total
  }

  /** Why they were not kept, in words; null when they were. */
  get flaw(): string | null {
    return this.why
  }

  add(bytes: Buffer): void {
    this.total += bytes.length
    if (this.why !== null || bytes.length === 0) return
    if (this.total > this.budget.oneMax) return this.giveUp(tooLong(this.budget.oneMax))
    if (bytes.length > this.budget.left)
      return this.giveUp('came while too much else was on its way to be kept')
    this.pieces.push(bytes)
    this.held += bytes.length
    this.budget.left -= bytes.length
  }

  /** All of them, which are no longer held here. */
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

/** Why something that has more bytes than this is not there, in words. */
export const tooLong = (most: number): string =>
  `is longer than ${Math.round(most / 1_048_576)} MiB, which is not kept`
