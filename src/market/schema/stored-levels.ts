/**
 * Books as the `book` table stores them: JSON `[bids, asks]` of `[px, sz, n]`, decimals as text and
 * no space anywhere. Read by hand, because a deep book has thousands of levels.
 */
import { type Px, px, type Sz, sz } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'

interface Decimals {
  pxDecimals: number
  szDecimals: number
}

/** A level as it is stored: price, size, number of orders. */
type LevelRow = readonly [px: Px, sz: Sz, n: number]

/** The levels of a stored row as whole numbers, bids and asks. */
export function readLevels(text: string, decimals: Decimals): [bids: LevelRow[], asks: LevelRow[]] {
  const cursor: Cursor = { text, at: 0 }
  expect(cursor, BRACKET)
  const bids = readSide(cursor, decimals)
  expect(cursor, COMMA)
  const asks = readSide(cursor, decimals)
  expect(cursor, END)
  return [bids, asks]
}

interface Cursor {
  text: string
  at: number
}

const [BRACKET, END, COMMA, QUOTE, DOT, ZERO] = [91, 93, 44, 34, 46, 48] as const

function readSide(cursor: Cursor, { pxDecimals, szDecimals }: Decimals): LevelRow[] {
  const rows: LevelRow[] = []
  expect(cursor, BRACKET)
  while (cursor.text.charCodeAt(cursor.at) !== END) {
    if (rows.length > 0) expect(cursor, COMMA)
    expect(cursor, BRACKET)
    const price = px(readDecimal(cursor, pxDecimals))
    expect(cursor, COMMA)
    const size = sz(readDecimal(cursor, szDecimals))
    expect(cursor, COMMA)
    const n = readInteger(cursor)
    expect(cursor, END)
    rows.push([price, size, n])
  }
  cursor.at++
  return rows
}

/** A quoted decimal as a whole number at `scale`. */
function readDecimal(cursor: Cursor, scale: number): number {
  expect(cursor, QUOTE)
  let value = readInteger(cursor)
  let missing = scale
  if (cursor.text.charCodeAt(cursor.at) === DOT) {
    const from = ++cursor.at
    const fraction = readInteger(cursor)
    const digits = cursor.at - from
    missing -= digits
    value = value * pow10(digits) + fraction
  }
  expect(cursor, QUOTE)
  const scaled = missing < 0 ? Number.NaN : value * pow10(missing)
  if (!Number.isSafeInteger(scaled))
    throw new RangeError(`a stored book has a number that does not fit before ${cursor.at}`)
  return scaled
}

function readInteger(cursor: Cursor): number {
  const { text } = cursor
  const from = cursor.at
  let at = from
  let value = 0
  for (let digit = text.charCodeAt(at) - ZERO; digit >= 0 && digit <= 9; ) {
    value = value * 10 + digit
    digit = text.charCodeAt(++at) - ZERO
  }
  cursor.at = at
  return value
}

function expect(cursor: Cursor, code: number): void {
  if (cursor.text.charCodeAt(cursor.at) !== code)
    throw new Error(`a stored book is damaged at ${cursor.at}: ${cursor.text.slice(0, 60)}`)
  cursor.at++
}
