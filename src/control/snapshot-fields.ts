/** A snapshot as it is handed in. */
import { Type } from '../contract/schema.ts'

/** Its fields are judged by its version, which is looked at first. */
export const SnapshotFields = Type.Object(
  { format: Type.Optional(Type.String()), version: Type.Optional(Type.Integer()) },
  { additionalProperties: true, description: 'as the snapshot of a sandbox was given' },
)
