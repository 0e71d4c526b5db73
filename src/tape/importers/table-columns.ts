import { UserError } from '../../platform/user-error.ts'
import { decimalPlaces } from '../decimal-text.ts'
import { NumberFlaw } from './decimal-reader.ts'
import type { Sample } from './sample.ts'
import type { TableRow } from './table-row.ts'

/** Where the columns of a table stand, by name, and what is in a row. */
export class TableColumns {
  private readonly places: ReadonlyMap<string, number>
  /** How many cells a row has. */
  readonly count: number

  constructor({ columns }: Sample, needed: readonly string[]) {
    const names = columns ?? []
    this.count = names.length
    this.places = new Map(names.map((name, at) => [name, at]))
    const missing = needed.filter((name) => !this.places.has(name))
    if (missing.length > 0)
      throw new UserError(`lacks the columns ${missing.join(', ')}; it has ${names.join(', ')}`)
  }

  /** Where a column stands; -1 where there is none. */
  place(name: string): number {
    return this.places.get(name) ?? -1
  }

  /** Refuses a row that has more or fewer cells than there are columns. */
  check({ count }: TableRow): void {
    if (count === this.count) return
    throw new UserError(`has ${count} cells, the header has ${this.count}`)
  }
}

/**
 * A number of a table as a plain decimal: exponents are written out, zeros at the end go. A text
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
