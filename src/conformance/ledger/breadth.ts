/** How broadly a run has looked: for which operations each sort of answer was received. */

import { OPERATIONS } from '../../contract/catalogue.ts'
import type { Operation } from '../../contract/operation.ts'
import { parametersOf } from '../../contract/parameters.ts'
import { isJsonObject } from '../responses.ts'
import type { Ledger } from './ledger.ts'
import { Hearing } from './ledger-rule.ts'

/** A sort of answer, over all operations that can give it. */
export interface BreadthRow {
  /** `403 envelope`. */
  what: string
  /** Operations that gave it, each time in its right form. */
  right: number
  /** Operations that can give it. */
  of: number
  /** Ids of operations that gave it in another form at least once. */
  wrong: string[]
  /** Ids of operations that never gave it. */
  missing: string[]
}

/** Statuses by operation and by the key that signed, `none` for an unsigned request. */
export type StatusMatrix = Record<string, Record<string, number[]>>

export interface Breadth {
  rows: BreadthRow[]
  statuses: StatusMatrix
}

/** A row of the matrix: the operations, and whether a refusal with its status is right. */
interface Sort {
  what: string
  status: number
  can: (operation: Operation) => boolean
  isRight: (hearing: Hearing) => boolean
}

const ofContract = ({ profile, servedWhen }: Operation): boolean => !profile && !servedWhen

const inB =
  (code: string) =>
  ({ json }: Hearing) =>
    isJsonObject(json) &&
    json.code === code &&
    json.data === null &&
    Object.keys(json).every((name) => ['code', 'msg', 'data'].includes(name))

/** A path without its part is another path. */
const isRequired = ({ required, place, of }: ReturnType<typeof parametersOf>[number]): boolean =>
  required && place !== 'path' && of === undefined

const SORTS: readonly Sort[] = [
  {
    what: 'success',
    status: 200,
    can: ofContract,
    isRight: ({ json }) => isJsonObject(json),
  },
  {
    what: '400 envelope',
    status: 400,
    can: (operation) => ofContract(operation) && parametersOf(operation).some(isRequired),
    isRight: ({ json }) => isJsonObject(json) && ('code' in json || 'success' in json),
  },
  {
    what: '401 envelope',
    status: 401,
    can: (operation) => ofContract(operation) && operation.access.kind !== 'public',
    isRight: inB('401'),
  },
  {
    what: '403 envelope',
    status: 403,
    can: (operation) => ofContract(operation) && operation.access.kind === 'permission',
    isRight: inB('403'),
  },
]

/** Of everything that a run has received; `turn` lets others run between parts of the work. */
export async function breadthOf(
  ledger: Ledger,
  turn: () => Promise<void> = async () => {},
): Promise<Breadth> {
  const statuses: Record<string, Record<string, Set<number>>> = {}
  const seen = SORTS.map(() => ({ right: new Set<string>(), wrong: new Set<string>() }))
  for (let seq = 0; seq < ledger.size; seq++) {
    if (seq % TURN_ENTRIES === 0) await turn()
    const hearing = new Hearing(seq, ledger.at(seq))
    const { heard, operation } = hearing
    if (heard.kind !== 'answer' || operation === undefined) continue
    const by = heard.request.isSigned ? heard.request.by : 'none'
    const known = statuses[operation.id] ?? {}
    statuses[operation.id] = known
    known[by] = (known[by] ?? new Set<number>()).add(heard.status)
    const at = SORTS.findIndex(({ status }) => status === heard.status)
    const sort = SORTS[at]
    if (sort === undefined || !sort.can(operation)) continue
    seen[at]?.[sort.isRight(hearing) ? 'right' : 'wrong'].add(operation.id)
  }
  return {
    rows: SORTS.map(({ what, can }, at) => rowOf(what, OPERATIONS.filter(can), seen[at])),
    statuses: sortedMatrix(statuses),
  }
}

/** Entries that are looked at in one turn. */
const TURN_ENTRIES = 500

function rowOf(
  what: string,
  all: readonly Operation[],
  { right, wrong }: { right: Set<string>; wrong: Set<string> } = NOTHING,
): BreadthRow {
  const ids = all.map(({ id }) => id)
  return {
    what,
    right: ids.filter((id) => right.has(id) && !wrong.has(id)).length,
    of: ids.length,
    wrong: ids.filter((id) => wrong.has(id)),
    missing: ids.filter((id) => !right.has(id) && !wrong.has(id)),
  }
}

const NOTHING = { right: new Set<string>(), wrong: new Set<string>() }

/** The same for two runs, in whatever order they were answered. */
const sortedMatrix = (statuses: Record<string, Record<string, Set<number>>>): StatusMatrix =>
  Object.fromEntries(
    Object.entries(statuses)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, callers]) => [
        id,
        Object.fromEntries(
          Object.entries(callers)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([by, all]) => [by, [...all].sort((one, other) => one - other)]),
        ),
      ]),
  )

/** `403 envelope: 63 of 63 operations`, with those that were wrong, and some that are missing. */
export function breadthLines({ rows }: Breadth): string[] {
  return rows.map(({ what, right, of, wrong, missing }) => {
    const others = [
      ...(wrong.length > 0 ? [`wrong: ${wrong.join(', ')}`] : []),
      ...(missing.length > 0 ? [`not shown: ${missing.join(', ')}`] : []),
    ]
    return [`${what}: ${right} of ${of} operations`, ...others].join('; ')
  })
}
