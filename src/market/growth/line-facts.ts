import type { LastNumbers } from '../casting/row-numbers.ts'
import type { MarketSurvey } from '../casting/survey/tape-survey.ts'
import type { InstrumentProfile } from '../synth/instrument-profile.ts'
import type { Wandering } from '../synth/synthesiser.ts'
import type { Database } from '../world/database.ts'

/** What is kept of a line besides its rows, in `meta`. */
export interface LineFacts {
  /** Names what is drawn in it. */
  key: string
  /** Names what the markets wander by, and since when: lines of one base have it in common. */
  wander: Wandering
  /** How its instruments are traded, by instrument.id; a price that never was has no profile. */
  surveys: MarketSurvey[]
  profiles: (InstrumentProfile | null)[]
  /** Where the segment begins that is being grown, and the last numbers of rows by then. */
  segmentMs: number
  numbers: LastNumbers
}

/** The row of `meta`, and that of what its market was told. */
export const FACTS_KEY = 'growth'
export const EVENTS_KEY = 'marketEvents'

/** The facts of a line; null where the file is none's. */
export function readFacts(db: Database): LineFacts | null {
  const text = metaValue(db, FACTS_KEY)
  return text === null ? null : JSON.parse(text)
}

/** A value of `meta`. */
export function metaValue(db: Database, key: string): string | null {
  return (
    db.query<{ value: string }, [string]>('select value from meta where key = ?').get(key)?.value ??
    null
  )
}
