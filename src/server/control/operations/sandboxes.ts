/** Control calls about sandboxes: create, list, read, reset and drop. */

import { awaited } from '../../../clock/turns.ts'
import { OneOf, type Static, Type } from '../../../contract/schema.ts'
import { MOOD_NAMES } from '../../../market/synth/mood.ts'
import { UserError } from '../../../platform/user-error.ts'
import { scheduleInitialEvents } from '../../../sandbox/market-events/scenario-coins.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { DEFAULT_SANDBOX_ID } from '../../../sandbox/sandbox-config.ts'
import type { Scenario } from '../../../sandbox/scenario/scenario.ts'
import { readSandboxState, type SandboxState } from '../../../sandbox/snapshot/sandbox-state.ts'
import { controlOperation, PageFields, pageOf } from '../control-operation.ts'
import {
  AtField,
  ClockStateField,
  DeliveryField,
  EndField,
  KeyRecord,
  keyRecord,
  SandboxRecord,
  SpeedField,
  sandboxRecord,
  UsageField,
  usedRecord,
} from '../sandbox-record.ts'
import { JournalFields, journalOptions } from './journal.ts'
import { resolveScenario, ScenarioBody } from './scenarios.ts'
import { SnapshotFields } from './snapshots.ts'

const Body = Type.Object({
  name: Type.Optional(Type.String({ description: 'id of the sandbox; a free one by default' })),
  tape: Type.Optional(Type.String({ description: 'name of a tape in recordings/' })),
  seed: Type.Optional(Type.Integer()),
  replay: Type.Optional(
    Type.String({
      description: 'recording to replay: a name in recordings/, or the recording of the server',
    }),
  ),
  miss: Type.Optional(
    OneOf(
      ['world', 'refuse', 'upstream'],
      'what answers requests that the recording does not have',
    ),
  ),
  at: Type.Optional(AtField),
  speed: Type.Optional(SpeedField),
  end: Type.Optional(EndField),
  epoch: Type.Optional(OneOf(['live', 'tape'], 'which times clients see')),
  delivery: Type.Optional(DeliveryField),
  mood: Type.Optional(
    OneOf([...MOOD_NAMES], 'kind of market after the tape; a usual market by default'),
  ),
  clock: Type.Optional(ClockStateField),
  now: Type.Optional(Type.Integer({ minimum: 0, description: 'first session time, ms' })),
  signatureTime: Type.Optional(
    OneOf(['machine', 'session'], 'the clock that a Timestamp refers to'),
  ),
  profile: Type.Optional(
    OneOf(['contract', 'raw'], 'raw: the perpetual venue itself, unsigned, at /info and /ws'),
  ),
  metering: Type.Optional(OneOf(['on', 'off'], 'whether limits and quotas are enforced')),
  journal: Type.Optional(JournalFields),
  idleS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_000_000,
      description:
        'drop the sandbox after this time without a request or a connection, s of the machine',
    }),
  ),
  questions: Type.Optional(Type.Record(Type.String(), Type.String())),
  strict: Type.Optional(
    Type.Boolean({
      description:
        'refuses what the contract does not literally allow: unknown, repeated and misspelled ' +
        'parameters, a signature in the body, a reused nonce, another content type',
    }),
  ),
  magic: Type.Optional(OneOf(['on', 'off'], 'magic values; on by default')),
  scenario: Type.Optional(
    Type.Union([Type.String(), ScenarioBody], {
      description: 'scenario that is on from the start',
    }),
  ),
  snapshot: Type.Optional(SnapshotFields),
})

