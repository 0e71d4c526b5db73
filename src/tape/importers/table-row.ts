import { wholeNumber } from '../decimal-text.ts'
import { csvCells } from './csv-cells.ts'

const RETURN = 13
const CELLS_MIN = 16

/**
 * A row of a table, its cells read where they stand: a text of each costs more than all that is
 * done with them. It is one for all rows, and is read before the next one is taken.
 */
export class TableRow {
  /** How many cells there are. */
  count = 0
  private text = ''
  /** Where each begins and where it ends. */
  private bounds = new Int32Array(2 * CELLS_MIN)

  /** Takes a line of CSV. One that is not as it should be is a `UserError`. */
  takeLine(line: string, delimiter: string): void {
    if (line.includes('"') || line.includes(' ')) return this.take(csvCells(line, delimiter))
    this.text = line
    this.count = 0
    let from = 0
    for (let at = line.indexOf(delimiter); at >= 0; at = line.indexOf(delimiter, from)) {
      this.bound(from, at)
      from = at + 1
    }
    const last = line.length - 1
    this.bound(from, line.charCodeAt(last) === RETURN ? last : last + 1)
  }

  /** Takes the cells of a row. */
  take(cells: readonly string[]): void {
    this.text = cells.join('')
    this.count = 0
    let from = 0
    for (const { length } of cells) {
      this.bound(from, from + length)
      from += length
    }
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
    return place >= 0 && place < this.count ? (this.bounds[2 * place] ?? 0) : 0
  }

  private end(place: number): number {
    return place >= 0 && place < this.count ? (this.bounds[2 * place + 1] ?? 0) : 0
  }

  private bound(start: number, end: number): void {
    const at = 2 * this.count++
    if (at === this.bounds.length) {
      const wider = new Int32Array(2 * at)
      wider.set(this.bounds)
      this.bounds = wider
    }
    this.bounds[at] = start
    this.bounds[at + 1] = end
  }
}
