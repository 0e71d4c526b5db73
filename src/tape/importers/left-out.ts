/** What did not become events and why, with its number. */
export class LeftOut extends Map<string, number> {
  count(what: string, by = 1): void {
    this.set(what, (this.get(what) ?? 0) + by)
  }
}
