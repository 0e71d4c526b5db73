/** Types of `POST /info` about the fills of an account. */

import { meant } from '../meaning.ts'
import { Aggregated, UserFill } from '../records/fill.ts'
import { Address, IdOf, Nullable, TimeMs, Type } from '../schema.ts'
import { infoType, RangeEnd } from './info-type.ts'

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

const TwapSliceFills = Type.Array(
  Type.Object(
    { fill: UserFill, twapId: IdOf('twap', Type.Integer()) },
    { additionalProperties: false },
  ),
)

export const userTwapSliceFills = infoType({
  type: 'userTwapSliceFills',
  title: 'Fills of an account’s TWAPs, newest first',
  most: 2000,
  request: Type.Object({ user: Address() }),
  data: TwapSliceFills,
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts, most) => facts.users.twapSlices(user, most),
})

/** Fills of TWAPs that are searched by time. */
const SEARCHED = 10_000

export const userTwapSliceFillsByTime = infoType({
  type: 'userTwapSliceFillsByTime',
  profile: 'raw',
  title: 'Fills of an account’s TWAPs in a span of time: 2000 at most, of its latest 10,000',
  most: 2000,
  request: Type.Object({
    user: Address(),
    startTime: meant('rangeStart', TimeMs('from')),
    endTime: RangeEnd,
    aggregateByTime: Aggregated,
  }),
  data: TwapSliceFills,
  examples: [{ user: '0x0000000000000000000000000000000000000001', startTime: 0 }],
  answer: ({ user, startTime, endTime }, facts, most) =>
    facts.users
      .twapSlices(user, SEARCHED)
      .filter(({ fill: { time } }) => time >= startTime && time <= (endTime ?? time))
      .reverse()
      .slice(0, most),
})
