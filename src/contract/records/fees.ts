import { Decimal, Nullable, type Static, TimeMs, Type } from '../schema.ts'

const exact = { additionalProperties: false }

const rates = {
  cross: Decimal('rate of takers'),
  add: Decimal('rate of makers; negative is a rebate'),
}
const spotRates = { spotCross: rates.cross, spotAdd: rates.add }

const Schedule = Type.Object(
  {
    ...rates,
    ...spotRates,
    tiers: Type.Object(
      {
        vip: Type.Array(
          Type.Object(
            { ntlCutoff: Decimal('volume of 14 days, USD'), ...rates, ...spotRates },
            exact,
          ),
        ),
        mm: Type.Array(
          Type.Object(
            { makerFractionCutoff: Decimal('share of all maker volume'), add: rates.add },
            exact,
          ),
        ),
      },
      exact,
    ),
    referralDiscount: Decimal('fraction'),
    stakingDiscountTiers: Type.Array(
      Type.Object(
        { bpsOfMaxSupply: Decimal('staked, basis points'), discount: Decimal('fraction') },
        exact,
      ),
    ),
  },
  { ...exact, title: 'FeeSchedule' },
)

const Day = Type.Object(
  {
    date: Type.String({ description: 'YYYY-MM-DD, UTC' }),
    userCross: Decimal('volume of the account as taker, USD'),
    userAdd: Decimal('volume of the account as maker, USD'),
    exchange: Decimal('volume of everybody, USD'),
  },
  { ...exact, title: 'FeeDay' },
)

/** What an account pays, and why. */
export const UserFees = Type.Object(
  {
    dailyUserVlm: Type.Array(Day, { description: '15 days, oldest first; the last is today' }),
    feeSchedule: Schedule,
    userCrossRate: rates.cross,
    userAddRate: rates.add,
    userSpotCrossRate: rates.cross,
    userSpotAddRate: rates.add,
    activeReferralDiscount: Decimal('fraction'),
    trial: Type.Null(),
    feeTrialEscrow: Decimal('USD'),
    nextTrialAvailableTimestamp: Nullable(TimeMs()),
    stakingLink: Type.Null(),
    activeStakingDiscount: Type.Object(
      { bpsOfMaxSupply: Decimal('staked, basis points'), discount: Decimal('fraction') },
      exact,
    ),
  },
  { ...exact, title: 'UserFees' },
)
export type UserFees = Static<typeof UserFees>
export type FeeSchedule = UserFees['feeSchedule']
