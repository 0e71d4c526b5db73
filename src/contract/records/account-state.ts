import {
  Address,
  Coin,
  Decimal,
  NullableDecimal,
  type Static,
  TimeMs,
  type TSchema,
  Type,
} from '../schema.ts'

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

/** @param form begins the names of its parts */
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

/** State of a perpetual account as the venue writes it: no `rawUsd` for cross margin. */
export const NativeState = Type.Unsafe<NativeState>(
  state('Native', Type.Optional(Decimal('isolated margin less position value'))),
)
/**
 * State of a perpetual account as the service writes it: `rawUsd` null for cross margin (the
 * service's documentation).
 */
export const PerpState = Type.Unsafe<PerpState>(
  state('Perp', NullableDecimal('isolated margin less position value')),
)

/** One row of the batch of account states. */
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
