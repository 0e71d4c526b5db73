/** Why everything that is connected to a sandbox, or waits in it, has to end. */
export type StopReason =
  /** The sandbox was dropped or reset. */
  | 'gone'
  /** The process ends; until it has, the sandbox goes on. */
  | 'ending'

export type StopListener = (why: StopReason) => void

/** What has to end with a sandbox: connections, streams, calls that wait. Each is told once. */
export class StopListeners {
  private readonly listeners = new Set<StopListener>()

  get size(): number {
    return this.listeners.size
  }

  /** The result removes the listener. */
  add(listener: StopListener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  notify(why: StopReason): void {
    const told = [...this.listeners]
    this.listeners.clear()
    for (const listener of told) listener(why)
  }
}
