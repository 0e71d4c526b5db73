/** All deviations, handwritten ones first, and the excluded generated ones. */
import { WRITTEN_DEVIATIONS } from './by-hand.ts'
import type { Deviation } from './deviation.ts'
import { GENERATED_DEVIATIONS } from './generated.ts'
import { leftOut } from './left-out.ts'

export const DEVIATIONS: readonly Deviation[] = [
  ...WRITTEN_DEVIATIONS,
  ...GENERATED_DEVIATIONS.filter(({ id }) => leftOut(id) === undefined),
]

/** Generated changes that are no deviations. */
export const LEFT_OUT_DEVIATIONS: readonly Deviation[] = GENERATED_DEVIATIONS.filter(
  ({ id }) => leftOut(id) !== undefined,
)
