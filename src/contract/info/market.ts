/** Types of `POST /info` about the market of a coin: prices, book, trades, candles and funding. */

import { Dex, dexFlaw } from '../dex.ts'
import type { Facts } from '../facts.ts'
import { meant } from '../meaning.ts'
import { BookRounding, L2Book } from '../records/book.ts'
import { Candle, VenueInterval } from '../records/candle.ts'
import { Trade } from '../records/fill.ts'
import { FundingRate, PredictedFunding } from '../records/funding.ts'
import { Coin, Decimal, NoParameters, Nullable, type Static, TimeMs, Type } from '../schema.ts'
import { type InfoType, infoType, RangeEnd } from './info-type.ts'

export const allMids = infoType({
  type: 'allMids',
  title: 'Mid prices',
  request: Type.Object({
    dex: Dex,
  }),
  data: Type.Record(Type.String(), Decimal('mid price')),
  examples: [{}],
  answer: ({ dex = '' }, facts) => dexFlaw(dex, facts) ?? facts.venue.allMids(dex),
})

export const l2Book = infoType({
  type: 'l2Book',
  title: 'Order book',
  request: Type.Object({ coin: Coin(), ...BookRounding }),
  data: Nullable(L2Book),
  examples: [{ coin: 'BTC' }, { coin: 'BTC', nSigFigs: 3 }],
  answer: (request, facts) => facts.books.l2(request),
})

export const recentTrades = infoType({
  type: 'recentTrades',
  profile: 'raw',
  title: 'Latest trades of a coin, newest first',
  most: 10,
  request: Type.Object({ coin: Coin() }),
  data: Nullable(Type.Array(Trade)),
  examples: [{ coin: 'BTC' }],
  answer: ({ coin }, facts, most) =>
    facts.market.isCoin(coin) ? facts.market.recentTrades(coin, most) : null,
})

const CandleRequest = Type.Object({
  req: Type.Object({
    coin: Coin(),
    interval: VenueInterval(),
    startTime: meant('rangeStart', TimeMs('from; the candle that contains it is the first')),
    endTime: RangeEnd,
  }),
})

export const candleSnapshot = infoType({
  type: 'candleSnapshot',
  title: 'Candles, oldest first: the 5000 most recent of the span',
  request: CandleRequest,
  data: Nullable(Type.Array(Candle)),
  examples: [{ req: { coin: 'BTC', interval: '15m', startTime: 0 } }],
  answer: (request, facts) => facts.candles.between(candleQuery(request)),
})

const candleQuery = ({ req }: Static<typeof CandleRequest>) => ({
  coin: req.coin,
  interval: req.interval,
  startTimeMs: req.startTime,
  endTimeMs: req.endTime ?? undefined,
})

/** The same as the venue itself gives it: with a flat candle for each interval without trades. */
export const flatCandleSnapshot: InfoType = {
  ...candleSnapshot,
  answer: (request: Static<typeof CandleRequest>, facts: Facts) =>
    facts.candles.between({ ...candleQuery(request), quiet: 'flat' }),
}

export const fundingHistory = infoType({
  type: 'fundingHistory',
  profile: 'raw',
  title: 'Funding rates of a coin, oldest first, at most 500',
  most: 500,
  request: Type.Object({
    coin: Coin(),
    startTime: meant('rangeStart', TimeMs('from')),
    endTime: RangeEnd,
  }),
  data: Nullable(Type.Array(FundingRate)),
  examples: [{ coin: 'BTC', startTime: 0 }],
  answer: ({ coin, startTime, endTime }, facts, most) =>
    facts.assetContexts.fundingHistory(
      coin,
      { startTimeMs: startTime, endTimeMs: endTime ?? undefined },
      most,
    ),
})

export const predictedFundings = infoType({
  type: 'predictedFundings',
  profile: 'raw',
  title: 'Funding rates that will be charged next, here and elsewhere',
  request: NoParameters,
  data: Type.Array(PredictedFunding),
  examples: [{}],
  answer: (_, facts) => facts.assetContexts.predictedFundings(),
})
