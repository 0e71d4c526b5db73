/** Tells when nothing new has come for too long. */
import type { SystemClock } from '../../../clock/system-clock.ts'

export class SilenceWatch {
  private newsMs = 0
  private cancel: (() => void) | null = null

  /** @param limitMs null for no limit */
  constructor(
    private readonly systemClock: SystemClock,
    private readonly limitMs: number | null,
    private readonly onSilent: (forMs: number) => void,
  ) {}

  get isOn(): boolean {
    return this.limitMs !== null
  }

  /** Something new has come: a time is noted and no timer moved, as this is of every push. */
  news(): void {
    this.newsMs = this.systemClock.monotonicMs()
    if (this.cancel === null && this.limitMs !== null) this.look(this.limitMs)
  }

  stop(): void {
    this.cancel?.()
    this.cancel = null
  }

  private look(inMs: number): void {
    const limitMs = this.limitMs ?? 0
    this.cancel = this.systemClock.startTimer(inMs, () => {
      const forMs = this.systemClock.monotonicMs() - this.newsMs
      this.cancel = null
      if (forMs >= limitMs) this.onSilent(forMs)
      else this.look(limitMs - forMs)
    })
  }
}
