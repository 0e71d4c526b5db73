/** Indicators of what stood at the end of each interval: open interest, funding, basis. */

import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import {
  type Px,
  portion,
  type Rate,
  raw,
  type Sz,
  subtract,
  times,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import { format, share } from '../../../decimal/scaled.ts'
import { columns } from '../../rows/columns.ts'
import {
  funding as hourly,
  MONEY_DECIMALS,
  mark,
  pxText,
  RATE_DECIMALS,
  szText,
  usdText,
} from '../../schema.ts'
import { rateOf, ratesOf } from '../derivatives/funding.ts'
import { sizesOf, valuesOf } from '../derivatives/interest.ts'
import type { Counting } from '../derivatives/steps.ts'
import type { Pair } from '../pairs.ts'
import { perWorld } from '../per-world.ts'
import { eachSpan } from './context.ts'
import { tallies, usd } from './flow-series.ts'
import type { Series } from './series.ts'
import { partOf, scaled, scaledWide, WHOLE_PRICE } from './venue.ts'

const position: Series = ({ world, pair, edges }) => {
  const part = partOf(world, pair)
  const coins = (sz: Sz) => szText(pair.instrument, scaled(sz, part))
  const candles = sizesOf(world).candles(pair.instrument, edges)
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

const turnover: Series = (of) => {
  const part = partOf(of.world, of.pair)
  const candles = valuesOf(of.world).candles(of.pair.instrument, of.edges)
  return tallies(of).map((tally, at) => ({
    openInterest: usdText(cents(scaled(candles[at]?.close ?? ZERO, part))),
    volume: usd(scaledWide(tally.amount, part)),
  }))
}

/** Rounded to the cent. */
const cents = (money: Usd) => times(portion(money, 1, CENT), CENT)
const CENT = 10 ** (MONEY_DECIMALS - 2)

/** An exchange charges each eight hours, the own venue each hour. */
const EIGHT_HOURS_MS = 8 * 3_600_000

const funding: Series = ({ world, pair, clock, edges }) => {
  const { instrument, exchange } = pair
  const counted: Counting<Rate> = (rate, timeMs) =>
    exchange === null ? rate : rateOf(world, instrument, exchange, rate, timeMs)
  const candles = ratesOf(world).candles(instrument, edges, counted)
  return eachSpan(edges, (fromMs, toMs) => ({ fromMs, toMs })).map(({ fromMs, toMs }, at) => {
    const row = charged(world).get(instrument.id, later(toMs, -1))
    const candle = candles[at]
    if (!row || !candle) return null
    const { timeMs } = row
    const chargedMs =
      exchange === null ? timeMs : tapeMs(Math.floor(timeMs / EIGHT_HOURS_MS) * EIGHT_HOURS_MS)
    return {
      fundingTime: clock.seconds(chargedMs),
      time: clock.seconds(fromMs),
      fundingRate: format(raw(candle.close), RATE_DECIMALS),
    }
  })
}

const basis: Series = ({ world, pair, edges }) =>
  eachSpan(edges, (_, toMs) => {
    const row = marks(world).get(pair.instrument.id, later(toMs, -1))
    if (!row) return null
    const [perp, spot] = [at(pair, 'swap', row.mark), at(pair, 'spot', row.oracle)]
    const apart = subtract(perp, spot)
    return {
      basis: pxText(pair.instrument, apart),
      basisRate: format(share(raw(apart), WHOLE_RATE, raw(spot)), RATE_PLACES),
    }
  })

const RATE_PLACES = 6
const WHOLE_RATE = 10 ** RATE_PLACES

/** A price of the own venue as it stands on the exchange, on no tick. */
const at = ({ exchange }: Pair, market: 'swap' | 'spot', px: Px) =>
  exchange === null ? px : portion(px, WHOLE_PRICE + exchange.basis[market], WHOLE_PRICE)

/** By key. */
export const levelSeries = { position, tvolume: turnover, fr: funding, basis }

type At = [instrument: number, atMs: TapeMs]

const charged = perWorld(({ db }) =>
  columns({ timeMs: hourly.timeMs }).prepare<At>(
    db,
    `from funding where instrument = ? and timeMs <= ? and charged = 1
     order by timeMs desc limit 1`,
  ),
)

const marks = perWorld(({ db }) =>
  columns({ mark: mark.mark, oracle: mark.oracle }).prepare<At>(
    db,
    `from mark where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit 1`,
  ),
)
