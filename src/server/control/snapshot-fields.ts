/** A snapshot as it is handed in, and how large it may be. */
import { Type } from '../../contract/schema.ts'

/** A larger snapshot is neither given nor taken. */
export const SNAPSHOT_MAX_BYTES = 3_500_000

/** Its fields are checked after its version. */
export const SnapshotFields = Type.Object(
  { format: Type.Optional(Type.String()), version: Type.Optional(Type.Integer()) },
  {
    title: 'Snapshot',
    additionalProperties: true,
    description: 'a snapshot, unchanged',
  },
)
