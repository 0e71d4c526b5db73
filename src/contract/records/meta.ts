import { Decimal, Nullable, Type } from '../schema.ts'

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
