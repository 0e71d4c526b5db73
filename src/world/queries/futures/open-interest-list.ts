/**
 * The list of perpetual pairs by open interest (the service's documentation, Futures interest
 * item).
 */

import { later } from '../../../clock/instant.ts'
import type { OpenInterestListQuery } from '../../../contract/facts/futures.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { FuturesInterest } from '../../../contract/records/futures-interest.ts'
import { portion, raw, type Sz, ZERO } from '../../../decimal/quantity.ts'
import { positionValue } from '../../accounting/margin.ts'
import { contractsOf } from '../../exchanges/contracts.ts'
import { exchangeName } from '../../exchanges/exchange-names.ts'
import { exchangeSharesOf, SHARE_SCALE } from '../../exchanges/exchange-shares.ts'
import type { Pair } from '../../exchanges/pairs.ts'
import { CNY_TENTHS } from '../../formatting/currency.ts'
import { bigintText, roundOff } from '../../formatting/decimal-text.ts'
import { openInterestAt } from '../../rows/open-interest.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { lastPx } from '../../rows/trade-rows.ts'
import { type InstrumentRow, MONEY_DECIMALS, szText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { openInterestTrend } from './open-interest.ts'

/** One page; pairs without a trade yet are left out. */
export function openInterestListOf(world: World, moment: Moment, query: OpenInterestListQuery) {
  const own = ownMarkets(world, moment)
  const { stablecoinShare } = exchangeSharesOf(world)
  const trendOf = trendReader(world, moment)
  const listed = [...contractsOf(world)].flatMap(([key, { instrument, exchange }]) => {
    const market = own.get(instrument)
    if (!market) return []
    const part = stablecoinShare(exchange, instrument)
    const name = exchangeName(exchange, query.language)
    const quote = exchange === null ? instrument.quote : 'USDT'
    return { key, instrument, quote, market, part, value: market.value * BigInt(part), name }
  })
  const first = (query.page - 1) * query.pageSize
  return listed
    .sort((a, b) => (a.value === b.value ? 0 : a.value < b.value ? 1 : -1))
    .slice(first, first + query.pageSize)
    .map((one) => listRecord(one, query, trendOf(one.instrument)))
}

/** What the tape's own venue shows of a perpetual. */
interface OwnMarket {
  /** Value of the open interest, micro-dollars. */
  value: bigint
  /** Shown as `trade` (micro-dollars) and `vol_coin` (size units). */
  usd: bigint
  sz: Sz
}

function ownMarkets(world: World, moment: Moment): Map<InstrumentRow, OwnMarket> {
  const markets = new Map<InstrumentRow, OwnMarket>()
  for (const instrument of new Set([...contractsOf(world).values()].map(instrumentOf))) {
    const px = lastPx(world, instrument, moment.atMs)
    if (px === null) continue
    const sz = openInterestAt(world, instrument, moment.atMs) ?? ZERO
    const value = BigInt(raw(positionValue(sz, px, instrument)))
    const market = { value, usd: value, sz }
    if (moment.answers['futures-interest-fields'] === 'turnover') {
      const day = tradeHoursOf(world).tally(
        instrument.id,
        later(moment.atMs, 1 - DAY_MS),
        later(moment.atMs, 1),
      )
      Object.assign(market, { usd: day.amount, sz: day.size })
    }
    markets.set(instrument, market)
  }
  return markets
}

const instrumentOf = ({ instrument }: Pair) => instrument
const DAY_MS = 86_400_000

type OpenInterestTrend = ReturnType<typeof openInterestTrend>

/** Trends of the own venue, each read once. */
function trendReader(world: World, moment: Moment) {
  const known = new Map<InstrumentRow, OpenInterestTrend>()
  return (of: InstrumentRow): OpenInterestTrend => {
    const trend = known.get(of) ?? openInterestTrend(world, moment, of)
    known.set(of, trend)
    return trend
  }
}

interface ListedPair {
  key: string
  instrument: InstrumentRow
  quote: string
  market: OwnMarket
  /** Of the own venue's, in ten-thousandths. */
  part: number
  /** Of the exchange. */
  name: string
}

function listRecord(
  { key, instrument, quote, market, part, name }: ListedPair,
  query: OpenInterestListQuery,
  trend: OpenInterestTrend,
) {
  const rate = query.currency === 'cny' ? CNY_TENTHS : 10n
  // Ten-thousandths of micro-dollars, in tenths of the currency.
  const cents = roundOff(market.usd * BigInt(part) * rate, 5 + MONEY_DECIMALS - 2)
  const coins = (sz: Sz) => szText(instrument, portion(sz, part, SHARE_SCALE))
  return {
    key,
    show: instrument.base,
    currency: quote,
    market_name: name,
    trade: bigintText(cents, 2, 2),
    vol_coin: coins(market.sz),
    trend: trend.map(({ timeMs, sz }) => ({
      time: String(Math.floor(timeMs / 1000)),
      close: coins(sz),
    })),
  } satisfies FuturesInterest
}
