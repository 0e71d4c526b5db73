import { calibrate } from '../../market/synth/calibration.ts'
import type { LastNumbers } from '../casting/row-numbers.ts'
import type { Database } from '../database.ts'
import type { InstrumentRow } from '../schema.ts'
import { cutWorld } from './cut/cut-world.ts'
import { EVENTS_KEY, FACTS_KEY, type LineFacts, metaValue, readFacts } from './line-facts.ts'
import type { LineOrder } from './line-order.ts'
import { addListed, listedMarket, listingsAmong } from './listed-coins.ts'
import { coinRecord } from './state/coin-record.ts'
import { tradeSurvey } from './state/trade-survey.ts'

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
