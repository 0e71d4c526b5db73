import { FundingPayment } from '../records/funding.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'
import { RangeEnd, RangeStart } from './range.ts'

export const userFunding = infoType({
  type: 'userFunding',
  title: 'Funding that an account paid and received, oldest first, at most 500',
  most: 500,
  request: Type.Object({
    user: Address(),
    startTime: RangeStart,
    endTime: RangeEnd,
  }),
  data: Type.Array(FundingPayment),
  examples: [{ user: '0x0000000000000000000000000000000000000001', startTime: 0 }],
  answer: ({ user, startTime, endTime }, facts, most) =>
    facts.users.funding(
      user,
      { startTimeMs: startTime ?? undefined, endTimeMs: endTime ?? undefined },
      most,
    ),
})
