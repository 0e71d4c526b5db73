/** What an account paid and received as funding, hour by hour. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { FundingPayment } from '../../../../contract/records/funding.ts'
import { type FundingIndex, raw, subtract, ZERO } from '../../../../decimal/quantity.ts'
import { format } from '../../../../decimal/scaled.ts'
import { fundingBetween } from '../../../accounting/funding.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { columns } from '../../../rows/columns.ts'
import {
  fill,
  funding,
  type InstrumentRow,
  NO_HASH,
  RATE_DECIMALS,
  szText,
  usdText,
} from '../../../schema/schema.ts'
import { perWorld } from '../../../world/per-world.ts'
import type { World } from '../../../world/world.ts'

/** Oldest first, at most `limit`, fromMs <= time <= toMs, each charge so long after its hour. */
export function* fundingPayments(
  world: World,
  trader: number,
  [fromMs, toMs]: readonly [TapeMs, TapeMs],
  delayMs: number,
  limit: number,
): Slices<FundingPayment[]> {
  const { hours, held } = statements(world)
  const rows = hours.all(delayMs, fromMs, toMs, trader, limit)
  const payments: FundingPayment[] = []
  for (const [at, { instrument, timeMs, rate, index, before }] of rows.entries()) {
    if (at % ROWS_A_SLICE === 0) yield
    const holding = held.get(trader, instrument, timeMs)
    if (!holding || holding.sz === ZERO) continue
    const of = world.instruments[instrument] as InstrumentRow
    const { sz, settled } = holding
    // Payments are steps of one running sum, so that together they are what the position paid.
    const sum = (to: FundingIndex) => fundingBetween(sz, settled, to, of)
    payments.push({
      time: timeMs,
      hash: NO_HASH,
      delta: {
        type: 'funding',
        coin: of.coin,
        usdc: usdText(subtract(sum(before), sum(index)), NATIVE_DECIMALS),
        szi: szText(of, sz, NATIVE_DECIMALS),
        fundingRate: format(raw(rate), RATE_DECIMALS, NATIVE_DECIMALS),
        nSamples: null,
      },
    })
  }
  return payments
}

const ROWS_A_SLICE = 100

const [g, e] = [alias(funding, 'g'), alias(funding, 'e')]
const HOURS = columns({
  instrument: g.instrument,
  /** When it is charged. */
  timeMs: sql<TapeMs>`${g.timeMs} + ?1`,
  rate: g.rate,
  index: g.fundingIndex,
  before: sql<FundingIndex>`coalesce((select ${e.fundingIndex} from funding e
    where ${e.instrument} = ${g.instrument} and ${e.timeMs} < ${g.timeMs} and ${e.charged} = 1
    order by ${e.timeMs} desc limit 1), 0)`,
})
const HELD = columns({ sz: fill.positionAfter, settled: fill.fundingIndex })

type Hours = [delayMs: number, fromMs: TapeMs, toMs: TapeMs, trader: number, limit: number]

const statements = perWorld(({ db }) => ({
  // At one instant what is traded comes before the charge, as in the rows: who opens a position at
  // a full hour pays for it, who closes one does not.
  hours: HOURS.prepare<Hours>(
    db,
    `from position p join funding g on g.instrument = p.instrument and g.charged = 1
       and g.timeMs between max(p.openMs, ?2) - ?1 and min(coalesce(p.closeMs - 1, ?3), ?3) - ?1
     where p.trader = ?4 and p.openMs <= ?3 and (p.closeMs is null or p.closeMs > ?2)
     order by g.timeMs, g.instrument limit ?5`,
  ),
  held: HELD.prepare<[trader: number, instrument: number, timeMs: TapeMs]>(
    db,
    `from fill where trader = ? and instrument = ? and timeMs <= ?
     order by timeMs desc, id desc limit 1`,
  ),
}))
