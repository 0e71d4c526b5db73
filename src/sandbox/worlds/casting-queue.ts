import { UserError } from '../../platform/user-error.ts'
import type { Casting } from '../loaded-world.ts'

/** Worlds that may wait for their casting: each keeps whoever asked for it waiting. */
const WAITING_MAX = 16

/** Castings in order: a few at a time, as each takes two threads, and the others wait. */
export class CastingQueue {
  private readonly running = new Set<Casting>()
  private readonly waiting: { casting: Casting; start: () => void }[] = []

  /** @param atOnce how many may run at a time */
  constructor(private readonly atOnce: number) {}

  /** Those that run, then those that wait. */
  list(): readonly Casting[] {
    return [...this.running, ...this.waiting.map(({ casting }) => casting)]
  }

  /**
   * Does the work when its turn has come; `casting` is shown until it ends. Refuses with a
   * UserError when too many wait already.
   */
  async run<T>(casting: Casting, work: () => Promise<T>): Promise<T> {
    if (this.running.size >= this.atOnce) await this.turnOf(casting)
    this.running.add(casting)
    try {
      return await work()
    } finally {
      this.running.delete(casting)
      this.startNext()
    }
  }

  /** Its place is taken at once: nobody comes between. */
  private startNext(): void {
    const next = this.waiting.shift()
    if (!next) return
    this.running.add(next.casting)
    next.start()
  }

  private turnOf(casting: Casting): Promise<void> {
    if (this.waiting.length >= WAITING_MAX)
      throw new UserError(
        `${this.running.size} worlds are being cast and ${this.waiting.length} wait for it, ` +
          `and no more than ${WAITING_MAX} may wait: ask again when some of them are finished`,
      )
    return new Promise((start) => this.waiting.push({ casting, start }))
  }
}
