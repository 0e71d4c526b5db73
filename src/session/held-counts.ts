/** How many connections and subscriptions there are, in all and of each key. */

/** What somebody holds. */
export interface HeldCount {
  connections: number
  subscriptions: number
}

const NOTHING: Readonly<HeldCount> = { connections: 0, subscriptions: 0 }

export class HeldCounts {
  readonly all: HeldCount = { connections: 0, subscriptions: 0 }
  private readonly byKey = new Map<string, HeldCount>()
  private readonly listeners = new Set<() => void>()
  private isTold = true

  /** @param runSoon runs a task once, after whatever is waiting now */
  constructor(private readonly runSoon: (task: () => void) => unknown) {}

  ofKey(accessKey: string): Readonly<HeldCount> {
    return this.byKey.get(accessKey) ?? NOTHING
  }

  /** So many more, or fewer, of a key; of nobody's key when there is none. */
  add(what: keyof HeldCount, by: 1 | -1, accessKey: string | undefined): void {
    this.all[what] += by
    this.tell()
    if (accessKey === undefined) return
    const count = this.byKey.get(accessKey) ?? { ...NOTHING }
    count[what] += by
    if (count.connections > 0) this.byKey.set(accessKey, count)
    else this.byKey.delete(accessKey)
  }

  /** Called when something here or in a queue has changed; the answer takes it back. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Tells it once, however much changes in a round of the event loop. */
  tell(): void {
    if (this.listeners.size === 0 || !this.isTold) return
    this.isTold = false
    this.runSoon(() => {
      this.isTold = true
      for (const listener of [...this.listeners]) listener()
    })
  }
}
