/** A snapshot as it is handed in. */
import { Type } from '../contract/schema.ts'

/** Its fields are checked after its version. */
export const SnapshotFields = Type.Object(
  { format: Type.Optional(Type.String()), version: Type.Optional(Type.Integer()) },
  { additionalProperties: true, description: 'as the snapshot of a sandbox was given' },
)
