/** Where the fields of a candle stand in the lines of a file. */

export const FIELDS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const
export type CandleField = (typeof FIELDS)[number]

/** Place of each field in a line; that of the coin is null where there is none. */
export type CandleColumns = Record<CandleField, number> & { coin: number | null }

/** The order of a file without a header. */
export const BARE_COLUMNS: CandleColumns = {
  time: 0,
  open: 1,
  high: 2,
  low: 3,
  close: 4,
  volume: 5,
  coin: null,
}

/** What else files call the time. */
const TIME_NAMES = ['time', 'timestamp', 'date', 'datetime', 'open_time', 'opentime', 'open time']

/** The columns that a header names, in any order and case; the fields that are missing instead. */
export function columnsOf(header: readonly string[]): CandleColumns | { missing: CandleField[] } {
  const names = header.map((name) => name.toLowerCase())
  const places = FIELDS.map((field): [CandleField, number] => [
    field,
    names.findIndex((name) => (field === 'time' ? TIME_NAMES.includes(name) : name === field)),
  ])
  const missing = places.filter(([, place]) => place < 0).map(([field]) => field)
  if (missing.length > 0) return { missing }
  const coin = names.indexOf('coin')
  const columns = Object.fromEntries(places) as Record<CandleField, number>
  return { ...columns, coin: coin < 0 ? null : coin }
}

/** The cells of a line, without the spaces around them. */
export const cellsOf = (line: string): string[] => line.split(',').map((cell) => cell.trim())
