/** Accounts that somebody follows, counted. */
export class FollowedAccounts {
  private readonly counts = new Map<string, number>()
  private readonly followed = new Set<string>()

  /** @param onNew told of one that nobody followed before */
  constructor(private readonly onNew: (address: string) => void) {}

  get addresses(): ReadonlySet<string> {
    return this.followed
  }

  add(address: string): void {
    this.counts.set(address, (this.counts.get(address) ?? 0) + 1)
    if (this.followed.has(address)) return
    this.followed.add(address)
    this.onNew(address)
  }

  remove(address: string): void {
    const left = (this.counts.get(address) ?? 0) - 1
    if (left > 0) return void this.counts.set(address, left)
    this.counts.delete(address)
    this.followed.delete(address)
  }
}
