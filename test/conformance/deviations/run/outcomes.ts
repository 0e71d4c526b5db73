/** Outcomes of deviations, and the share detected. */
import type { Deviation, DeviationClass } from '../deviation.ts'

/** With a control plane, or with keys alone. */
export type Mode = 'with' | 'without'

export interface Outcome {
  id: string
  class: DeviationClass
  /** The detecting case; null for none. */
  noticedBy: string | null
  /** Whether anything was changed. */
  wasShown: boolean
  /** Reason why it may not be visible. */
  unshown?: string
}

export const outcomeOf = (
  { id, class: kind, unshown }: Deviation,
  noticedBy: string | null,
  wasShown: boolean,
): Outcome => ({
  id,
  class: kind,
  noticedBy,
  wasShown,
  ...(unshown === undefined ? {} : { unshown }),
})

/** Neither detected nor excused: the suite misses it. */
export const isSurvivor = ({ noticedBy, wasShown, unshown }: Outcome): boolean =>
  noticedBy === null && (wasShown || unshown === undefined)

/** It was never visible, for a known reason. */
export const isExcused = (outcome: Outcome): boolean =>
  outcome.noticedBy === null && !isSurvivor(outcome)

/** Share detected of the visible ones. */
export function noticedPart(outcomes: readonly Outcome[]): number {
  const counted = outcomes.filter((outcome) => !isExcused(outcome))
  if (counted.length === 0) return 1
  return counted.filter(({ noticedBy }) => noticedBy !== null).length / counted.length
}

/** Minimum share to detect. */
export const LEAST: Record<Mode, number> = { with: 0.99, without: 0.95 }
