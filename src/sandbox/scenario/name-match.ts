/** Names that rules give, which may end in `*` and are written in any case. */

/** Whether a name is, or begins, another. */
export function fits(name: string, known: string): boolean {
  const [wanted, given] = [name.toLowerCase(), known.toLowerCase()]
  return wanted.endsWith('*') ? given.startsWith(wanted.slice(0, -1)) : given === wanted
}

/** The names of a rule, made ready: a value is looked up, however many names there are. */
export class NameMatcher {
  private readonly whole = new Set<string>()
  private readonly beginnings = new Set<string>()
  private readonly lengths = new Set<number>()

  constructor(names: string | readonly string[]) {
    for (const name of typeof names === 'string' ? [names] : names) {
      const wanted = name.toLowerCase()
      if (wanted.endsWith('*')) {
        this.beginnings.add(wanted.slice(0, -1))
        this.lengths.add(wanted.length - 1)
      } else this.whole.add(wanted)
    }
  }

  /** Whether one of the names fits one of the values. */
  matches(values: readonly string[]): boolean {
    return values.some((value) => this.fits(value.toLowerCase()))
  }

  private fits(value: string): boolean {
    if (this.whole.has(value)) return true
    for (const length of this.lengths)
      if (length <= value.length && this.beginnings.has(value.slice(0, length))) return true
    return false
  }
}

/** Names that there are, among which a rule's name is looked up in steps that halve them. */
export class KnownNames {
  private readonly sorted: readonly string[]

  constructor(names: Iterable<string>) {
    this.sorted = Array.from(names, (name) => name.toLowerCase()).sort()
  }

  /** Whether a name is one of them, or begins one. */
  has(name: string): boolean {
    const wanted = name.toLowerCase()
    const beginning = wanted.endsWith('*') ? wanted.slice(0, -1) : wanted
    const found = this.sorted[this.firstFrom(beginning)]
    return beginning === wanted ? found === wanted : found?.startsWith(beginning) === true
  }

  private firstFrom(beginning: string): number {
    let [low, high] = [0, this.sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.sorted[middle] as string) < beginning) low = middle + 1
      else high = middle
    }
    return low
  }
}
