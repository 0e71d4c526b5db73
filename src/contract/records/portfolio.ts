import { Decimal, type Static, TimeMs, Type } from '../schema.ts'

const PortfolioPoint = Type.Tuple([TimeMs(), Decimal('USD')], { title: 'PortfolioPoint' })

const PortfolioWindowName = Type.Object(
  {
    accountValueHistory: Type.Array(PortfolioPoint, {
      description: 'oldest first; the last is now',
    }),
    pnlHistory: Type.Array(PortfolioPoint, { description: 'since the first point' }),
    vlm: Decimal('volume in the window, USD'),
  },
  { title: 'PortfolioWindowName', additionalProperties: false },
)

const of = <const Name extends string>(name: Name) =>
  Type.Tuple([Type.Literal(name), PortfolioWindowName])

/** Curves of an account over eight windows. */
export const VenuePortfolio = Type.Tuple(
  [
    of('day'),
    of('week'),
    of('month'),
    of('allTime'),
    of('perpDay'),
    of('perpWeek'),
    of('perpMonth'),
    of('perpAllTime'),
  ],
  { title: 'VenuePortfolio' },
)
export type VenuePortfolio = Static<typeof VenuePortfolio>
export type PortfolioWindow = Static<typeof PortfolioWindowName>
