import { DAY_MS } from '../../../clock/durations.ts'
import { BAR_MS } from '../../../market/minute-bar.ts'
import type { Database } from '../../database.ts'
import { unpackBars } from '../../schema/bar-blocks.ts'

/** Minutes of which somebody who trades remembers the price. */
const MINUTES = 2048

/**
 * The prices at the ends of the last minutes of the clock before an instant, oldest first, of an
 * instrument: those of bars, and where there are none, of the last trade.
 */
export function recentCloses(db: Database, atMs: number): (instrument: number) => number[] {
  const facts = db.query<{ value: string }, [string]>('select value from meta where key = ?')
  const barsEndMs = Number(facts.get('barsEndMs')?.value)
  const lastMs = Math.floor(atMs / BAR_MS) * BAR_MS
  const firstMs = lastMs - (MINUTES - 1) * BAR_MS
  const blocks = db.query<{ startMs: number; minutes: Uint8Array }, [number, number]>(
    'select startMs, minutes from bars where instrument = ? and startMs > ? order by startMs',
  )
  const trades = db.query<{ px: number | null }, [number, number, number]>(
    `with recursive minute(endMs) as (
       select ?2 where ?2 <= ?3 union all select endMs + ${BAR_MS} from minute where endMs < ?3)
     select (select px from trade where instrument = ?1 and timeMs < endMs
       order by timeMs desc, id desc limit 1) as px from minute`,
  )
  return (instrument) => {
    const closes: number[] = []
    for (const { startMs, minutes } of blocks.all(instrument, firstMs - DAY_MS - BAR_MS))
      for (const [at, close] of unpackBars(minutes).close.entries()) {
        const endMs = startMs + (at + 1) * BAR_MS
        if (endMs >= firstMs && endMs <= lastMs) closes.push(close)
      }
    const fromMs = Math.max(firstMs, barsEndMs + BAR_MS)
    for (const { px } of trades.all(instrument, fromMs, lastMs)) closes.push(px ?? 0)
    return closes.filter((px) => px > 0)
  }
}
