import type { LastNumbers } from '../casting/row-numbers.ts'
import type { MarketSurvey } from '../casting/survey/tape-survey.ts'
import type { InstrumentProfile } from '../synth/instrument-profile.ts'
import type { Wandering } from '../synth/synthesiser.ts'
import type { Database } from '../world/database.ts'

/** Facts of a line besides its rows, in `meta`. */
export interface LineFacts {
  /** Key of its random draws. */
  key: string
  /** Key and start of the markets' noise, shared by all lines of one base. */
  wander: Wandering
  /** Trading profile of its instruments, by instrument.id; one that never traded has none. */
  surveys: MarketSurvey[]
  profiles: (InstrumentProfile | null)[]
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

/** A value of `meta`. */
export function metaValue(db: Database, key: string): string | null {
  return (
    db.query<{ value: string }, [string]>('select value from meta where key = ?').get(key)?.value ??
    null
  )
}
