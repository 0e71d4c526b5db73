import {
  Address,
  Coin,
  Decimal,
  Nullable,
  NullableDecimal,
  type Static,
  TimeMs,
  Type,
} from '../schema.ts'

const exact = { additionalProperties: false }

const sums = {
  positionCount: Type.Integer({ description: 'open positions' }),
  longPv: Decimal('value of the long positions at the mark price, USD'),
  shortPv: Decimal('value of the short positions at the mark price, USD'),
  totalPv: Decimal('longPv + shortPv, USD'),
  avgPv: Decimal('totalPv over positionCount, USD'),
}

/** All open positions of the venue. */
export const InterestSummary = Type.Object(sums, { ...exact, title: 'InterestSummary' })
export type InterestSummary = Static<typeof InterestSummary>

/** The open positions of one coin. */
export const CoinInterest = Type.Object(
  { coin: Coin(), ...sums },
  { ...exact, title: 'CoinInterest' },
)
export type CoinInterest = Static<typeof CoinInterest>

/** The open positions of one coin at an instant of the past, or now. */
export const InterestPoint = Type.Object(
  {
    time: TimeMs(),
    coin: Coin(),
    positionCount: sums.positionCount,
    longCount: Type.Integer({ description: 'open long positions' }),
    longPv: sums.longPv,
    totalPv: Decimal('value of all open positions at the mark price, USD'),
    avgPv: sums.avgPv,
  },
  { ...exact, title: 'InterestPoint' },
)
export type InterestPoint = Static<typeof InterestPoint>

/** Last price of a coin (the service's documentation, Perpetual-DEX records). */
export const Ticker = Type.Object(
  { coin: Coin(), price: Decimal('last price') },
  { title: 'Ticker', additionalProperties: false },
)
export type Ticker = Static<typeof Ticker>

const Tier = Type.Object(
  {
    lowerBound: Decimal('position value from which the tier holds, USD'),
    maxLeverage: Type.Integer(),
  },
  { title: 'MarginTier' },
)

/** Universe of a dex. */
export const Meta = Type.Object(
  {
    universe: Type.Array(
      Type.Object({
        szDecimals: Type.Integer({ description: 'decimals of a size' }),
        name: Type.String(),
        maxLeverage: Type.Integer(),
        marginTableId: Type.Integer(),
        onlyIsolated: Type.Optional(Type.Literal(true)),
        isDelisted: Type.Optional(Type.Literal(true)),
      }),
    ),
    marginTables: Type.Array(
      Type.Tuple([
        Type.Integer(),
        Type.Object({ description: Type.String(), marginTiers: Type.Array(Tier) }),
      ]),
    ),
    collateralToken: Type.Integer(),
  },
  { title: 'Meta' },
)

/** Spot pairs and tokens. */
export const SpotMeta = Type.Object(
  {
    universe: Type.Array(
      Type.Object({
        tokens: Type.Tuple([Type.Integer(), Type.Integer()], { description: '[base, quote]' }),
        name: Type.String(),
        index: Type.Integer(),
        isCanonical: Type.Boolean(),
      }),
    ),
    tokens: Type.Array(
      Type.Object({
        name: Type.String(),
        szDecimals: Type.Integer(),
        weiDecimals: Type.Integer(),
        index: Type.Integer(),
        tokenId: Type.String(),
        isCanonical: Type.Boolean(),
        evmContract: Nullable(
          Type.Object({ address: Type.String(), evm_extra_wei_decimals: Type.Integer() }),
        ),
        fullName: Nullable(Type.String()),
        deployerTradingFeeShare: Decimal('share'),
      }),
    ),
  },
  { title: 'SpotMeta' },
)

const market = {
  prevDayPx: Decimal('last price a day ago'),
  dayNtlVlm: Decimal('turnover of 24 hours, USD'),
  markPx: Decimal('mark price'),
  midPx: NullableDecimal('middle of the book, null while a side is empty'),
  dayBaseVlm: Decimal('volume of 24 hours, in the coin'),
}

/** The market of a perpetual. */
export const PerpContext = Type.Object(
  {
    ...market,
    funding: Decimal('rate of the hour'),
    openInterest: Decimal('in the coin'),
    premium: NullableDecimal('premium of the mark price over the oracle price'),
    oraclePx: Decimal('oracle price'),
    impactPxs: Nullable(
      Type.Tuple([Decimal('price'), Decimal('price')], {
        description: '[sell, buy]: average prices of a market order of the impact notional',
      }),
    ),
  },
  { ...exact, title: 'PerpContext' },
)
export type PerpContext = Static<typeof PerpContext>

/** The market of a spot pair. */
export const SpotContext = Type.Object(
  {
    ...market,
    circulatingSupply: Decimal('units of the base token'),
    coin: Coin(),
    totalSupply: Decimal('units of the base token'),
  },
  { ...exact, title: 'SpotContext' },
)
export type SpotContext = Static<typeof SpotContext>

/** The trading limits of an account for a perpetual. */
export const ActiveAsset = Type.Object(
  {
    user: Address(),
    coin: Coin(),
    leverage: Type.Object(
      {
        type: Type.Union([Type.Literal('cross'), Type.Literal('isolated')]),
        value: Type.Integer({ description: 'leverage' }),
        rawUsd: Type.Optional(Decimal('isolated margin less position value')),
      },
      exact,
    ),
    maxTradeSzs: Type.Tuple([Decimal('size'), Decimal('size')], { description: '[buy, sell]' }),
    availableToTrade: Type.Tuple([Decimal('USD'), Decimal('USD')], {
      description: '[buy, sell]: margin of such an order',
    }),
    markPx: Decimal('mark price'),
  },
  { ...exact, title: 'ActiveAsset' },
)
export type ActiveAsset = Static<typeof ActiveAsset>

/** A dex that a builder runs. */
export const PerpDex = Type.Object(
  {
    name: Type.String(),
    fullName: Type.String(),
    deployer: Address(),
    oracleUpdater: Nullable(Address()),
    feeRecipient: Nullable(Address()),
    assetToStreamingOiCap: Type.Array(Type.Tuple([Coin(), Decimal('cap, USD')])),
    subDeployers: Type.Array(
      Type.Tuple([Type.String({ description: 'their permissions' }), Type.Array(Address())]),
    ),
    deployerFeeScale: Decimal('of the usual fee'),
    lastDeployerFeeScaleChangeTime: Type.String(),
    assetToFundingMultiplier: Type.Array(Type.Tuple([Coin(), Decimal('factor')])),
    assetToFundingInterestRate: Type.Array(Type.Tuple([Coin(), Decimal('rate')])),
  },
  { ...exact, title: 'PerpDex' },
)
export type PerpDex = Static<typeof PerpDex>
