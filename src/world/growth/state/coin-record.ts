import { raw } from '../../../decimal/quantity.ts'
import { pow10 } from '../../../decimal/scaled.ts'
import type { CoinRecord, RecordedBook, RecordedMark } from '../../../market/synth/coin-record.ts'
import { traitsOf } from '../../casting/history/market-traits.ts'
import type { Database } from '../../database.ts'
import { unpackBars } from '../../schema/bar-blocks.ts'
import type { InstrumentRow } from '../../schema.ts'
import { knownBook, rowLevels } from './known-books.ts'

/** What is looked at at most, and at least if there is a tape of that length. */
const SPAN_MS = { most: 3_600_000, least: 5_000 }
const BOOKS = 40
/** Days of bars that say what is usual. */
const USUAL_DAYS = 7

/** What the rows show of an instrument up to an instant; null where it never had a price. */
export function coinRecord(
  db: Database,
  row: InstrumentRow,
  instruments: readonly InstrumentRow[],
  atMs: number,
): CoinRecord | null {
  const ask = statements(db, row.id, atMs)
  const lastPx = ask.lastPx() ?? (row.firstPx === null ? 0 : raw(row.firstPx))
  if (lastPx === 0) return null
  const fromMs = recordFromMs(db, atMs)
  return {
    instrument: {
      coin: row.coin,
      kind: row.kind,
      pxDecimals: row.pxDecimals,
      szDecimals: row.szDecimals,
      follows: leaderOf(row, instruments),
      trading: traitsOf(row).trading,
    },
    fromMs,
    toMs: atMs,
    trades: ask.trades(fromMs),
    books: recentBooks(db, row, fromMs, atMs),
    bookUpdates: ask.bookUpdates(fromMs),
    marks: ask.marks(fromMs),
    openInterestLots: ask.interest(),
    premium: ask.premium(),
    lastPx,
    usual: usualOf(db, row),
  }
}

function recordFromMs(db: Database, atMs: number): number {
  const fact = (key: string) =>
    Number(
      db.query<{ value: string }, [string]>('select value from meta where key = ?').get(key)?.value,
    )
  const startMs = fact('startMs')
  // Of a tape that has only begun, the minutes before it tell more.
  if (atMs - startMs < SPAN_MS.least) return fact('barsEndMs')
  return Math.max(startMs, atMs - SPAN_MS.most)
}

/** A spot pair keeps close to the perpetual on the same asset. */
function leaderOf({ kind, base }: InstrumentRow, all: readonly InstrumentRow[]) {
  if (kind !== 'spot') return undefined
  return all.find((other) => other.base === base && other.kind === 'perp' && other.firstPx !== null)
    ?.coin
}

function statements(db: Database, id: number, atMs: number) {
  const one = <T>(text: string) => db.query<{ value: T }, [number, number]>(text).get(id, atMs)
  const between = 'where instrument = ? and timeMs > ? and timeMs <= ?'
  type Trade = CoinRecord['trades'][number]
  return {
    lastPx: () =>
      one<number>(
        `select px as value from trade where instrument = ? and timeMs <= ?
         order by timeMs desc, id desc limit 1`,
      )?.value,
    interest: () =>
      one<number>(
        `select reported as value from interest where instrument = ? and timeMs <= ?
         order by timeMs desc, id desc limit 1`,
      )?.value ?? null,
    premium: () => {
      const row = one<number>(
        `select premium as value from funding where instrument = ? and timeMs <= ?
         order by timeMs desc, charged desc limit 1`,
      )
      return row ? row.value / 1e10 : null
    },
    trades: (fromMs: number) =>
      db
        .query<Trade, [number, number, number]>(
          `select timeMs, side, px, sz as lots from trade ${between} order by timeMs, id`,
        )
        .all(id, fromMs, atMs),
    marks: (fromMs: number) =>
      db
        .query<RecordedMark, [number, number, number]>(
          `select timeMs, mark from mark ${between} order by timeMs, id`,
        )
        .all(id, fromMs, atMs),
    bookUpdates: (fromMs: number) =>
      db
        .query<{ n: number }, [number, number, number]>(`select count(*) as n from book ${between}`)
        .get(id, fromMs, atMs)?.n ?? 0,
  }
}

/** Full books, spread over the time, and the one at its end. */
function recentBooks(
  db: Database,
  row: InstrumentRow,
  fromMs: number,
  atMs: number,
): RecordedBook[] {
  const times = db
    .query<{ id: number; timeMs: number }, [number, number, number]>(
      `select id, timeMs from book
       where instrument = ? and keyframe = 1 and timeMs > ? and timeMs <= ? order by timeMs, id`,
    )
    .all(row.id, fromMs, atMs)
  const levels = db.query<{ levels: string }, [number]>('select levels from book where id = ?')
  const step = Math.max(1, times.length / BOOKS)
  const books: RecordedBook[] = []
  for (let at = 0; at < times.length; at += step) {
    const { id, timeMs } = times[Math.floor(at)] as { id: number; timeMs: number }
    books.push({ timeMs, ...rowLevels(levels.get(id)?.levels ?? '[[],[]]', row) })
  }
  const { bids, asks } = knownBook(db, row, atMs)
  if (bids.length + asks.length > 0) books.push({ timeMs: atMs, bids, asks })
  return books
}

/** Volatility and turnover of the last days before the tape. */
function usualOf(db: Database, row: InstrumentRow): CoinRecord['usual'] {
  const blocks = db
    .query<{ minutes: Uint8Array }, [number, number]>(
      'select minutes from bars where instrument = ? order by startMs desc limit ?',
    )
    .all(row.id, USUAL_DAYS)
  let [variance, usd, minutes] = [0, 0, 0]
  const unit = pow10(row.pxDecimals) * pow10(row.szDecimals)
  for (const block of blocks) {
    const { open, close, bought, sold } = unpackBars(block.minutes)
    for (let at = 0; at < open.length; at++) {
      const px = close[at] as number
      variance += Math.log(px / (open[at] as number)) ** 2
      usd += (px * ((bought[at] as number) + (sold[at] as number))) / unit
    }
    minutes += open.length
  }
  if (minutes === 0) return undefined
  const seconds = minutes * 60
  return { volatilityBp: 1e4 * Math.sqrt(variance / seconds), usdPerS: usd / seconds }
}
