import type { InstrumentProfile } from './instrument-profile.ts'
import { tickBp } from './price-grid.ts'

/** The profile at another price, where a tick may be another part of it. */
export function atPrice(profile: InstrumentProfile, startPx: number): InstrumentProfile {
  const moved = structuredClone(profile)
  moved.startPx = startPx
  const scale = tickBp(profile) / tickBp(moved)
  // The same prices as before are kept as they are: rounding must not creep in.
  if (Math.abs(scale - 1) < 0.5) return moved
  moved.spreadTicks = Math.max(1, profile.spreadTicks * scale)
  moved.gapTicks = Math.max(1, profile.gapTicks * scale)
  return moved
}
