/** What has been told, so that it is not told twice. The older half is forgotten. */

/** Twice the longest snapshot, and more. */
const KEYS_MAX = 10_000

export class SeenKeys {
  private newer = new Set<string | number>()
  private older = new Set<string | number>()

  has(key: string | number): boolean {
    return this.newer.has(key) || this.older.has(key)
  }

  add(key: string | number): void {
    if (this.newer.size === KEYS_MAX) {
      this.older = this.newer
      this.newer = new Set()
    }
    this.newer.add(key)
  }
}
