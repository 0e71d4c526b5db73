import { Coin, Decimal, IdOf, Nullable, type Static, TimeMs, Type } from '../schema.ts'

const exact = { additionalProperties: false }

const payment = {
  coin: Coin(),
  usdc: Decimal('positive when received, negative when paid, USD'),
  szi: Decimal('signed size of the position'),
  fundingRate: Decimal('rate of the hour'),
  nSamples: Nullable(Type.Integer({ description: 'number of merged hours' })),
}

/** An hour's funding of a position as a socket pushes it. */
export const FundingDelta = Type.Object(
  { time: TimeMs(), ...payment },
  { ...exact, title: 'FundingDelta' },
)

/** The funding of a position for an hour. */
export const FundingPayment = Type.Object(
  {
    time: TimeMs(),
    hash: IdOf('transaction', Type.String()),
    delta: Type.Object({ type: Type.Literal('funding'), ...payment }, exact),
  },
  { ...exact, title: 'FundingPayment' },
)
export type FundingPayment = Static<typeof FundingPayment>

/** A charged funding rate of an hour. */
export const FundingRate = Type.Object(
  {
    coin: Coin(),
    fundingRate: Decimal('rate of the hour'),
    premium: Decimal('premium of the mark price over the oracle price'),
    time: TimeMs(),
  },
  { ...exact, title: 'FundingRate' },
)
export type FundingRate = Static<typeof FundingRate>

/** The next funding rates by exchange; null where the coin is not listed. */
export const PredictedFunding = Type.Tuple(
  [
    Coin(),
    Type.Array(
      Type.Tuple([
        Type.String({ description: 'exchange' }),
        Nullable(
          Type.Object(
            {
              fundingRate: Decimal('rate of the interval'),
              nextFundingTime: TimeMs('when it is charged'),
              fundingIntervalHours: Type.Integer(),
            },
            exact,
          ),
        ),
      ]),
    ),
  ],
  { title: 'PredictedFunding' },
)
export type PredictedFunding = Static<typeof PredictedFunding>
