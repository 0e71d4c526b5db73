import type { TapeMs } from '../../clock/instant.ts'

interface Waiter {
  untilMs: TapeMs
  resolve: () => void
  reject: (error: Error) => void
}

/** Who waits until a market has been grown. */
export class GrowthWaiters {
  private waiters: Waiter[] = []

  get count(): number {
    return this.waiters.length
  }

  until(untilMs: TapeMs): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.waiters.push({ untilMs, resolve, reject })
    return promise
  }

  /** Whether somebody waits for no more than that. */
  isAwaited(endMs: number): boolean {
    return this.waiters.some(({ untilMs }) => untilMs <= endMs)
  }

  /** It has been grown so far. */
  settle(endMs: TapeMs): void {
    const settled = this.waiters.filter(({ untilMs }) => untilMs <= endMs)
    this.waiters = this.waiters.filter(({ untilMs }) => untilMs > endMs)
    for (const { resolve } of settled) resolve()
  }

  /** It is not grown any more. */
  reject(error: Error): void {
    const { waiters } = this
    this.waiters = []
    for (const { reject } of waiters) reject(error)
  }
}