export const sandboxCreate = controlOperation({
  id: 'sandbox.create',
  method: 'POST',
  path: '/sandboxes',
  title: 'Make a sandbox',
  about:
    "Options that you leave out are the server's. A sandbox made from a snapshot has the state " +
    'and the keys of the snapshot; if another sandbox has the same keys, use `baseUrl` to tell ' +
    'them apart. If a snapshot is too large for this body, make the sandbox without it, then ' +
    'restore it with `PUT …/snapshot`.',
  bodyBounds: { elements: 200_000, textLength: 256 << 10 },
  params: {
    body: Body,
  },
  examples: [
    { name: 'with a held clock', body: { name: 'mine', clock: 'held' } },
    {
      name: 'with faults and other answers',
      body: { name: 'faulty', scenario: 'stale-book', questions: { 'over-rate': 'retry-after' } },
    },
  ],
  data: Type.Object({
    id: Type.String(),
    baseUrl: Type.String(),
    wsBaseUrl: Type.String(),
    keys: Type.Object({ full: KeyRecord, partner: KeyRecord, sub: KeyRecord, bare: KeyRecord }),
    inviteToken: Type.String(),
  }),
  *answer({ body }, { registry, origin }) {
    const { scenario } = body
    const scenarios =
      scenario === undefined ? [] : [yield* resolveScenario(scenario, registry.library)]
    const state = body.snapshot ? yield* readSandboxState(body.snapshot) : null
    const sandbox = yield* awaited(createFrom(body, scenarios, state, registry))
    const base = `${origin}/s/${sandbox.id}`
    const { full, partner, sub, bare } = sandbox.keys
    return {
      id: sandbox.id,
      baseUrl: base,
      wsBaseUrl: base.replace(/^http/, 'ws'),
      keys: {
        full: keyRecord(full),
        partner: keyRecord(partner),
        sub: keyRecord(sub),
        bare: keyRecord(bare),
      },
      inviteToken: sandbox.inviteToken,
    }
  },
})

function createFrom(
  body: Static<typeof Body>,
  scenarios: readonly Scenario[],
  state: SandboxState | null,
  registry: Registry,
): Promise<Sandbox> {
  const { journal, idleS, scenario: _, snapshot: __, ...options } = body
  if (!state)
    return registry.create({
      ...options,
      ...journalOptions(journal),
      ...(idleS === undefined ? {} : { idleMs: idleS * 1000 }),
      ...(scenarios.length === 0 ? {} : { scenarios }),
    })
  const { name, tape, seed, ...own } = body
  const [surplus] = Object.keys(own).filter((field) => field !== 'snapshot')
  if (surplus !== undefined)
    throw new UserError(
      `${surplus} is what the snapshot says; beside it only name, tape and seed are allowed`,
    )
  return registry.copy(state, {
    ...(name === undefined ? {} : { name }),
    ...(tape === undefined ? {} : { tape }),
    ...(seed === undefined ? {} : { seed }),
  })
}

export const sandboxList = controlOperation({
  id: 'sandbox.list',
  method: 'GET',
  path: '/sandboxes',
  title: 'All sandboxes',
  params: { query: Type.Object({ ...PageFields.properties, usage: UsageField }) },
  data: Type.Array(SandboxRecord),
  answer: ({ query }, { registry }) => pageOf(registry.byId, query, usedRecord(query)),
})

export const sandboxGet = controlOperation({
  id: 'sandbox.get',
  method: 'GET',
  path: '/sandboxes/:id',
  title: 'A sandbox',
  params: { query: Type.Object({ usage: UsageField }) },
  data: SandboxRecord,
  answer: ({ query }, { sandbox }) => usedRecord(query)(sandbox()),
})

export const sandboxReset = controlOperation({
  id: 'sandbox.reset',
  method: 'POST',
  path: '/sandboxes/:id/reset',
  endsOthers: true,
  title: 'Reset a sandbox',
  about: 'Clock, playhead and state return to the time when it was made. Closes its connections.',
  data: SandboxRecord,
  *answer(_, { sandbox }) {
    const found = sandbox()
    found.reset()
    yield* scheduleInitialEvents(found)
    return sandboxRecord(found)
  },
})

export const sandboxDrop = controlOperation({
  id: 'sandbox.drop',
  method: 'DELETE',
  path: '/sandboxes/:id',
  dropsSandbox: true,
  endsOthers: true,
  title: 'Drop a sandbox',
  about: 'Closes its connections and removes its state. The default sandbox cannot be dropped.',
  examples: [{ name: 'the one made above', path: { id: 'mine' } }],
  data: Type.Object({ dropped: Type.String() }),
  *answer(_, { registry, sandbox }) {
    const { id } = sandbox()
    if (id === DEFAULT_SANDBOX_ID)
      throw new UserError('the default sandbox cannot be dropped; reset it instead')
    const dropped = registry.drop(id)
    if (dropped instanceof Promise) yield dropped
    return { dropped: id }
  },
})
