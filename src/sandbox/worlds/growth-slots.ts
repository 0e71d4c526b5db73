import { UserError } from '../../platform/user-error.ts'

/** Lines that may wait until others have been grown. */
const WAITING_MAX = 64

/** Places for lines that grow: a few at a time, as each takes a thread, and the others wait. */
export class GrowthSlots {
  private taken = 0
  private readonly waiting: (() => void)[] = []

  /** @param count how many grow at a time */
  constructor(private readonly count: number) {}

  /** A place, in order of asking; the result gives it back. A UserError when too many wait. */
  async take(): Promise<() => void> {
    if (this.taken < this.count) this.taken++
    else await this.turn()
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      const next = this.waiting.shift()
      // A place that is handed on stays taken: nobody comes between.
      if (next) next()
      else this.taken--
    }
  }

  private turn(): Promise<void> {
    if (this.waiting.length >= WAITING_MAX)
      throw new UserError(
        `${this.taken} markets are being grown and ${this.waiting.length} wait for it, and no ` +
          `more than ${WAITING_MAX} may wait: ask again when some of them are there`,
      )
    return new Promise((resume) => this.waiting.push(resume))
  }
}
