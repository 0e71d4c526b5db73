/** What an account paid and received as funding, hour by hour (shapes 2.21). */
import type { FundingPayment } from '../../../contract/records/funding.ts'
import { format } from '../../../decimal/scaled.ts'
import { fundingBetween } from '../../accounting/funding.ts'
import { type InstrumentRow, NO_HASH, RATE_DECIMALS, szText, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { NATIVE } from '../wording.ts'

/** Oldest first, at most `limit`, fromMs <= time <= toMs, each charge so long after its hour. */
export function fundingPayments(
  world: World,
  trader: number,
  [fromMs, toMs]: readonly [number, number],
  delayMs: number,
  limit: number,
): FundingPayment[] {
  const { hours, held } = statements(world)
  const span = [delayMs, fromMs, toMs, trader, limit]
  const rows = hours.values(...span) as HourValues[]
  const payments: FundingPayment[] = []
  for (const [instrument, timeMs, rate, index, before] of rows) {
    const stood = held.values(trader, instrument, timeMs)[0] as [number, number] | undefined
    if (!stood || stood[0] === 0) continue
    const of = world.instruments[instrument] as InstrumentRow
    const [sz, settled] = stood
    // Payments are steps of one running sum, so that together they are what the position paid.
    const sum = (to: number) => fundingBetween(sz, settled, to, of)
    payments.push({
      time: timeMs,
      hash: NO_HASH,
      delta: {
        type: 'funding',
        coin: of.coin,
        usdc: usdText(sum(before) - sum(index), NATIVE),
        szi: szText(of, sz, NATIVE),
        fundingRate: format(rate, RATE_DECIMALS, NATIVE),
        nSamples: null,
      },
    })
  }
  return payments
}

type HourValues = [
  instrument: number,
  timeMs: number,
  rate: number,
  fundingIndex: number,
  indexBefore: number,
]

const statements = perWorld(({ db }) => ({
  // A position pays for the hours after which it still stands, so not for that of its opening.
  hours: db.prepare(
    `select g.instrument, g.timeMs + ?1, g.rate, g.fundingIndex, coalesce(
       (select e.fundingIndex from funding e where e.instrument = g.instrument
        and e.timeMs < g.timeMs and e.charged = 1 order by e.timeMs desc limit 1), 0)
     from position p join funding g on g.instrument = p.instrument and g.charged = 1
       and g.timeMs between max(p.openMs + 1, ?2) - ?1 and min(coalesce(p.closeMs, ?3), ?3) - ?1
     where p.trader = ?4 and p.openMs <= ?3 and (p.closeMs is null or p.closeMs >= ?2)
     order by g.timeMs, g.instrument limit ?5`,
  ),
  held: db.prepare(
    `select positionAfter, fundingIndex from fill
     where trader = ? and instrument = ? and timeMs < ? order by timeMs desc, id desc limit 1`,
  ),
}))
