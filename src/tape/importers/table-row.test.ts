import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { wholeNumber } from '../decimal-text.ts'
import { csvCells } from './csv-cells.ts'
import { TableRow } from './table-row.ts'

const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'01a ",;.\té') }),
  fc.nat().map(String),
  fc.constantFrom('', '"a,b"', ' x ', '0012', '9007199254740993'),
)

function refusal(read: () => unknown): string | null {
  try {
    read()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

test('a row has the cells of its line, whatever was read before', () => {
  const row = new TableRow()
  const lines = fc.array(cell, { maxLength: 40 })
  fc.assert(
    fc.property(lines, fc.constantFrom(',', ';', '\t'), fc.boolean(), (cells, mark, hasReturn) => {
      const line = cells.join(mark) + (hasReturn ? '\r' : '')
      const refused = refusal(() => csvCells(line, mark))
      expect(refusal(() => row.takeLine(line, mark))).toBe(refused)
      if (refused !== null) return
      const expected = csvCells(line, mark)
      expect(row.cells()).toEqual(expected)
      expect(row.count).toBe(expected.length)
      for (const [at, text] of expected.entries()) {
        expect(row.whole(at)).toBe(wholeNumber(text))
        expect(row.length(at)).toBe(text.length)
        expect([row.is(at, text), row.is(at, `${text}x`)]).toEqual([true, false])
      }
    }),
  )
})

test('a cell that is not there is empty', () => {
  const row = new TableRow()
  row.take(['a', '7'])
  for (const at of [-1, 2])
    expect([row.cell(at), row.length(at), row.whole(at), row.is(at, '')]).toEqual(['', 0, -1, true])
  expect([row.cell(0), row.whole(1)]).toEqual(['a', 7])
})

test('equal cells have one hash', () => {
  const [one, other] = [new TableRow(), new TableRow()]
  one.takeLine('x,BTCUSDT,y', ',')
  other.take(['BTCUSDT'])
  expect(one.hash(1)).toBe(other.hash(0))
  expect(one.hash(1)).not.toBe(one.hash(0))
})
