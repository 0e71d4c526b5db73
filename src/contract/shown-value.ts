/** A value as clients are shown it, and what they ask with as the world knows it. */
import { withLapIds, withoutLapIds } from './lap-ids.ts'
import { rebaseOf } from './rebase.ts'
import type { TSchema } from './schema.ts'

/** How a place of the playhead is shown. */
export interface ShownAs {
  /** What is added to tape times. */
  shiftMs: number
  /** How often the tape was begun anew; 0 when it is left out. */
  lap?: number
}

/** With shown times and the ids of the lap. */
export function shownValue(
  schema: TSchema | undefined,
  value: unknown,
  { shiftMs, lap = 0 }: ShownAs,
): unknown {
  return withLapIds(schema, shifted(schema, value, shiftMs), lap)
}

/** With tape times and the ids of the tape. */
export function tapeValue(
  schema: TSchema | undefined,
  value: unknown,
  { shiftMs, lap = 0 }: ShownAs,
): unknown {
  return withoutLapIds(schema, shifted(schema, value, -shiftMs), lap)
}

function shifted(schema: TSchema | undefined, value: unknown, byMs: number): unknown {
  if (schema === undefined || byMs === 0) return value
  return rebaseOf(schema)?.(value, byMs) ?? value
}
