/**
 * A map whose entries are numbered in the order in which they were first set. Paging continues
 * after a number, whatever was added or removed meanwhile.
 */
export class NumberedMap<V> extends Map<string, V> {
  private readonly numbers = new Map<string, number>()
  private count = 0

  /** Sets an entry; an existing one keeps its number and place. */
  override set(name: string, value: V): this {
    if (!this.numbers.has(name)) this.numbers.set(name, ++this.count)
    return super.set(name, value)
  }

  override delete(name: string): boolean {
    this.numbers.delete(name)
    return super.delete(name)
  }

  override clear(): void {
    this.numbers.clear()
    super.clear()
  }

  /** Entries with a number above `after`, at most `limit`, in their order. */
  pageAfter(after: number, limit: number): { number: number; name: string; value: V }[] {
    const page: { number: number; name: string; value: V }[] = []
    for (const [name, number] of this.numbers) {
      if (page.length === limit) break
      if (number > after) page.push({ number, name, value: this.get(name) as V })
    }
    return page
  }
}

/** A read-only view of the map. */
export type NumberedEntries<V> = ReadonlyMap<string, V> & Pick<NumberedMap<V>, 'pageAfter'>
