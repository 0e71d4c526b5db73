/** Indicators of what stood at the end of each interval: open interest, funding, basis. */
import { format, share } from '../../../decimal/scaled.ts'
import { MONEY_DECIMALS, pxText, RATE_DECIMALS, szText, usdText } from '../../schema.ts'
import { chargeDelayMs } from '../charges.ts'
import { rateOf, ratesOf } from '../derivatives/funding.ts'
import { sizesOf, valuesOf } from '../derivatives/interest.ts'
import type { Counting } from '../derivatives/steps.ts'
import type { Pair } from '../pairs.ts'
import { perWorld } from '../per-world.ts'
import type { Series } from './context.ts'
import { eachSpan } from './context.ts'
import { tallies, usd } from './flow-series.ts'
import { partOf, scaled, scaledWide, WHOLE_PRICE } from './venue.ts'

const position: Series = ({ world, pair, edges }) => {
  const part = partOf(world, pair)
  const coins = (sz: number) => szText(pair.instrument, scaled(sz, part))
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
    openInterest: usdText(cents(scaled(candles[at]?.close ?? 0, part))),
    volume: usd(scaledWide(tally.amount, part)),
  }))
}

/** Micro-dollars rounded to the cent. */
const cents = (micros: number) => share(micros, 1, CENT) * CENT
const CENT = 10 ** (MONEY_DECIMALS - 2)

/** An exchange charges each eight hours, the own venue each hour. */
const EIGHT_HOURS_MS = 8 * 3_600_000

const funding: Series = ({ world, pair, clock, edges, moment }) => {
  const { instrument, exchange } = pair
  const counted: Counting = (rate, timeMs) =>
    exchange === null ? rate : rateOf(world, instrument, exchange, rate, timeMs)
  const candles = ratesOf(world).candles(instrument, edges, counted)
  const { shiftMs } = moment
  const delayMs = chargeDelayMs(moment)
  return eachSpan(edges, (fromMs, toMs) => ({ fromMs, toMs })).map(({ fromMs, toMs }, at) => {
    const row = charged(world).values(instrument.id, toMs - 1 - delayMs)[0]
    const candle = candles[at]
    if (!row || !candle) return null
    const shownMs = (row[0] as number) + delayMs + shiftMs
    const chargedMs =
      exchange === null ? shownMs : Math.floor(shownMs / EIGHT_HOURS_MS) * EIGHT_HOURS_MS
    return {
      fundingTime: clock.seconds(chargedMs - shiftMs),
      time: clock.seconds(fromMs),
      fundingRate: format(candle.close, RATE_DECIMALS),
    }
  })
}

const basis: Series = ({ world, pair, edges }) =>
  eachSpan(edges, (_, toMs) => {
    const row = marks(world).values(pair.instrument.id, toMs - 1)[0] as [number, number] | undefined
    if (!row) return null
    const [perp, spot] = [at(pair, 'swap', row[0]), at(pair, 'spot', row[1])]
    return {
      basis: pxText(pair.instrument, perp - spot),
      basisRate: format(share(perp - spot, WHOLE_RATE, spot), RATE_PLACES),
    }
  })

const RATE_PLACES = 6
const WHOLE_RATE = 10 ** RATE_PLACES

/** A price of the own venue as it stands on the exchange, on no tick. */
const at = ({ exchange }: Pair, market: 'swap' | 'spot', px: number) =>
  exchange === null ? px : share(px, WHOLE_PRICE + exchange.basis[market], WHOLE_PRICE)

/** By key. */
export const levelSeries = { position, tvolume: turnover, fr: funding, basis }

const charged = perWorld(({ db }) =>
  db.prepare(
    `select timeMs from funding where instrument = ? and timeMs <= ? and charged = 1
     order by timeMs desc limit 1`,
  ),
)

const marks = perWorld(({ db }) =>
  db.prepare(
    `select mark, oracle from mark where instrument = ? and timeMs <= ?
     order by timeMs desc, id desc limit 1`,
  ),
)
