/** Some deviations of each class that run with every test, each with its detecting case. */
import type { Outcome } from './outcomes.ts'

/** Id of a deviation, and id of a case. */
export type Sample = Record<string, string>

/** Number per class. */
const EACH = 3

/** The same number of each class, evenly spread. */
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
