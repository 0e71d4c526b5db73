import { LedgerUpdate } from '../records/ledger.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'
import { RangeEnd, RangeStart } from './range.ts'

export const userNonFundingLedgerUpdates = infoType({
  type: 'userNonFundingLedgerUpdates',
  title: 'Money that came and went other than by trade or funding, oldest first, at most 2000',
  most: 2000,
  request: Type.Object({
    user: Address(),
    startTime: RangeStart,
    endTime: RangeEnd,
  }),
  data: Type.Array(LedgerUpdate),
  examples: [{ user: '0x0000000000000000000000000000000000000001', startTime: 0 }],
  answer: ({ user, startTime, endTime }, facts, most) =>
    facts.users.ledger(
      user,
      { startTimeMs: startTime ?? undefined, endTimeMs: endTime ?? undefined },
      most,
    ),
})
