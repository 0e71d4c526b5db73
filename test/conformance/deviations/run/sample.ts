/** Deviations of each class that run with every test, each with the case that noticed it. */
import type { Outcome } from './outcomes.ts'

/** Id of a deviation, and id of a case. */
export type Sample = Record<string, string>

/** So many of each class. */
const EACH = 3

/** As many of each class, spread evenly over it. */
export function sampleOf(outcomes: readonly Outcome[]): Sample {
  const groups = Map.groupBy(
    outcomes.filter((one) => one.noticedBy !== null && one.class !== 'rule'),
    (one) => one.class,
  )
  return Object.fromEntries(
    [...groups.values()].flatMap((all) =>
      spread(all, EACH).map(({ id, noticedBy }) => [id, noticedBy as string]),
    ),
  )
}

const spread = <T>(all: readonly T[], count: number): T[] =>
  all.filter((_, at) => at % Math.ceil(all.length / count) === 0)
