/** Accounts that somebody follows and whose events are in no chunk, each as often as it is. */
export class FollowedAccounts {
  private readonly counts = new Map<string, number>()
  private readonly followed = new Set<string>()

  get addresses(): ReadonlySet<string> {
    return this.followed
  }

  /** Whether nobody followed it before. */
  add(address: string): boolean {
    this.counts.set(address, (this.counts.get(address) ?? 0) + 1)
    const isNew = !this.followed.has(address)
    this.followed.add(address)
    return isNew
  }

  remove(address: string): void {
    const left = (this.counts.get(address) ?? 0) - 1
    if (left > 0) this.counts.set(address, left)
    else {
      this.counts.delete(address)
      this.followed.delete(address)
    }
  }
}
