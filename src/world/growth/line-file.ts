import { Database } from 'bun:sqlite'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { calibrate } from '../../market/synth/calibration.ts'
import type { LastNumbers } from '../casting/row-numbers.ts'
import type { InstrumentRow } from '../schema.ts'
import { draftOf } from '../world-seal.ts'
import { cutWorld } from './cut/cut-world.ts'
import { EVENTS_KEY, FACTS_KEY, type LineFacts, metaValue, readFacts } from './line-facts.ts'
import type { LineOrder } from './line-order.ts'
import { addListed, listedMarket, listingsAmong } from './listed-coins.ts'
import { coinRecord } from './state/coin-record.ts'
import { tradeSurvey } from './state/trade-survey.ts'

/** The files of a database. */
const PARTS = ['', '-wal', '-shm']

/** Opens the file of a line for growing; it is made when it is not there. */
export function openLineFile(order: LineOrder): Database {
  if (!existsSync(order.file)) makeLineFile(order)
  return connect(order.file)
}

function connect(file: string): Database {
  const db = new Database(file, { strict: true })
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000')
  db.exec('pragma cache_size = -32768; pragma temp_store = memory; pragma mmap_size = 1073741824')
  db.exec('pragma wal_autocheckpoint = 4000')
  return db
}

/** Another process never sees a file that is not finished: it gets its name last. */
function makeLineFile(order: LineOrder): void {
  const draft = draftOf(order.file)
  try {
    copyWorld(order.baseFile, draft)
    const db = new Database(draft, { strict: true })
    db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -32768')
    db.exec('begin')
    cutWorld(db, order.t0Ms)
    begin(db, order)
    db.exec('commit')
    db.exec('pragma journal_mode = wal')
    db.close()
    renameSync(draft, order.file)
  } finally {
    for (const part of PARTS) rmSync(`${draft}${part}`, { force: true })
  }
}

/** A file that others may be writing is copied with what is written ahead of it. */
function copyWorld(from: string, to: string): void {
  for (const part of PARTS) rmSync(`${to}${part}`, { force: true })
  if (!isGrowing(from)) return copyFileSync(from, to)
  const db = new Database(from, { readonly: true, strict: true })
  try {
    // While somebody reads, nothing is dropped of what that reader may need: a page that changes
    // in the file meanwhile stays in what is written ahead, which is copied after it.
    db.exec('begin')
    db.query('select count(*) from meta').get()
    copyFileSync(from, to)
    if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`)
  } finally {
    db.close()
  }
}

/** Whether it is written ahead: the header of a database says so. */
function isGrowing(file: string): boolean {
  const header = new Uint8Array(20)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, header)
  } finally {
    closeSync(handle)
  }
  return header[18] === 2
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
