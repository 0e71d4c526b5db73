import { UserError } from '../../platform/user-error.ts'
import { decimalPlaces, wholeNumber } from '../decimal-text.ts'
import { NumberFlaw } from './decimal-reader.ts'
import type { Sample } from './sample.ts'

const [NEWLINE, RETURN, SPACE, QUOTE] = [10, 13, 32, 34]

/**
 * A row of a table whose cells are read in place, within the text of many rows: a string per cell
 * costs more than all other work.
 */
export class TableRow {
  /** `ends` has the ends of all rows' cells, this row's from `first` on. */
  constructor(
    private readonly text: string,
    private readonly ends: readonly number[],
    private readonly first: number,
    private readonly from: number,
    /** Number of cells. */
    readonly count: number,
  ) {}

  /** A row with these cells. */
  static of(cells: readonly string[]): TableRow {
    let end = -1
    const ends = cells.map(({ length }) => (end += 1 + length))
    return new TableRow(cells.join('\n'), ends, 0, 0, cells.length)
  }

  /** Text of a cell; empty for a missing one. */
  cell(place: number): string {
    return this.text.slice(this.start(place), this.end(place))
  }

  /** All of them. */
  cells(): string[] {
    return Array.from({ length: this.count }, (_, place) => this.cell(place))
  }

  /** Number of characters in a cell. */
  length(place: number): number {
    return this.end(place) - this.start(place)
  }

  /** Whether a cell equals a text. */
  is(place: number, text: string): boolean {
    const start = this.start(place)
    if (this.length(place) !== text.length) return false
    for (let i = 0; i < text.length; i++)
      if (this.text.charCodeAt(start + i) !== text.charCodeAt(i)) return false
    return true
  }

  /** Whole number in a cell; -1 for anything else. */
  whole(place: number): number {
    return wholeNumber(this.text, this.start(place), this.end(place))
  }

  /** Hash of a cell's text. */
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

/** The rows of a text. Empty lines and lines with quotes or spaces are left unparsed. */
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

/** Columns of a table by name, and their number. */
export class TableColumns {
  private readonly places: ReadonlyMap<string, number>
  /** Number of cells in a row. */
  readonly count: number

  constructor({ columns }: Sample, needed: readonly string[]) {
    const names = columns ?? []
    this.count = names.length
    this.places = new Map(names.map((name, at) => [name, at]))
    const missing = needed.filter((name) => !this.places.has(name))
    if (missing.length > 0)
      throw new UserError(`lacks the columns ${missing.join(', ')}; it has ${names.join(', ')}`)
  }

  /** Index of a column; -1 for none. */
  place(name: string): number {
    return this.places.get(name) ?? -1
  }

  /** Refuses a row whose number of cells differs from the columns. */
  check({ count }: TableRow): void {
    if (count === this.count) return
    throw new UserError(`has ${count} cells, the header has ${this.count}`)
  }
}

/**
 * A number of a table as a plain decimal: exponents are written out, trailing zeros removed. Text
 * that is no number is a `UserError`; an empty cell is null.
 */
export function cellNumber(cell: string | undefined): string | null {
  if (cell === undefined || cell === '') return null
  if (decimalPlaces(cell) >= 0) return cell
  if (/^(?:nan|null|none)$/i.test(cell)) return null
  const match = /^([+-]?)(\d{1,40})(?:\.(\d{0,40}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(cell)
  if (!match) throw new NumberFlaw(`has ${JSON.stringify(cell.slice(0, 40))} for a number`, cell)
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  return `${sign === '-' ? '-' : ''}${shifted(whole, fraction, Number(exponent))}`
}

function shifted(whole: string, fraction: string, exponent: number): string {
  const point = whole.length + exponent
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`
  const at = Math.max(1, point)
  const padded = digits.padEnd(at, '0')
  const decimals = padded.slice(at).replace(/0+$/, '')
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  return decimals === '' ? integer : `${integer}.${decimals}`
}
