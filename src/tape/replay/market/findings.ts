/** What was counted while a recording was understood, in the order in which it was met. */

/** How many of one sort there were, and the first of them in words. */
export interface Finding {
  what: string
  count: number
  examples: readonly string[]
}

/** Examples that are kept of each sort. */
const EXAMPLES_MAX = 3

export class Findings {
  private readonly sorts = new Map<string, { count: number; examples: string[] }>()

  note(what: string, example?: string): void {
    const sort = this.sorts.get(what) ?? { count: 0, examples: [] }
    this.sorts.set(what, sort)
    sort.count++
    if (example !== undefined && sort.examples.length < EXAMPLES_MAX) sort.examples.push(example)
  }

  list(): Finding[] {
    return [...this.sorts].map(([what, { count, examples }]) => ({ what, count, examples }))
  }
}

/** An instant as people read it. */
export const isoOf = (timeMs: number): string => new Date(timeMs).toISOString()
