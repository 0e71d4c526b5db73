/** The control call about coverage: what clients have met of the contract. */

import { Nullable, OneOf, type Static, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import {
  coverageGroups,
  coverageOf,
  coverageReport,
  ITEM_KINDS,
  ITEM_STATES,
  prepareReport,
} from '../../coverage/coverage-report.ts'
import { controlOperation, Page, pageFields } from '../control-operation.ts'

const Count = (description: string) => Type.Integer({ description })
const Counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description })

const CoverageItemView = Type.Object(
  {
    id: Type.String({ description: 'of the requirement, or of the point' }),
    kind: OneOf([...ITEM_KINDS], 'a sentence of the contract, or a point that a client can meet'),
    section: Type.String({ description: 'section of the contract, or group of the point' }),
    groups: Type.Array(Type.String(), { description: 'groups that it concerns' }),
    text: Type.String({ description: 'what is met' }),
    met: Count('how often it was met'),
    handled: Count('how often a claim or the next step of the client has shown that it is handled'),
    state: OneOf([...ITEM_STATES], 'never met, met, or met and handled'),
    evidence: Nullable(OneOf(['sequel', 'claim'], 'the next step of the client, or a claim'), {
      description: 'what shows whether it was handled; null where nothing does',
    }),
  },
  { title: 'CoverageItem' },
)

const CoverageTotalView = Type.Object(
  {
    kind: OneOf([...ITEM_KINDS], 'of these'),
    total: Count('how many there are'),
    met: Count('met at least once, handled ones included'),
    handled: Count('met and handled'),
    judgeable: Count('those of which it is shown whether they were handled'),
  },
  { title: 'CoverageTotal' },
)

export const CoverageRecord = Type.Object(
  {
    format: Type.Literal(1, { description: 'of a coverage file' }),
    contract: Type.String({ description: 'hash of all points' }),
    runs: Count('number of sandboxes: 1'),
    scenarios: Type.Array(Type.String(), { description: 'the scenarios of the library' }),
    points: Type.Record(
      Type.String(),
      Type.Object({ met: Type.Integer(), handled: Type.Integer() }),
      { description: 'the points that were met, by their id' },
    ),
    questions: Counts('outcomes that rest on an open question, by `question=answer`'),
    leniencies: Counts('what was accepted beyond the contract, by the id of its question'),
    beyond: Counts('requests that the contract does not have, by their refusal'),
    totals: Type.Array(CoverageTotalView),
    items: Type.Array(CoverageItemView),
  },
  { title: 'Coverage' },
)

const [USUAL_LIMIT, LIMIT_MAX] = [200, 10_000]

const CoverageFilter = Type.Object({
  kind: Type.Optional(OneOf([...ITEM_KINDS], 'only items of this kind')),
  state: Type.Optional(OneOf([...ITEM_STATES], 'only items in this state')),
  group: Type.Optional(
    Type.String({ description: 'only what concerns this group, in the totals too: `perpdex`' }),
  ),
})

export const coverage = controlOperation({
  id: 'coverage',
  method: 'GET',
  path: '/sandboxes/:id/coverage',
  title: 'What clients have met of the contract',
  about:
    'Counts since the sandbox was made or reset: requirements, operations, parameters, caps, ' +
    "refusals, channels, transitions and scenarios, without the console's own. The items are " +
    'listed in pages; the other fields are those of a coverage file.',
  params: { query: Type.Composite([CoverageFilter, pageFields(USUAL_LIMIT, LIMIT_MAX)]) },
  examples: [
    { name: 'what was never met', query: { kind: 'transition', state: 'never', limit: 2 } },
  ],
  data: CoverageRecord,
  *answer({ query }, { sandbox, registry }) {
    const { kind, state, group, limit = USUAL_LIMIT, cursor = '0' } = query
    const groups = coverageGroups()
    if (group !== undefined && !groups.includes(group))
      throw new UserError(`unknown group "${group.slice(0, 100)}"; use ${groups.join(', ')}`)
    yield* prepareReport()
    const file = coverageOf(sandbox().coverage.counts(), registry.library.names())
    yield
    const { totals, items } = coverageReport(file, group === undefined ? [] : [group])
    yield
    const chosen = items.filter(
      (one) =>
        (kind === undefined || one.kind === kind) && (state === undefined || one.state === state),
    )
    const from = Number(cursor)
    const shown = chosen
      .slice(from, from + limit)
      .map((one) => ({ ...one, groups: [...one.groups] }))
    const answer: Static<typeof CoverageRecord> = {
      ...file,
      scenarios: [...file.scenarios],
      points: structuredClone(file.points) as Static<typeof CoverageRecord>['points'],
      totals: [...totals],
      items: shown,
    }
    return new Page(answer, from + limit < chosen.length ? String(from + limit) : null)
  },
})
