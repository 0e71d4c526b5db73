/** Pushes that wait for whoever iterates. */
/** More than this are not kept: the oldest are dropped, and that is said. */
const PUSHES_MAX = 10_000

export class PushQueue implements AsyncIterator<Push<unknown>> {
  private pushes: Push<unknown>[] = []
  private waiting: ((result: IteratorResult<Push<unknown>>) => void)[] = []
  private hasEnded = false

  constructor(private readonly onReturn: () => void) {}

  /** Why something was dropped for it; null where nothing was. */
  put(push: Push<unknown>): string | null {
    const wake = this.waiting.shift()
    if (wake) wake({ done: false, value: push })
    else this.pushes.push(push)
    if (this.pushes.length <= PUSHES_MAX) return null
    this.pushes = this.pushes.slice(PUSHES_MAX / 2)
    return `${PUSHES_MAX} pushes wait to be read: half were dropped`
  }

  next(): Promise<IteratorResult<Push<unknown>>> {
    const value = this.pushes.shift()
    if (value) return Promise.resolve({ done: false, value })
    if (this.hasEnded) return Promise.resolve({ done: true, value: undefined })
    return new Promise((wake) => this.waiting.push(wake))
  }

  return(): Promise<IteratorResult<Push<unknown>>> {
    this.onReturn()
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  /** What still waits is not wanted any more. */
  end(): void {
    this.hasEnded = true
    this.pushes = []
    for (const wake of this.waiting.splice(0)) wake({ done: true, value: undefined })
  }
}

// A push, and what there is to know of it.

/** What there is to know of a push. */
export interface PushInfo {
  /** The state has expired: a book that is not to be traded on. */
  stale: boolean
  /** What stood when it was subscribed to; no news. */
  isSnapshot: boolean
  /** Fetched, or sent again by the service, after it was missed. */
  isBackfill: boolean
}

export type Listener<D> = (data: D, info: PushInfo) => void

/** A push as iteration gives it. */
export interface Push<D> extends PushInfo {
  data: D
}
