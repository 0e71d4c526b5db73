import { Address, Decimal, type Static, Type } from '../schema.ts'

/** Balances of a spot account as the venue writes them. */
export const SpotState = Type.Object(
  {
    balances: Type.Array(
      Type.Object(
        {
          coin: Type.String({ description: 'token, such as USDC or HYPE' }),
          token: Type.Integer({ description: 'number of the token' }),
          total: Decimal('balance'),
          hold: Decimal('what open orders hold of it'),
          entryNtl: Decimal('what was paid for it, USD'),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'SpotState', additionalProperties: false },
)
export type SpotState = Static<typeof SpotState>

/** One row of the batch of spot accounts. */
export const AddressSpotState = Type.Object(
  { address: Address(), spotState: SpotState },
  { title: 'AddressSpotState', additionalProperties: false },
)
