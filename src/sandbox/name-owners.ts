/** Which sandbox an access key or an invite token belongs to. */
export class NameOwners {
  private readonly idByName = new Map<string, string>()
  private readonly namesById = new Map<string, Set<string>>()

  /** A copy of a sandbox has the same names: they stay with the one that had them first. */
  claim(name: string, id: string): void {
    if (this.idByName.has(name)) return
    this.idByName.set(name, id)
    const names = this.namesById.get(id)
    if (names) names.add(name)
    else this.namesById.set(id, new Set([name]))
  }

  /** Id of the sandbox; undefined for a name that belongs to none. */
  ownerOf(name: string): string | undefined {
    return this.idByName.get(name)
  }

  /** The names of a sandbox belong to nobody from now on. */
  release(id: string): void {
    for (const name of this.namesById.get(id) ?? []) this.idByName.delete(name)
    this.namesById.delete(id)
  }
}
