/** Coverage as a file: what one run or many have met. Files are added to one another. */

/** How often a point was met, and how often handled. */
interface Met {
  met: number
  handled: number
}

/** The contents of a coverage file. */
export interface CoverageFile {
  format: 1
  /** Hash of all points: only files with the same ones can be added. */
  contract: string
  /** Number of sandboxes that it is of. */
  runs: number
  /** Names of the scenarios of the library. */
  scenarios: readonly string[]
  /** By the id of the point; those that were never met are left out. */
  points: Readonly<Record<string, Readonly<Met>>>
  /** Outcomes that rest on an open question, by `question=answer`. */
  questions: Readonly<Record<string, number>>
  /** What was accepted beyond the contract, by the id of its question. */
  leniencies: Readonly<Record<string, number>>
  /** Requests that the contract does not have, by their refusal. */
  beyond: Readonly<Record<string, number>>
}

/** The file's part of an object that has more. */
export const coverageFileOf = (from: CoverageFile): CoverageFile => ({
  format: from.format,
  contract: from.contract,
  runs: from.runs,
  scenarios: from.scenarios,
  points: from.points,
  questions: from.questions,
  leniencies: from.leniencies,
  beyond: from.beyond,
})

/** Two files of the same contract as one. */
export function addedCoverage(one: CoverageFile, other: CoverageFile): CoverageFile {
  const points: Record<string, Met> = {}
  for (const from of [one.points, other.points])
    for (const [id, { met, handled }] of Object.entries(from)) {
      const before = points[id] ?? { met: 0, handled: 0 }
      points[id] = { met: before.met + met, handled: before.handled + handled }
    }
  return {
    format: 1,
    contract: one.contract,
    runs: one.runs + other.runs,
    scenarios: [...new Set([...one.scenarios, ...other.scenarios])].toSorted(),
    points,
    questions: addedCounts(one.questions, other.questions),
    leniencies: addedCounts(one.leniencies, other.leniencies),
    beyond: addedCounts(one.beyond, other.beyond),
  }
}

type Counts = Readonly<Record<string, number>>

function addedCounts(one: Counts, other: Counts): Counts {
  const sums: Record<string, number> = { ...one }
  for (const [name, count] of Object.entries(other)) sums[name] = (sums[name] ?? 0) + count
  return sums
}

/** The coverage file as text. */
export const coverageText = (file: CoverageFile): string => `${JSON.stringify(file, null, 1)}\n`
