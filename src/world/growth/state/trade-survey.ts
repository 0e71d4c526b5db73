import { px as price, type Rate, type Sz, sz as size } from '../../../decimal/quantity.ts'
import type { MarketSurvey } from '../../casting/survey/tape-survey.ts'
import { greatestCommonDivisor } from '../../casting/tape-values.ts'
import type { Database } from '../../database.ts'
import type { InstrumentRow } from '../../schema.ts'

/** What is traded is measured over so long a time at most. */
const SPAN_MAX_MS = 6 * 3_600_000
/** Sizes that the smallest step between them is read from. */
const SIZES = 2_000

/** From when on trades are single rows that say how busy an instrument is. */
export function surveyFromMs(db: Database, atMs: number): number {
  const fact = (key: string) =>
    Number(
      db.query<{ value: string }, [string]>('select value from meta where key = ?').get(key)?.value,
    )
  return Math.max(fact('barsEndMs'), atMs - SPAN_MAX_MS)
}

/** How an instrument was traded up to an instant, as traders judge it from then on. */
export function tradeSurvey(
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
