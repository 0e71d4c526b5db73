import { UserError } from '../../platform/user-error.ts'

/** The cells of a line of CSV, without spaces around them; quoted ones may hold the delimiter. */
export function csvCells(line: string, delimiter = ','): string[] {
  const text = line.charCodeAt(line.length - 1) === RETURN ? line.slice(0, -1) : line
  if (!text.includes('"')) {
    const cells = text.split(delimiter)
    // Few files have spaces, and looking for one costs less than trimming every cell.
    return text.includes(' ') ? cells.map((cell) => cell.trim()) : cells
  }
  return quotedCells(text, delimiter)
}

const RETURN = 13

function quotedCells(text: string, delimiter: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at <= text.length) {
    const start = at + (/^\s*/.exec(text.slice(at, at + 40))?.[0].length ?? 0)
    if (text[start] !== '"') {
      const end = endOf(text, delimiter, at)
      cells.push(text.slice(at, end).trim())
      at = end + 1
      continue
    }
    const close = closingQuote(text, start + 1)
    cells.push(text.slice(start + 1, close).replaceAll('""', '"'))
    const end = endOf(text, delimiter, close)
    if (text.slice(close + 1, end).trim() !== '')
      throw new UserError('has text after a quoted cell')
    at = end + 1
  }
  return cells
}

function endOf(text: string, delimiter: string, from: number): number {
  const end = text.indexOf(delimiter, from)
  return end < 0 ? text.length : end
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at
  throw new UserError('has a quoted cell without an end: a row is one line')
}

/** What separates the cells of a first line: a comma, unless another one is all there is. */
export function delimiterOf(line: string): string {
  if (line.includes(',')) return ','
  return [';', '\t', '|'].find((one) => line.includes(one)) ?? ','
}

/** Whether a first line names columns: a row begins with a number or a time. */
export const isHeader = (cells: readonly string[]): boolean => !/^[\d.+-]/.test(cells[0] ?? '')
