import { Aggregated, UserFill } from '../records/fill.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const userFills = infoType({
  type: 'userFills',
  title: 'Latest fills of an account, newest first, at most 2000',
  most: 2000,
  request: Type.Object({ user: Address(), aggregateByTime: Aggregated }),
  data: Type.Array(UserFill),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user, aggregateByTime }, facts, most) =>
    facts.fills.nativeBetween(user, {
      startTimeMs: 0,
      limit: most,
      reversed: true,
      aggregated: aggregateByTime ?? false,
    }),
})
