/** What may come by the thousand at once, and is dealt with in turns. */
import type { SystemClock } from '../../clock/system-clock.ts'
import type { Slices } from '../../clock/turns.ts'

/** So many in a round of the event loop are dealt with as they come. */
const AT_ONCE = 256

export class SlicedQueue<T> {
  private readonly waiting: T[] = []
  private doneAtOnce = 0

  /**
   * @param inTurns does work in the turns of those whom it concerns, not at once
   * @param handle deals with one
   */
  constructor(
    private readonly systemClock: Pick<SystemClock, 'runSoon'>,
    private readonly inTurns: (work: Slices<void>) => unknown,
    private readonly handle: (one: T) => void,
  ) {}

  add(one: T): void {
    if (this.waiting.length === 0 && this.doneAtOnce < AT_ONCE) {
      if (this.doneAtOnce === 0)
        this.systemClock.runSoon(() => {
          this.doneAtOnce = 0
        })
      this.doneAtOnce++
      this.handle(one)
      return
    }
    this.waiting.push(one)
    if (this.waiting.length === 1) this.inTurns(this.handling())
  }

  private *handling(): Slices<void> {
    for (let next = 0; next < this.waiting.length; next++) {
      this.handle(this.waiting[next] as T)
      yield
    }
    this.waiting.length = 0
  }
}
