import {
  Address,
  Coin,
  Decimal,
  IdOf,
  Nullable,
  NullableDecimal,
  type Static,
  TimeMs,
  type TSchema,
  Type,
} from '../schema.ts'

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
    exchange: Decimal('volume of all accounts, USD'),
  },
  { ...exact, title: 'FeeDay' },
)

/** The fees of an account, and their reasons. */
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

/** A change of an account's money that is neither a trade nor funding. */
export const LedgerUpdate = Type.Object(
  {
    time: TimeMs(),
    hash: IdOf('transaction', Type.String()),
    delta: Type.Unsafe<{ type: string; [field: string]: unknown }>(
      Type.Object({ type: Type.String() }, { additionalProperties: true }),
    ),
  },
  { title: 'LedgerUpdate', additionalProperties: false },
)
export type LedgerUpdate = Static<typeof LedgerUpdate>

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

/** Balances of a spot account in the venue's form. */
export const SpotState = Type.Object(
  {
    balances: Type.Array(
      Type.Object(
        {
          coin: Type.String({ description: 'token, such as USDC or HYPE' }),
          token: Type.Integer({ description: 'number of the token' }),
          total: Decimal('balance'),
          hold: Decimal('amount in open orders'),
          entryNtl: Decimal('its cost, USD'),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'SpotState', additionalProperties: false },
)
export type SpotState = Static<typeof SpotState>

/** A row of a batch of spot accounts. */
export const AddressSpotState = Type.Object(
  { address: Address(), spotState: SpotState },
  { title: 'AddressSpotState', additionalProperties: false },
)

const Summary = Type.Object(
  {
    accountValue: Decimal('cash plus unrealised PnL, USD'),
    totalNtlPos: Decimal('sum of position values, USD'),
    totalRawUsd: Decimal('account value less signed position value, USD'),
    totalMarginUsed: Decimal('USD'),
  },
  { title: 'MarginSummary' },
)

const CumulativeFunding = Type.Object(
  {
    allTime: Decimal('funding paid, USD'),
    sinceOpen: Decimal('funding paid, USD'),
    sinceChange: Decimal('funding paid, USD'),
  },
  { title: 'CumulativeFunding' },
)

const leverage = (form: string, rawUsd: TSchema) =>
  Type.Object(
    {
      type: Type.Union([Type.Literal('cross'), Type.Literal('isolated')]),
      value: Type.Integer({ description: 'leverage' }),
      rawUsd,
    },
    { title: `${form}Leverage` },
  )

const position = (form: string, rawUsd: TSchema) =>
  Type.Object(
    {
      coin: Coin(),
      szi: Decimal('signed size'),
      leverage: leverage(form, rawUsd),
      entryPx: Decimal('average entry price'),
      positionValue: Decimal('USD'),
      unrealizedPnl: Decimal('USD'),
      returnOnEquity: Decimal('fraction of the margin at entry'),
      liquidationPx: NullableDecimal('liquidation price'),
      marginUsed: Decimal('USD'),
      maxLeverage: Type.Integer(),
      cumFunding: CumulativeFunding,
    },
    { title: `${form}Position` },
  )

const assetPosition = (form: string, rawUsd: TSchema) =>
  Type.Object(
    { type: Type.Literal('oneWay'), position: position(form, rawUsd) },
    { title: `${form}AssetPosition` },
  )

/** @param form prefix of the names of its parts */
const state = (form: string, rawUsd: TSchema) =>
  Type.Object(
    {
      marginSummary: Summary,
      crossMarginSummary: Summary,
      crossMaintenanceMarginUsed: Decimal('USD'),
      withdrawable: Decimal('USD'),
      assetPositions: Type.Array(assetPosition(form, rawUsd)),
      time: TimeMs(),
    },
    { additionalProperties: false, title: `${form}State` },
  )

/** State of a perpetual account in the venue's form: no `rawUsd` for cross margin. */
export const NativeState = Type.Unsafe<NativeState>(
  state('Native', Type.Optional(Decimal('isolated margin less position value'))),
)
/**
 * State of a perpetual account in the service's form: `rawUsd` null for cross margin (the service's
 * documentation).
 */
export const PerpState = Type.Unsafe<PerpState>(
  state('Perp', NullableDecimal('isolated margin less position value')),
)

/** A row of a batch of account states. */
export const AddressState = Type.Object(
  { address: Address(), state: PerpState },
  { title: 'AddressState' },
)
export type AddressState = { address: string; state: PerpState }

type Position<R> = {
  coin: string
  szi: string
  leverage: { type: 'cross' | 'isolated'; value: number } & R
  entryPx: string
  positionValue: string
  unrealizedPnl: string
  returnOnEquity: string
  liquidationPx: string | null
  marginUsed: string
  maxLeverage: number
  cumFunding: { allTime: string; sinceOpen: string; sinceChange: string }
}

type State<R> = {
  marginSummary: Static<typeof Summary>
  crossMarginSummary: Static<typeof Summary>
  crossMaintenanceMarginUsed: string
  withdrawable: string
  assetPositions: { type: 'oneWay'; position: Position<R> }[]
  time: number
}

export type NativeState = State<{ rawUsd?: string }>
export type PerpState = State<{ rawUsd: string | null }>
