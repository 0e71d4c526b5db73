/**
 * The typed client of the control plane: its list of calls and their types, generated from the
 * operations.
 */
import type { TObject, TSchema } from '../src/contract/schema.ts'
import { ClaimBody } from '../src/sandbox/claims/claim-forms.ts'
import { SandboxState } from '../src/sandbox/snapshot/sandbox-state.ts'
import { type ControlOperation, PageFields } from '../src/server/control/control-operation.ts'
import { CastRecord } from '../src/server/control/operations/cast.ts'
import { ClaimView } from '../src/server/control/operations/claims.ts'
import { RunRecord } from '../src/server/control/operations/conformance.ts'
import { ConnectionRecord } from '../src/server/control/operations/connections.ts'
import {
  FrameEntryView,
  JournalEntryView,
  JournalFilter,
  MarketEntryView,
  PlayheadEntryView,
  ReasonView,
  RequestEntryView,
  SocketEntryView,
} from '../src/server/control/operations/journal.ts'
import { InviteView, KeyView, LimitFields } from '../src/server/control/operations/keys.ts'
import { MarketEventRecord } from '../src/server/control/operations/market.ts'
import { EventReached } from '../src/server/control/operations/playhead.ts'
import { sandboxCreate } from '../src/server/control/operations/sandboxes.ts'
import { ScenarioBody, ScenarioList } from '../src/server/control/operations/scenarios.ts'
import { SnapshotFields } from '../src/server/control/operations/snapshots.ts'
import { StoryRecord } from '../src/server/control/operations/stories.ts'
import { CONTROL_OPERATIONS } from '../src/server/control/operations.ts'
import { KeyRecord, SandboxRecord } from '../src/server/control/sandbox-record.ts'
import { docLines, type NamedShape, typeText, wrapped } from './schema-types.ts'

/** Shapes used more than once, with their names. */
const RECORDS: readonly [name: string, about: string, schema: TSchema][] = [
  ['SandboxRecord', "A sandbox in the control plane's form.", SandboxRecord],
  ['SandboxFields', 'Options of a new sandbox.', sandboxCreate.params?.body as TObject],
  ['CreatedSandbox', 'A new sandbox: its address and keys.', sandboxCreate.data as TObject],
  ['EventReached', 'The event to which the playhead has moved.', EventReached],
  ['Cast', 'Accounts, coins and ids that can be queried at a moment.', CastRecord],
  ['PageFields', 'A page of a long list.', PageFields],
  ['AccessKey', 'A key with its secret.', KeyRecord],
  ['KeyLimits', "Limits of a key; null is no limit, or its level's.", LimitFields],
  ['KeyRecord', 'A key without its secret, with its usage.', KeyView],
  ['InviteRecord', 'An invite token and what it presets.', InviteView],
  ['Reason', 'Why a request was answered as it was.', ReasonView],
  ['RequestEntry', 'A request and its response, in the journal.', RequestEntryView],
  ['FrameEntry', 'A frame on a socket.', FrameEntryView],
  [
    'SocketEntry',
    'A socket was opened, refused or closed, or a scenario acted on it.',
    SocketEntryView,
  ],
  ['PlayheadEntry', 'The playhead fell behind, caught up, or was moved.', PlayheadEntryView],
  ['MarketEntry', 'A market event was scheduled, began or ended.', MarketEntryView],
  ['JournalEntry', 'An entry of the journal, by its kind.', JournalEntryView],
  ['JournalFilter', 'Filter of journal entries.', JournalFilter],
  ['MarketEventRecord', 'A market event and its result.', MarketEventRecord],
  ['ScenarioFields', 'A scenario of the library by name, or a scenario in full.', ScenarioBody],
  ['ScenarioList', 'The active scenarios.', ScenarioList],
  ['StoryRecord', 'A story that the console can play.', StoryRecord],
  ['ConformanceRunRecord', 'A run of the conformance suite.', RunRecord],
  ['ClaimFields', 'What a client believes, by its kind.', ClaimBody],
  ['JudgedClaim', 'A claim with its verdict.', ClaimView],
  ['ConnectionRecord', 'An open connection and its subscriptions.', ConnectionRecord],
  ['Snapshot', 'The state of a sandbox, to be kept and restored unchanged.', SnapshotFields],
]

const HEADER = (what: string) => `/** ${what}. Written by \`bun run generate\`. */\n`

