/** All deviations, those written by hand first. */
import { WRITTEN_DEVIATIONS } from './by-hand.ts'
import type { Deviation } from './deviation.ts'
import { GENERATED_DEVIATIONS } from './generated.ts'

export const DEVIATIONS: readonly Deviation[] = [...WRITTEN_DEVIATIONS, ...GENERATED_DEVIATIONS]
