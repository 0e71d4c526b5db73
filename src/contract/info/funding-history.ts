import { meant } from '../meaning.ts'
import { FundingRate } from '../records/funding.ts'
import { Coin, Nullable, TimeMs, Type } from '../schema.ts'
import { infoType } from './info-type.ts'
import { RangeEnd } from './range.ts'

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
