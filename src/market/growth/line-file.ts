import { px as price, type Rate, raw, type Sz, sz as size } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'
import { traitsOf } from '../casting/history/market-traits.ts'
import type { LastNumbers } from '../casting/row-numbers.ts'
import type { MarketSurvey } from '../casting/survey/tape-survey.ts'
import { greatestCommonDivisor } from '../casting/tape-values.ts'
import { unpackBars } from '../schema/bar-blocks.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { calibrate } from '../synth/calibration.ts'
import type { CoinRecord, RecordedBook, RecordedMark } from '../synth/coin-record.ts'
import type { Database } from '../world/database.ts'
import { cutWorld } from './cut/cut-world.ts'
import { EVENTS_KEY, FACTS_KEY, type LineFacts, metaValue, readFacts } from './line-facts.ts'
import type { LineOrder } from './line-order.ts'
import { addListed, listedMarket, listingsAmong } from './listed-coins.ts'
import { knownBook, rowLevels } from './state/known-books.ts'

/** Makes of a copy of the base what the line is at its beginning, in one transaction. */
export function beginLine(db: Database, order: LineOrder): void {
  db.exec('begin')
  cutWorld(db, order.t0Ms)
  begin(db, order)
  db.exec('commit')
}

/** Writes down what the line goes on by. */
function begin(db: Database, { t0Ms, events, mood = null }: LineOrder): void {
  const base = readFacts(db)
  const world = `${metaValue(db, 'seed')}/${metaValue(db, 'tapeDigest')}`
  const known = base ?? factsOfRows(db, instrumentsOf(db), t0Ms)
  const listings = listingsAmong(events)
  addListed(db, listings)
  const instruments = instrumentsOf(db)
  const listed = instruments.flatMap((row) => {
    const listing = listings.find(({ event }) => event.coin === row.coin)
    return listing && row.id >= known.surveys.length ? listedMarket(row, listing) : []
  })
  const facts: LineFacts = {
    key: `${world}/${t0Ms}/${JSON.stringify(events)}`,
    wander: base?.wander ?? { key: world, sinceMs: t0Ms, mood },
    surveys: [...known.surveys, ...listed.map(({ survey }) => survey)],
    profiles: [...known.profiles, ...listed.map(({ profile }) => profile)],
    segmentMs: t0Ms,
    numbers: lastNumbers(db, base),
  }
  const set = db.query('insert or replace into meta values (?, ?)')
  set.run(FACTS_KEY, JSON.stringify(facts))
  set.run(EVENTS_KEY, JSON.stringify(events))
  set.run('grownToMs', String(t0Ms))
}

const instrumentsOf = (db: Database) =>
  db.query<InstrumentRow, []>('select * from instrument order by id').all()

/** How the instruments of a tape are traded. */
function factsOfRows(
  db: Database,
  instruments: readonly InstrumentRow[],
  atMs: number,
): Pick<LineFacts, 'surveys' | 'profiles'> {
  return {
    surveys: instruments.map((row) => tradeSurvey(db, row, atMs)),
    profiles: instruments.map((row) => {
      const record = coinRecord(db, row, instruments, atMs)
      return record && calibrate(record)
    }),
  }
}

function lastNumbers(db: Database, base: LineFacts | null): LastNumbers {
  const last = (table: string, column = 'id') =>
    db.query<{ n: number | null }, []>(`select max(${column}) as n from "${table}"`).get()?.n ?? 0
  return {
    account: last('account'),
    trade: last('trade'),
    // As many numbers as there are trades, so that none was given by the base.
    tid: base ? last('trade') : 0,
    movement: Math.max(last('fill'), last('ledger')),
    position: last('position'),
    twap: last('twap'),
    liquidation: last('liquidation'),
    mark: last('mark'),
    book: last('book'),
    bbo: last('bbo'),
    interest: last('interest'),
  }
}

/** What is traded is measured over so long a time at most. */
const SPAN_MAX_MS = 6 * 3_600_000
/** Sizes that the smallest step between them is read from. */
const SIZES = 2_000

/** From when on trades are single rows that say how busy an instrument is. */
function surveyFromMs(db: Database, atMs: number): number {
  const fact = (key: string) =>
    Number(
      db.query<{ value: string }, [string]>('select value from meta where key = ?').get(key)?.value,
    )
  return Math.max(fact('barsEndMs'), atMs - SPAN_MAX_MS)
}

/** How an instrument was traded up to an instant, as traders judge it from then on. */
function tradeSurvey(
  db: Database,
  { id, tick, firstPx }: InstrumentRow,
  atMs: number,
): MarketSurvey {
  const fromMs = surveyFromMs(db, atMs)
  const span = 'from trade where instrument = ?1 and timeMs > ?2 and timeMs <= ?3'
  const given: [number, number, number] = [id, fromMs, atMs]
  const sums = db
    .query<{ n: number; usd: number }, typeof given>(
      `select count(*) as n, total(notional) as usd ${span}`,
    )
    .get(...given) as { n: number; usd: number }
  const median = db
    .query<{ usd: number }, typeof given>(
      `select notional as usd ${span} order by notional limit 1 offset ${Math.floor(sums.n / 2)}`,
    )
    .get(...given)
  const interest = db
    .query<{ reported: Sz }, [number, number]>(
      `select reported from interest where instrument = ? and timeMs <= ?
       order by timeMs desc, id desc limit 1`,
    )
    .get(id, atMs)
  const funding = db
    .query<{ premium: Rate }, [number, number]>(
      `select premium from funding where instrument = ? and timeMs <= ?
       order by timeMs desc, charged desc limit 1`,
    )
    .get(id, atMs)
  return {
    firstPx,
    tick: tick ?? price(1),
    lot: size(lotOf(db, id, atMs)),
    tradeUsd: median?.usd ?? 500e6,
    meanTradeUsd: sums.n > 0 ? sums.usd / sums.n : 500e6,
    usdPerSecond: Math.max((sums.usd / (atMs - fromMs)) * 1000, 1e6),
    interest: interest?.reported ?? null,
    premium: funding?.premium ?? null,
  }
}

function lotOf(db: Database, instrument: number, atMs: number): number {
  const sizes = db
    .query<{ sz: number }, [number, number, number]>(
      `select sz from trade where instrument = ? and timeMs <= ?
       order by timeMs desc, id desc limit ?`,
    )
    .all(instrument, atMs, SIZES)
  if (sizes.length < 20) return 1
  return Math.max(
    1,
    sizes.reduce((lot, { sz }) => greatestCommonDivisor(sz, lot), 0),
  )
}

/** What is looked at at most, and at least if there is a tape of that length. */
const SPAN_MS = { most: 3_600_000, least: 5_000 }
const BOOKS = 40
/** Days of bars that say what is usual. */
const USUAL_DAYS = 7

/** What the rows show of an instrument up to an instant; null where it never had a price. */
function coinRecord(
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
