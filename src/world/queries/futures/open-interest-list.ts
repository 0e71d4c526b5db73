/**
 * The list of perpetual pairs by open interest (the service's documentation, Futures interest
 * item).
 */

import { DAY_MS } from '../../../clock/durations.ts'
import { later } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { OpenInterestListQuery } from '../../../contract/facts/futures.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { FuturesInterest } from '../../../contract/records/futures-interest.ts'
import { type Sz, ZERO } from '../../../decimal/quantity.ts'
import { contractsOf } from '../../exchanges/contracts.ts'
import { interestAt } from '../../exchanges/exchange-interest.ts'
import { exchangeName } from '../../exchanges/exchange-names.ts'
import { pairTally } from '../../exchanges/pair-tallies.ts'
import type { Pair } from '../../exchanges/pairs.ts'
import { CNY_TENTHS } from '../../formatting/currency.ts'
import { bigintText, roundOff } from '../../formatting/decimal-text.ts'
import { interestValue } from '../../rows/interest-value.ts'
import { lastPx } from '../../rows/trade-rows.ts'
import { MONEY_DECIMALS, szText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { openInterestTrend } from './open-interest.ts'

/** One page; pairs without a trade yet are left out. */
export function* openInterestListOf(
  world: World,
  moment: Moment,
  query: OpenInterestListQuery,
): Slices<FuturesInterest[]> {
  const listed: ListedPair[] = []
  for (const [key, contract] of contractsOf(world)) {
    const shown = shownOf(world, moment, contract)
    if (shown) listed.push({ key, contract, ...shown })
    yield
  }
  const first = (query.page - 1) * query.pageSize
  listed.sort((a, b) => Number(b.value - a.value))
  const records: FuturesInterest[] = []
  for (const one of listed.slice(first, first + query.pageSize)) {
    records.push(listRecord(world, moment, query, one))
    yield
  }
  return records
}

/** What is shown of a pair. */
interface ShownInterest {
  /** Value of the open interest, micro-dollars. */
  value: bigint
  /** Shown as `trade` (micro-dollars) and `vol_coin` (size units). */
  usd: bigint
  sz: Sz
}

function shownOf(world: World, moment: Moment, contract: Pair): ShownInterest | null {
  const { atMs, answers } = moment
  const { instrument } = contract
  const px = lastPx(world, instrument, atMs)
  if (px === null) return null
  const sz = interestAt(world, contract, atMs) ?? ZERO
  const value = interestValue(instrument, sz, px)
  if (answers['futures-interest-fields'] !== 'turnover') return { value, usd: value, sz }
  const day = pairTally(world, contract, later(atMs, 1 - DAY_MS), later(atMs, 1))
  return { value, usd: day?.amount ?? 0n, sz: day?.size ?? ZERO }
}

interface ListedPair extends ShownInterest {
  key: string
  contract: Pair
}

function listRecord(
  world: World,
  moment: Moment,
  query: OpenInterestListQuery,
  { key, contract, usd, sz }: ListedPair,
): FuturesInterest {
  const { instrument, exchange } = contract
  const rate = query.currency === 'cny' ? CNY_TENTHS : 10n
  // In tenths of the currency.
  const cents = roundOff(usd * rate, 1 + MONEY_DECIMALS - 2)
  return {
    key,
    show: instrument.base,
    currency: exchange === null ? instrument.quote : 'USDT',
    market_name: exchangeName(exchange, query.language),
    trade: bigintText(cents, 2, 2),
    vol_coin: szText(instrument, sz),
    trend: openInterestTrend(world, moment, contract).map(({ timeMs, sz: then }) => ({
      time: String(Math.floor(timeMs / 1000)),
      close: szText(instrument, then),
    })),
  }
}
