import { Address, Coin, Decimal, Nullable, NullableDecimal, type Static, Type } from '../schema.ts'

const exact = { additionalProperties: false }

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

/** What an account may trade of a perpetual. */
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
      description: '[buy, sell]: margin that stands behind such an order',
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
      Type.Tuple([Type.String({ description: 'what they may do' }), Type.Array(Address())]),
    ),
    deployerFeeScale: Decimal('of the usual fee'),
    lastDeployerFeeScaleChangeTime: Type.String(),
    assetToFundingMultiplier: Type.Array(Type.Tuple([Coin(), Decimal('factor')])),
    assetToFundingInterestRate: Type.Array(Type.Tuple([Coin(), Decimal('rate')])),
  },
  { ...exact, title: 'PerpDex' },
)
export type PerpDex = Static<typeof PerpDex>
