import { LedgerUpdate } from '../records/ledger.ts'
import { Address, Nullable, TimeMs, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const userNonFundingLedgerUpdates = infoType({
  type: 'userNonFundingLedgerUpdates',
  title: 'Money that came and went other than by trade or funding, oldest first, at most 2000',
  request: Type.Object({
    user: Address(),
    startTime: Type.Optional(Nullable(TimeMs('from'))),
    endTime: Type.Optional(Nullable(TimeMs('to'))),
  }),
  data: Type.Array(LedgerUpdate),
  examples: [{ user: '0x0000000000000000000000000000000000000001', startTime: 0 }],
  answer: ({ user, startTime, endTime }, facts) =>
    facts.users.ledger(
      user,
      { startTimeMs: startTime ?? undefined, endTimeMs: endTime ?? undefined },
      2000,
    ),
})
