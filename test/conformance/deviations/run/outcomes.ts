/** What became of deviations, and how much of them is noticed. */
import type { Deviation, DeviationClass } from '../deviation.ts'

/** With a control plane, or with keys alone. */
export type Mode = 'with' | 'without'

export interface Outcome {
  id: string
  class: DeviationClass
  /** The case that noticed; null for none. */
  noticedBy: string | null
  /** Whether anything came through otherwise than it was. */
  wasShown: boolean
  /** Why it may not be shown. */
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

/** Neither noticed nor excused: the suite overlooks it. */
export const isSurvivor = ({ noticedBy, wasShown, unshown }: Outcome): boolean =>
  noticedBy === null && (wasShown || unshown === undefined)

/** It could not be shown, for a reason that is known beforehand. */
export const isExcused = (outcome: Outcome): boolean =>
  outcome.noticedBy === null && !isSurvivor(outcome)

/** The part that is noticed, of those that could be. */
export function noticedPart(outcomes: readonly Outcome[]): number {
  const counted = outcomes.filter((outcome) => !isExcused(outcome))
  if (counted.length === 0) return 1
  return counted.filter(({ noticedBy }) => noticedBy !== null).length / counted.length
}

/** What at least must be noticed. */
export const LEAST: Record<Mode, number> = { with: 0.99, without: 0.95 }
