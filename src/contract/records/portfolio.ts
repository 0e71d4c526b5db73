import { Decimal, type Static, TimeMs, Type } from '../schema.ts'

const Point = Type.Tuple([TimeMs(), Decimal('USD')])

const Window = Type.Object(
  {
    accountValueHistory: Type.Array(Point, { description: 'oldest first; the last is now' }),
    pnlHistory: Type.Array(Point, { description: 'since the first point' }),
    vlm: Decimal('volume in the window, USD'),
  },
  { additionalProperties: false },
)

const of = <const Name extends string>(name: Name) => Type.Tuple([Type.Literal(name), Window])

/** Curves of an account over eight windows (shapes 2.17). */
export const Portfolio = Type.Tuple([
  of('day'),
  of('week'),
  of('month'),
  of('allTime'),
  of('perpDay'),
  of('perpWeek'),
  of('perpMonth'),
  of('perpAllTime'),
])
export type Portfolio = Static<typeof Portfolio>
export type PortfolioWindow = Static<typeof Window>
