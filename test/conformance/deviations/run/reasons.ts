/** Why some deviations survive. */

const REASONS: readonly [RegExp, string][] = []

/** The reason that is known; the first that fits. */
export const reasonFor = (id: string): string =>
  REASONS.find(([of]) => of.test(id))?.[1] ?? 'no case looks at it yet'
