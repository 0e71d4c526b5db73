/** Indicators of values at the end of each interval: open interest, funding, basis. */

import { later, type TapeMs } from '../../../clock/instant.ts'
import { type Px, px, type Rate, raw, type Sz, subtract, ZERO } from '../../../decimal/quantity.ts'
import { format, mulDiv } from '../../../decimal/scaled.ts'
import { exchangeFundingRate } from '../../exchanges/exchange-funding-rates.ts'
import { interestCandles } from '../../exchanges/exchange-interest.ts'
import { motionsOf } from '../../exchanges/exchanges.ts'
import { pairPxBefore } from '../../exchanges/pair-tallies.ts'
import type { Pair } from '../../exchanges/pairs.ts'
import { perWorld } from '../../per-world.ts'
import { columns } from '../../rows/columns.ts'
import { chargeDelayMs } from '../../rows/funding-charges.ts'
import { fundingRateSeries } from '../../rows/funding-rates.ts'
import { interestValue } from '../../rows/interest-value.ts'
import type { ValueMapping } from '../../rows/step-series.ts'
import { funding as hourly, mark, pxText, RATE_DECIMALS, szText } from '../../schema.ts'
import { wholeStep } from '../../shown-time/time-grid.ts'
import type { World } from '../../world.ts'
import type { IndicatorSeries } from './series-context.ts'
import { eachInterval } from './series-context.ts'
import { pairTallies, usd } from './trade-flow-series.ts'

const position: IndicatorSeries = ({ world, pair, edges }) => {
  const coins = (sz: Sz) => szText(pair.instrument, sz)
  const candles = interestCandles(world, pair.instrument, [pair.exchange], edges)
  return candles.map((candle) =>
    candle === null
      ? null
      : {
          open: coins(candle.open),
          high: coins(candle.high),
          low: coins(candle.low),
          close: coins(candle.close),
        },
  )
}

const turnover: IndicatorSeries = (of) => {
  const { world, pair, edges } = of
  const candles = interestCandles(world, pair.instrument, [pair.exchange], edges)
  return pairTallies(of).map((tally, at) => {
    const px = pairPxBefore(world, pair, edges[at + 1] as TapeMs)
    const sz = candles[at]?.close ?? ZERO
    const value = px === null ? 0n : interestValue(pair.instrument, sz, px)
    return { openInterest: usd(value), volume: usd(tally?.amount ?? 0n) }
  })
}

/** An exchange charges each eight hours, the own venue each hour. */
const EIGHT_HOURS_MS = 8 * 3_600_000

const funding: IndicatorSeries = ({ world, pair, clock, edges, moment }) => {
  const { instrument, exchange } = pair
  const mapping: ValueMapping<Rate> = (rate, timeMs) =>
    exchange === null ? rate : exchangeFundingRate(world, instrument, exchange, rate, timeMs)
  const candles = fundingRateSeries(world).candles(instrument, edges, mapping)
  const delayMs = chargeDelayMs(moment)
  return eachInterval(edges, (fromMs, toMs) => ({ fromMs, toMs })).map(({ fromMs, toMs }, at) => {
    const row = lastChargedRate(world).get(instrument.id, later(toMs, -1 - delayMs))
    const candle = candles[at]
    if (!row || !candle) return null
    const madeMs = later(row.timeMs, delayMs)
    const chargedMs = exchange === null ? madeMs : wholeStep(madeMs, moment.shiftMs, EIGHT_HOURS_MS)
    return {
      fundingTime: clock.seconds(chargedMs),
      time: clock.seconds(fromMs),
      fundingRate: format(raw(candle.close), RATE_DECIMALS),
    }
  })
}

const basis: IndicatorSeries = ({ world, pair, edges }) =>
  eachInterval(edges, (_, toMs) => {
    const row = markAt(world).get(pair.instrument.id, later(toMs, -1))
    if (!row) return null
    const [perp, spot] = [
      exchangePrice(world, pair, 'swap', row.mark, toMs),
      exchangePrice(world, pair, 'spot', row.oracle, toMs),
    ]
    const apart = subtract(perp, spot)
    return {
      basis: pxText(pair.instrument, apart),
      basisRate: format(mulDiv(raw(apart), RATE_SCALE, raw(spot)), RATE_PLACES),
    }
  })

const RATE_PLACES = 6
const RATE_SCALE = 10 ** RATE_PLACES

/** A price of the own venue as it is on the exchange. */
function exchangePrice(
  world: World,
  { exchange, instrument }: Pair,
  market: 'swap' | 'spot',
  own: Px,
  atMs: TapeMs,
): Px {
  if (exchange === null) return own
  return px(
    Math.round(raw(own) * (1 + motionsOf(world)(exchange, instrument, market).basisAt(atMs))),
  )
}

/** By key. */
export const marketStateSeries = { position, tvolume: turnover, fr: funding, basis }

type At = [instrument: number, atMs: TapeMs]

const lastChargedRate = perWorld(({ db }) =>
  columns({ timeMs: hourly.timeMs }).prepare<At>(
    db,
    `from funding where instrument = ? and timeMs <= ? and charged = 1
     order by timeMs desc limit 1`,
  ),
)

const markAt = perWorld(({ db }) =>
  columns({ mark: mark.mark, oracle: mark.oracle }).prepare<At>(
    db,
    `from mark where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1`,
  ),
)
