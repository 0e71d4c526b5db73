import { IdOf, type Static, TimeMs, Type } from '../schema.ts'

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
