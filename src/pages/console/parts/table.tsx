/** A table of some dozens of rows; for thousands use `VirtualList`. */
import type { ComponentChildren } from 'preact'

export interface Column<T> {
  /** Heading. */
  title: string
  /** Numbers are right-aligned. */
  isNumber?: boolean
  /** Hidden on narrow pages. */
  isMinor?: boolean
  cell(row: T, index: number): ComponentChildren
}

export interface TableProps<T> {
  /** Label for screen readers. */
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf(row: T, index: number): string | number
  /** Handler of a click on a row. */
  onPick?: (row: T) => void
}

export function Table<T>({ label, columns, rows, keyOf, onPick }: TableProps<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section class="table-scroll" tabIndex={0} aria-label={label}>
      <table class="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={cellClass(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={keyOf(row, index)}
              class={onPick ? 'picks' : undefined}
              onClick={onPick && ((event) => isOwnClick(event) && onPick(row))}
            >
              {columns.map((column) => (
                <td key={column.title} class={cellClass(column)}>
                  {column.cell(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Links and buttons in a row handle their own clicks. */
const isOwnClick = ({ target }: Event) =>
  target instanceof Element && target.closest('a, button') === null

const cellClass = ({ isNumber, isMinor }: Column<never>) =>
  `${isNumber ? 'number' : ''} ${isMinor ? 'minor' : ''}`.trim() || undefined
