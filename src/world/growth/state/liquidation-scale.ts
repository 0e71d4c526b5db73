import type { Database } from 'bun:sqlite'
import type { MarketSurvey } from '../../casting/survey/tape-survey.ts'
import { CROWD } from '../../schema/crowd.ts'
import type { InstrumentRow } from '../../schema.ts'

/** The crowd's liquidations of so long say how large they are. */
const SPAN_MS = 14 * 86_400_000
/** Half of them are larger than so many times the least. */
const MEDIAN_SIZE = 2 ** (1 / 1.15)
/** Where there are none: so many usual trades. */
const USUAL_TRADES = 1.5

/** What the least of the crowd's liquidations is worth, micro-dollars. */
export function liquidationScale(
  db: Database,
  { id }: InstrumentRow,
  { tradeUsd }: MarketSurvey,
  atMs: number,
): number {
  const rows = db
    .query<{ usd: number }, [number, number, number]>(
      `select notional as usd from liquidation
       where instrument = ? and trader = ${CROWD} and timeMs > ? and timeMs <= ? order by notional`,
    )
    .all(id, atMs - SPAN_MS, atMs)
  const median = rows[Math.floor(rows.length / 2)]?.usd
  return median === undefined ? USUAL_TRADES * tradeUsd : median / MEDIAN_SIZE
}
