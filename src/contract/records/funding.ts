import { Coin, Decimal, IdOf, Nullable, type Static, TimeMs, Type } from '../schema.ts'

const exact = { additionalProperties: false }

/** An hour's funding of a position. */
export const FundingPayment = Type.Object(
  {
    time: TimeMs(),
    hash: IdOf('transaction', Type.String()),
    delta: Type.Object(
      {
        type: Type.Literal('funding'),
        coin: Coin(),
        usdc: Decimal('positive when received, negative when paid, USD'),
        szi: Decimal('signed size of the position'),
        fundingRate: Decimal('rate of the hour'),
        nSamples: Nullable(Type.Integer({ description: 'hours that were put together' })),
      },
      exact,
    ),
  },
  { ...exact, title: 'FundingPayment' },
)
export type FundingPayment = Static<typeof FundingPayment>

/** Funding rate of an hour, as it was charged. */
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

/** What funding will be charged next, by exchange; null where the coin is not listed. */
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
