import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { wholeNumber } from '../decimal-text.ts'
import { csvCells } from './csv-cells.ts'
import { TableRow, tableRows } from './table-row.ts'

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'01a ",;.\té') }),
  fc.nat().map(String),
  fc.constantFrom('', '"a,b"', ' x ', '0012', '9007199254740993'),
)

test('rows have the cells of their lines; quotes, spaces and empty lines stay', () => {
  const line = fc.tuple(fc.array(cell, { minLength: 1, maxLength: 20 }), fc.boolean())
  const mark = fc.constantFrom(',', ';', '\t')
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), mark, (reported, mark) => {
      const lines = reported.map(([cells, hasReturn]) => cells.join(mark) + (hasReturn ? '\r' : ''))
      const rows = tableRows(lines.join('\n'), mark)
      expect(rows.length).toBe(lines.length)
      for (const [at, row] of rows.entries()) {
        const text = lines[at] ?? ''
        if (/["\u0020]/.test(text) || /^\r?$/.test(text)) expect(row).toBe(text)
        else expectCells(row as TableRow, csvCells(text, mark))
      }
    }),
  )
})

function expectCells(row: TableRow, cells: string[]): void {
  expect(row.cells()).toEqual(cells)
  expect(row.count).toBe(cells.length)
  for (const [at, text] of cells.entries()) {
    expect(row.whole(at)).toBe(wholeNumber(text))
    expect(row.length(at)).toBe(text.length)
    expect([row.is(at, text), row.is(at, `${text}x`)]).toEqual([true, false])
  }
}

test('a row may have any cells', () => {
  fc.assert(fc.property(fc.array(cell), (cells) => expectCells(TableRow.of(cells), cells)))
})

test('a missing cell is empty', () => {
  const row = TableRow.of(['a', '7'])
  for (const at of [-1, 2])
    expect([row.cell(at), row.length(at), row.whole(at), row.is(at, '')]).toEqual(['', 0, -1, true])
  expect([row.cell(0), row.whole(1)]).toEqual(['a', 7])
})

test('equal cells have one hash', () => {
  const [one] = tableRows('x,BTCUSDT,y', ',') as [TableRow]
  expect(one.hash(1)).toBe(TableRow.of(['BTCUSDT']).hash(0))
  expect(one.hash(1)).not.toBe(one.hash(0))
})
