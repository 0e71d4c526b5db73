/** The report of coverage: every requirement and point, met, handled or never met. */

import type { Slices } from '../../clock/turns.ts'
import {
  type CoveragePoint,
  contractPoints,
  type Evidence,
  POINT_KINDS,
  pointsMatching,
  scenarioPoint,
} from '../../contract/coverage-points.ts'
import { textHash } from '../../platform/text-hash.ts'
import type { CoverageCounts } from '../../sandbox/coverage/coverage.ts'
import type { CoverageFile } from './coverage-file.ts'
import requirements from './requirements.json' with { type: 'json' }

/** What is counted: sentences of the contract, and the kinds of points. */
export const ITEM_KINDS = ['requirement', ...POINT_KINDS] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** From the worst. */
export const ITEM_STATES = ['never', 'met', 'handled'] as const
export type ItemState = (typeof ITEM_STATES)[number]

/** A requirement or a point in a report. */
export interface CoverageItem {
  id: string
  kind: ItemKind
  /** Section of the contract for a requirement, and the group of a point. */
  section: string
  /** Groups that it concerns: `perpdex`, `sockets`. */
  groups: readonly string[]
  text: string
  met: number
  handled: number
  state: ItemState
  /** What can tell whether it was handled; null where nothing can. */
  evidence: Evidence | null
}

/** Counts of items. */
export interface CoverageTotal {
  kind: ItemKind
  total: number
  /** Met at least once, handled ones included. */
  met: number
  handled: number
  /** Those of which anything can tell whether they were handled. */
  judgeable: number
}

export interface CoverageReport {
  totals: readonly CoverageTotal[]
  items: readonly CoverageItem[]
}

/** The groups that a report can be about. */
export function coverageGroups(): string[] {
  return [...new Set(contractPoints().map(({ group }) => group))].filter((one) => one !== 'all')
}

let hash: string | null = null

/** Eight digits that identify the points of this version. */
export function pointsHash(): string {
  hash ??= textHash(
    contractPoints()
      .map(({ id }) => id)
      .join('\n'),
    0,
  )
    .toString(16)
    .padStart(8, '0')
  return hash
}

/** The counts of one sandbox as a file; scenarios that are not of the library are left out. */
export function coverageOf(counts: CoverageCounts, scenarios: readonly string[]): CoverageFile {
  const known = new Set(scenarios.map((name) => scenarioPoint(name).id))
  const isKnown = (id: string) => !id.startsWith('scenario:') || known.has(id)
  const points = Object.fromEntries(Object.entries(counts.points).filter(([id]) => isKnown(id)))
  return { format: 1, contract: pointsHash(), runs: 1, scenarios, ...counts, points }
}

/**
 * The report of a file.
 *
 * @param groups only of these; all without one. What holds for every request is in each of them.
 */
export function coverageReport(file: CoverageFile, groups: readonly string[] = []): CoverageReport {
  const isChosen = (group: string) =>
    groups.length === 0 || group === 'all' || groups.includes(group)
  const points = [...contractPoints(), ...file.scenarios.map(scenarioPoint)]
  const byId = new Map(points.map((point) => [point.id, pointItem(point, file)]))
  const sentences = requirementPoints().map(({ points: ids, ...requirement }) => {
    const own = ids.map((id) => byId.get(id) as CoverageItem)
    return requirementItem(requirement, own, isChosen)
  })
  const items = [...sentences, ...byId.values()].filter((one) => one.groups.some(isChosen))
  return { totals: ITEM_KINDS.map((kind) => totalOf(kind, items)), items }
}

interface RequirementPoints {
  id: string
  section: string
  text: string
  points: readonly string[]
}

let expanded: readonly RequirementPoints[] | null = null

/** The requirements, with the ids of their points. */
function requirementPoints(): readonly RequirementPoints[] {
  expanded ??= requirements.map(expandedPoints)
  return expanded
}

const expandedPoints = (one: RequirementPoints): RequirementPoints => ({
  ...one,
  points: [...new Set(one.points.flatMap(pointsMatching))],
})

/** Finds the points of all requirements in slices, so that no report takes long. */
export function* prepareReport(): Slices<void> {
  if (expanded) return
  const made: RequirementPoints[] = []
  for (const [at, one] of requirements.entries()) {
    made.push(expandedPoints(one))
    if (at % PIECE === 0) yield
  }
  expanded ??= made
}

/** Requirements that are expanded in one slice. */
const PIECE = 20

function pointItem({ id, kind, group, text, evidence }: CoveragePoint, file: CoverageFile) {
  const { met, handled } = file.points[id] ?? { met: 0, handled: 0 }
  const state = stateOf(met, handled)
  const item: CoverageItem = {
    id,
    kind,
    section: group,
    groups: [group],
    text,
    met,
    handled,
    state,
    evidence,
  }
  return item
}

/** A sentence is met by any of its points, of the chosen groups. */
function requirementItem(
  { id, section, text }: Omit<RequirementPoints, 'points'>,
  points: readonly CoverageItem[],
  isChosen: (group: string) => boolean,
): CoverageItem {
  const own = points.filter(({ groups }) => groups.some(isChosen))
  const sum = (what: 'met' | 'handled') => own.reduce((all, one) => all + one[what], 0)
  const [met, handled] = [sum('met'), sum('handled')]
  const evidence = own.find((one) => one.evidence !== null)?.evidence ?? null
  const groups = [...new Set(own.flatMap((one) => one.groups))]
  return {
    id,
    kind: 'requirement',
    section,
    groups,
    text,
    met,
    handled,
    state: stateOf(met, handled),
    evidence,
  }
}

const stateOf = (met: number, handled: number): ItemState =>
  handled > 0 ? 'handled' : met > 0 ? 'met' : 'never'

function totalOf(kind: ItemKind, items: readonly CoverageItem[]): CoverageTotal {
  const own = items.filter((one) => one.kind === kind)
  const count = (is: (one: CoverageItem) => boolean) => own.filter(is).length
  return {
    kind,
    total: own.length,
    met: count(({ state }) => state !== 'never'),
    handled: count(({ state }) => state === 'handled'),
    judgeable: count(({ evidence }) => evidence !== null),
  }
}

/** The share of the requirements that were met, in percent, cut to one decimal place. */
export function metPercent({ totals }: CoverageReport): number {
  const { total, met } = totals.find(({ kind }) => kind === 'requirement') as CoverageTotal
  return total === 0 ? 0 : Math.floor((1000 * met) / total) / 10
}
