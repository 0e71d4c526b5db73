import { UserFill } from '../records/fill.ts'
import { Address, TimeMs, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const userFillsByTime = infoType({
  type: 'userFillsByTime',
  title: 'Fills of an account in a span of time',
  request: Type.Object({
    user: Address(),
    startTime: TimeMs('from'),
    endTime: Type.Optional(TimeMs('to')),
    aggregateByTime: Type.Optional(Type.Boolean()),
  }),
  data: Type.Array(UserFill),
  examples: [{ user: '0x0000000000000000000000000000000000000001', startTime: 0 }],
  answer: ({ user, startTime, endTime }, facts) =>
    facts.fills.nativeBetween(user, { startTimeMs: startTime, endTimeMs: endTime, limit: 2000 }),
})
