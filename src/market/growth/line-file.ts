import { pow10, px as price, type Rate, raw, sz as size } from '../../decimal/quantity.ts'
import { traitsOf } from '../casting/history/past.ts'
import type { LastNumbers } from '../casting/row-numbers.ts'
import type { MarketSurvey } from '../casting/survey/tape-survey.ts'
import { greatestCommonDivisor, usualTrade } from '../casting/tape-input.ts'
import type { TimedMarketEvent } from '../events/market-event.ts'
import { unpackBars } from '../schema/bar-blocks.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { calibrate } from '../synth/calibration.ts'
import type {
  CoinRecord,
  InstrumentProfile,
  RecordedBook,
  RecordedMark,
} from '../synth/instrument-profile.ts'
import type { MoodName } from '../synth/mood.ts'
import type { Wandering } from '../synth/synthesiser.ts'
import { type Database, metaValue } from '../world/database.ts'
import { addListed, isPriceOnly, listedMarket, listingsAmong } from './coins-without-past.ts'
import { cutWorld } from './cut/cut-world.ts'
import { knownBook, rowLevels } from './grown-books.ts'
import { knownOpenInterest } from './state/known-holdings.ts'

/** Turns a copy of the base into the line at its beginning, in one transaction. */
export function beginLine(db: Database, order: LineOrder): void {
  db.exec('begin')
  cutWorld(db, order.t0Ms)
  begin(db, order)
  db.exec('commit')
}

/** Writes the facts for the line's growth. */
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
    beginMs: t0Ms,
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

/** Trading profiles of a tape's instruments. */
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
    // One number per trade, so that none repeats one of the base.
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

/** Longest span over which turnover is measured. */
const SPAN_MAX_MS = 6 * 3_600_000
/** Number of sizes from which the lot is derived. */
const SIZES = 2_000

/** First instant from which trades are single rows that show an instrument's activity. */
function surveyFromMs(db: Database, atMs: number): number {
  const fact = (key: string) =>
    Number(
      db.query<{ value: string }, [string]>('select value from meta where key = ?').get(key)?.value,
    )
  return Math.max(fact('barsEndMs'), atMs - SPAN_MAX_MS)
}

/** Trading profile of an instrument up to an instant, which traders use from then on. */
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
  const funding = db
    .query<{ premium: Rate }, [number, number]>(
      `select premium from funding where instrument = ? and timeMs <= ?
       order by timeMs desc, charged desc limit 1`,
    )
    .get(id, atMs)
  const meanUsd = sums.n > 0 ? sums.usd / sums.n : 500e6
  return {
    firstPx,
    tick: tick ?? price(1),
    lot: size(lotOf(db, id, atMs)),
    tradeUsd: usualTrade(median?.usd, meanUsd),
    meanTradeUsd: meanUsd,
    usdPerSecond: Math.max((sums.usd / (atMs - fromMs)) * 1000, 1e6),
    interest: knownOpenInterest(db, id, atMs) || null,
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

/** Longest and shortest span read, if the tape is that long. */
const SPAN_MS = { most: 3_600_000, least: 5_000 }
const BOOKS = 40
/** Days of bars that define the usual level. */
const USUAL_DAYS = 30

/** Profile of an instrument from its rows up to an instant; null where it never had a market. */
function coinRecord(
  db: Database,
  row: InstrumentRow,
  instruments: readonly InstrumentRow[],
  atMs: number,
): CoinRecord | null {
  const ask = statements(db, row.id, atMs)
  const lastPx = ask.lastPx() ?? (row.firstPx === null ? 0 : raw(row.firstPx))
  if (lastPx === 0 || isPriceOnly(db, row)) return null
  const fromMs = recordFromMs(db, atMs)
  const traits = traitsOf(row)
  return {
    instrument: {
      coin: row.coin,
      kind: row.kind,
      pxDecimals: row.pxDecimals,
      szDecimals: row.szDecimals,
      follows: leaderOf(db, row, instruments),
      trading: traits.trading,
      moves: { dailyVolatility: traits.dailyVolatility, shared: traits.marketShare },
    },
    fromMs,
    toMs: atMs,
    trades: ask.trades(fromMs),
    books: recentBooks(db, row, fromMs, atMs),
    bookUpdates: ask.bookUpdates(fromMs),
    marks: ask.marks(fromMs),
    openInterestLots: row.kind === 'perp' ? raw(knownOpenInterest(db, row.id, atMs)) || null : null,
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
  // At the start of a tape, the minutes before it are a better sample.
  if (atMs - startMs < SPAN_MS.least) return fact('barsEndMs')
  return Math.max(startMs, atMs - SPAN_MS.most)
}

/** The perpetual on the same asset, which a spot pair follows. */
function leaderOf(db: Database, { kind, base }: InstrumentRow, all: readonly InstrumentRow[]) {
  if (kind !== 'spot') return undefined
  const leader = all.find(
    (other) => other.base === base && other.kind === 'perp' && other.firstPx !== null,
  )
  return leader && !isPriceOnly(db, leader) ? leader.coin : undefined
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

/** Full books, spread over the time, and the last one. */
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

/** A world that continues: its base file, its starting instant, and its market events. */
export interface LineOrder {
  /** Base world, or another line grown to `t0Ms`. */
  readonly baseFile: string
  /** File of the line; created when missing. */
  readonly file: string
  /** Cut-off of the base, within its tape or its grown part. */
  readonly t0Ms: number
  /** All events of its market, in order of request; some may have ended. */
  readonly events: readonly TimedMarketEvent[]
  /** Mood of its market, the usual one when left out; a line of another line keeps that one's. */
  readonly mood?: MoodName | null
}

/** Facts of a line besides its rows, in `meta`. */
export interface LineFacts {
  /** Key of its random draws. */
  key: string
  /** Key and start of the markets' noise, shared by all lines of one base. */
  wander: Wandering
  /** Trading profile of its instruments, by instrument.id; one that never traded has none. */
  surveys: MarketSurvey[]
  profiles: (InstrumentProfile | null)[]
  /** Start of the line. */
  beginMs: number
  /** Start of the segment being grown, and the last row numbers at that time. */
  segmentMs: number
  numbers: LastNumbers
}

/** Keys in `meta` of the facts, and of the market events. */
export const FACTS_KEY = 'growth'
export const EVENTS_KEY = 'marketEvents'

/** The facts of a line; null where the file is no line's. */
export function readFacts(db: Database): LineFacts | null {
  const text = metaValue(db, FACTS_KEY)
  return text === null ? null : JSON.parse(text)
}
