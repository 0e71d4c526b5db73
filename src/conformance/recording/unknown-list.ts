/** What was found that the contract does not know: each once, with how often and where first. */

/** Kinds of it that are listed. */
const PARTS_MAX = 500
const SHOWN_LETTERS = 100

export class UnknownList {
  private readonly parts = new Map<string, { count: number; seq: number; shown: string }>()

  add(part: string, found: unknown, seq: number): void {
    const known = this.parts.get(part)
    if (known) known.count++
    else if (this.parts.size < PARTS_MAX)
      this.parts.set(part, { count: 1, seq, shown: text(found) })
  }

  lines(): string[] {
    const sorted = [...this.parts].sort(([a], [b]) => (a < b ? -1 : 1))
    return sorted.map(([part, { count, seq, shown }]) => {
      const times = count === 1 ? 'once' : `${count} times`
      return `not in the contract: ${part}, ${times}, first at seq ${seq}: ${shown}`
    })
  }
}

function text(found: unknown): string {
  const written = JSON.stringify(found) ?? 'nothing'
  return written.length > SHOWN_LETTERS ? `${written.slice(0, SHOWN_LETTERS)}…` : written
}
