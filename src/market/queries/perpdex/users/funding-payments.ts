/** Funding payments of an account, hour by hour. */

import { later, type TapeMs, tapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { FundingPayment } from '../../../../contract/records/funding.ts'
import {
  type FundingIndex,
  format,
  fundingIndex,
  subtract,
  ZERO,
} from '../../../../decimal/quantity.ts'
import { fundingBetween } from '../../../accounting/funding.ts'
import { NATIVE_DECIMALS } from '../../../formatting/decimal-text.ts'
import { columns } from '../../../rows/columns.ts'
import { chargesOf } from '../../../rows/funding-charges.ts'
import { lastUpTo } from '../../../rows/step-series.ts'
import {
  fill,
  type InstrumentRow,
  NO_HASH,
  position,
  RATE_DECIMALS,
  szText,
  usdText,
} from '../../../schema/schema.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'

/** Oldest first, at most `limit`, fromMs <= time <= toMs, each charge delayed after its hour. */
export function* fundingPayments(
  world: World,
  trader: number,
  span: readonly [TapeMs, TapeMs],
  delayMs: number,
  limit: number,
): Slices<FundingPayment[]> {
  const { held } = statements(world)
  const hours = yield* chargedHours(world, trader, span, delayMs)
  const payments: FundingPayment[] = []
  for (const [at, { instrument, timeMs, charge }] of hours.entries()) {
    if (payments.length >= limit) break
    if (at % ROWS_A_SLICE === 0) yield
    const charged =
      delayMs === 0 ? fundingIndex(chargesOf(world)(instrument).indexes[charge] ?? 0) : null
    const holding = held.get(trader, instrument, timeMs, charged)
    if (!holding || holding.sz === ZERO) continue
    const of = world.instruments[instrument] as InstrumentRow
    const { sz, settled } = holding
    const { indexes, rates } = chargesOf(world)(instrument)
    // Payments are steps of one running sum, so their total equals the position's payment.
    const sum = (at: number) => fundingBetween(sz, settled, fundingIndex(indexes[at] ?? 0), of)
    payments.push({
      time: timeMs,
      hash: NO_HASH,
      delta: {
        type: 'funding',
        coin: of.coin,
        usdc: usdText(subtract(sum(charge - 1), sum(charge)), NATIVE_DECIMALS),
        szi: szText(of, sz, NATIVE_DECIMALS),
        fundingRate: format(rates[charge] as number, RATE_DECIMALS, NATIVE_DECIMALS),
        nSamples: null,
      },
    })
  }
  return payments
}

const ROWS_A_SLICE = 100

/** A charge on a position: its index in the instrument's charges, and its time. */
interface ChargedHour {
  instrument: number
  timeMs: TapeMs
  charge: number
}

/**
 * By time, then by instrument. On the tape trades of an instant come before the charge: a position
 * opened at a full hour pays for it, one closed then does not. Before the tape a row may have
 * settled the charge of its instant, and it is the other way round (`HELD`).
 */
function* chargedHours(
  world: World,
  trader: number,
  [fromMs, toMs]: readonly [TapeMs, TapeMs],
  delayMs: number,
): Slices<ChargedHour[]> {
  const hours = new Map<string, ChargedHour>()
  // Rates are the market's; the world of one account has only its positions.
  for (const { instrument, openMs, closeMs } of statements(world).lives.all(trader, toMs, fromMs)) {
    yield
    const { timesMs } = chargesOf(world)(instrument)
    const lastMs = Math.min(closeMs ?? toMs, toMs) - delayMs
    const firstMs = Math.max(openMs, fromMs) - delayMs
    for (let at = lastUpTo(timesMs, firstMs - 1) + 1; (timesMs[at] ?? lastMs + 1) <= lastMs; at++) {
      const timeMs = later(tapeMs(timesMs[at] as number), delayMs)
      // A position may begin at the instant at which another one ended.
      hours.set(`${instrument}/${at}`, { instrument, timeMs, charge: at })
    }
  }
  return [...hours.values()].sort((a, b) => a.timeMs - b.timeMs || a.instrument - b.instrument)
}

const LIVES = columns({
  instrument: position.instrument,
  openMs: position.openMs,
  closeMs: position.closeMs,
})
/** What a charge is made on: rows of its instant that have settled it come after it. */
const HELD = columns({ sz: fill.positionAfter, settled: fill.fundingIndex })

const statements = perWorld(({ db }) => ({
  lives: LIVES.prepare<[trader: number, toMs: TapeMs, fromMs: TapeMs]>(
    db,
    'from position where trader = ? and openMs <= ? and (closeMs is null or closeMs >= ?)',
  ),
  held: HELD.prepare<
    [trader: number, instrument: number, timeMs: TapeMs, charged: FundingIndex | null]
  >(
    db,
    `from fill where trader = ?1 and instrument = ?2
     and (timeMs < ?3 or timeMs = ?3 and fundingIndex is not ?4)
     order by timeMs desc, id desc limit 1`,
  ),
}))