/** The client's generated files, by path. */
export function controlClientFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['src/clients/control/call-list.ts', callList()],
    ['src/clients/control/records.ts', records()],
    ['src/clients/control/call-types.ts', callTypes()],
  ])
}

function callList(): string {
  const entries = CONTROL_OPERATIONS.map((operation) => {
    const { group, name } = placeOf(operation)
    const parts = [
      ...(group === null ? [] : [`group: '${group}'`]),
      `name: '${name}'`,
      `method: '${operation.method}'`,
      `path: '${operation.path}'`,
      ...(fieldsOf(operation) ? [`fields: '${fieldsOf(operation)?.in}'`] : []),
      ...(operation.contentType ? ["answer: 'text'"] : []),
      ...(isPaged(operation) ? ["answer: 'page'"] : []),
    ]
    const line = `  { ${parts.join(', ')} },`
    return line.length <= 100 ? line : `  {\n${parts.map((part) => `    ${part},\n`).join('')}  },`
  })
  return `${HEADER('Every call of the control plane')}import type { Call } from './call.ts'

export const CALLS: readonly Call[] = [
${entries.join('\n')}
]
`
}

function records(): string {
  const parts = RECORDS.map(([name, about, schema]) => {
    const head = schema.anyOf ? `type ${name} =` : `interface ${name}`
    return `/** ${about} */\nexport ${head} ${typeText(schema, shapesWithout(name), '')}\n`
  })
  return `${HEADER('Shapes of the control plane')}// biome-ignore-all format: as it is generated

${wrapped(parts.join('\n'))}`
}

function callTypes(): string {
  const groups = Map.groupBy(CONTROL_OPERATIONS, (operation) => placeOf(operation).group)
  const own = (groups.get(null) ?? []).map((operation) => methodText(operation, '  '))
  const grouped = [...groups].flatMap(([group, operations]) =>
    group === null
      ? []
      : [`  ${group}: {\n${operations.map((one) => methodText(one, '    ')).join('')}  }\n`],
  )
  const body = [...own, ...grouped].join('')
  const used = RECORDS.map(([name]) => name).filter((name) =>
    new RegExp(`\\b${name}\\b`).test(body),
  )
  const header = HEADER('Parameters and results of every call of the control plane')
  return `${header}// biome-ignore-all format: as it is generated
import type { CallOptions, Page } from './call.ts'
import type {
${used
  .sort()
  .map((name) => `  ${name},\n`)
  .join('')}} from './records.ts'

export interface ControlCalls {
${wrapped(body)}}
`
}

function methodText(operation: ControlOperation, indent: string): string {
  const { title, about, path, data } = operation
  const fields = fieldsOf(operation)
  const isNeeded = fields !== null && (fields.schema.required ?? []).length > 0
  const shapes = shapesWithout('')
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => `${name}: string`),
    ...(fields ? [`fields${isNeeded ? '' : '?'}: ${typeText(fields.schema, shapes, indent)}`] : []),
    'options?: CallOptions',
  ]
  const answer = typeText(data, shapes, indent)
  const promised = isPaged(operation) ? `Page<${answer}>` : answer
  const doc = docLines([`${title}.`, ...(about ? [about] : [])].join(' '), indent)
  const head = `${doc}${indent}${placeOf(operation).name}`
  return `${head}(${parameters.join(', ')}): Promise<${promised}>\n`
}

/** `clock.advance` is `clock.advance()`; collections in the path are named in the plural. */
export function placeOf({ id, path }: ControlOperation): { group: string | null; name: string } {
  const [first = '', name] = id.split('.')
  if (name === undefined) return { group: null, name: first }
  const parts = path.split('/')
  const plural = [`${first}s`, `${first}es`].find((many) => parts.includes(many))
  return { group: plural ?? first, name }
}

/** Fields besides the names in the path. */
function fieldsOf({ id, params = {} }: ControlOperation) {
  const { query, body } = params
  if (query && body) throw new Error(`${id} has a query and a body: the client gives one of them`)
  if (query) return { in: 'query', schema: query }
  return body ? { in: 'body', schema: body } : null
}

const isPaged = ({ params }: ControlOperation) => 'cursor' in (params?.query?.properties ?? {})

/** All named shapes but one. */
function shapesWithout(name: string): readonly NamedShape[] {
  const named: NamedShape[] = RECORDS.map(([record, , schema]) => ({ name: record, schema }))
  return [...named, { name: 'Snapshot', schema: SandboxState }].filter((one) => one.name !== name)
}
