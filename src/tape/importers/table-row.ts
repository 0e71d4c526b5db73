import { wholeNumber } from '../decimal-text.ts'

const [NEWLINE, RETURN, SPACE, QUOTE] = [10, 13, 32, 34]

/**
 * A row of a table, its cells read where they stand in the text of many rows: a text of each costs
 * more than all that is done with them.
 */
export class TableRow {
  /** `ends` has the ends of the cells of all rows, from `first` on those of this one. */
  constructor(
    private readonly text: string,
    private readonly ends: readonly number[],
    private readonly first: number,
    private readonly from: number,
    /** How many cells there are. */
    readonly count: number,
  ) {}

  /** A row of these cells. */
  static of(cells: readonly string[]): TableRow {
    let end = -1
    const ends = cells.map(({ length }) => (end += 1 + length))
    return new TableRow(cells.join('\n'), ends, 0, 0, cells.length)
  }

  /** The text of a cell; empty where there is none. */
  cell(place: number): string {
    return this.text.slice(this.start(place), this.end(place))
  }

  /** All of them. */
  cells(): string[] {
    return Array.from({ length: this.count }, (_, place) => this.cell(place))
  }

  /** How many characters a cell has. */
  length(place: number): number {
    return this.end(place) - this.start(place)
  }

  /** Whether a cell is that text. */
  is(place: number, text: string): boolean {
    const start = this.start(place)
    if (this.length(place) !== text.length) return false
    for (let i = 0; i < text.length; i++)
      if (this.text.charCodeAt(start + i) !== text.charCodeAt(i)) return false
    return true
  }

  /** The whole number that a cell is; -1 for anything else. */
  whole(place: number): number {
    return wholeNumber(this.text, this.start(place), this.end(place))
  }

  /** A number that is the same for the same text, and for others mostly another one. */
  hash(place: number): number {
    let hash = 0
    for (let at = this.start(place); at < this.end(place); at++)
      hash = (Math.imul(hash, 31) + this.text.charCodeAt(at)) | 0
    return hash
  }

  private start(place: number): number {
    if (place <= 0 || place >= this.count) return this.from
    return (this.ends[this.first + place - 1] ?? 0) + 1
  }

  private end(place: number): number {
    return place >= 0 && place < this.count ? (this.ends[this.first + place] ?? 0) : this.from
  }
}

/** The rows of a text. A line with quotes or spaces, or with nothing, is left as it is. */
export function tableRows(text: string, delimiter: string): (TableRow | string)[] {
  const separator = delimiter.charCodeAt(0)
  const rows: (TableRow | string)[] = []
  const ends: number[] = []
  let [from, first, isPlain] = [0, 0, true]
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : NEWLINE
    if (code > QUOTE && code !== separator) continue
    if (code === separator) ends.push(at)
    else if (code === NEWLINE) {
      ends.push(at > from && text.charCodeAt(at - 1) === RETURN ? at - 1 : at)
      const count = ends.length - first
      if (count === 1 && ends[first] === from) isPlain = false
      rows.push(isPlain ? new TableRow(text, ends, first, from, count) : text.slice(from, at))
      first = ends.length
      from = at + 1
      isPlain = true
    } else if (code === QUOTE || code === SPACE) isPlain = false
  }
  return rows
}
