import { meant } from '../meaning.ts'
import { Aggregated, UserFill } from '../records/fill.ts'
import { Address, Nullable, TimeMs, Type } from '../schema.ts'
import { infoType } from './info-type.ts'
import { RangeEnd } from './range.ts'

export const userFillsByTime = infoType({
  type: 'userFillsByTime',
  title: 'Fills of an account in a span of time: 2000 at most, of its latest 10,000',
  most: 2000,
  request: Type.Object({
    user: Address(),
    startTime: meant('rangeStart', TimeMs('from')),
    endTime: RangeEnd,
    aggregateByTime: Aggregated,
    reversed: Type.Optional(Nullable(Type.Boolean({ description: 'newest first' }))),
  }),
  data: Type.Array(UserFill),
  examples: [{ user: '0x0000000000000000000000000000000000000001', startTime: 0 }],
  answer: ({ user, startTime, endTime, aggregateByTime, reversed }, facts, most) =>
    facts.fills.nativeBetween(user, {
      startTimeMs: startTime,
      endTimeMs: endTime ?? undefined,
      limit: most,
      reversed: reversed ?? false,
      aggregated: aggregateByTime ?? false,
    }),
})
