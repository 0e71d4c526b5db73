import { OneOf, type Static, Type } from '../../contract/schema.ts'
import { MOOD_NAMES } from '../../market/synth/mood.ts'
import type { Registry } from '../../sandbox/registry.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { parseSandboxState } from '../../sandbox/snapshot/sandbox-state.ts'
import { UserError } from '../../user-error.ts'
import { controlOperation } from '../control-operation.ts'
import { JournalFields, journalOptions } from '../journal-records.ts'
import {
  AtField,
  ClockStateField,
  DeliveryField,
  EndField,
  KeyRecord,
  keyRecord,
  SpeedField,
} from '../sandbox-record.ts'
import { resolveScenario, ScenarioBody } from '../scenario-fields.ts'
import { SnapshotFields } from '../snapshot-fields.ts'

const Body = Type.Object({
  name: Type.Optional(Type.String({ description: 'its id; a free one is chosen if left out' })),
  tape: Type.Optional(Type.String({ description: 'name of a tape in recordings/' })),
  seed: Type.Optional(Type.Integer()),
  replay: Type.Optional(
    Type.String({
      description:
        'recording to serve back: in recordings/, or the one the server was started with',
    }),
  ),
  miss: Type.Optional(
    OneOf(['world', 'refuse', 'upstream'], 'where comes from what the recording does not have'),
  ),
  at: Type.Optional(AtField),
  speed: Type.Optional(SpeedField),
  end: Type.Optional(EndField),
  epoch: Type.Optional(OneOf(['live', 'tape'], 'which times clients are shown')),
  delivery: Type.Optional(DeliveryField),
  mood: Type.Optional(
    OneOf([...MOOD_NAMES], 'how the market goes on after its tape; as usual when it is left out'),
  ),
  clock: Type.Optional(ClockStateField),
  now: Type.Optional(Type.Integer({ minimum: 0, description: 'first session time, ms' })),
  signatureTime: Type.Optional(OneOf(['machine', 'session'], 'whose time a Timestamp names')),
  profile: Type.Optional(
    OneOf(['contract', 'raw'], 'raw: the perpetual venue itself, unsigned, at /info and /ws'),
  ),
  metering: Type.Optional(OneOf(['on', 'off'], 'whether limits and quotas are enforced')),
  journal: Type.Optional(JournalFields),
  idleS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_000_000,
      description: 'dropped after so long without a request or a connection, s of the machine',
    }),
  ),
  questions: Type.Optional(Type.Record(Type.String(), Type.String())),
  magic: Type.Optional(OneOf(['on', 'off'], 'whether magic values work; on by default')),
  scenario: Type.Optional(
    Type.Union([Type.String(), ScenarioBody], { description: 'that is on from the start' }),
  ),
  snapshot: Type.Optional(SnapshotFields),
})

export const sandboxCreate = controlOperation({
  id: 'sandbox.create',
  method: 'POST',
  path: '/sandboxes',
  title: 'Make a sandbox',
  about:
    'What is left out is as the server was started. Made from a snapshot, it is as the snapshot ' +
    'says and has its keys; while another sandbox has the same ones, `baseUrl` tells them apart. ' +
    'A snapshot that is too large for a body is put into a sandbox that was made without it.',
  params: {
    body: Body,
  },
  examples: [
    { name: 'with a clock that stands', body: { name: 'mine', clock: 'held' } },
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
  async answer({ body }, { registry, origin }) {
    const sandbox = await createFrom(body, registry)
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

function createFrom(body: Static<typeof Body>, registry: Registry): Promise<Sandbox> {
  const { journal, idleS, scenario, snapshot, ...options } = body
  if (!snapshot)
    return registry.create({
      ...options,
      ...journalOptions(journal),
      ...(idleS === undefined ? {} : { idleMs: idleS * 1000 }),
      ...(scenario === undefined
        ? {}
        : { scenarios: [resolveScenario(scenario, registry.library)] }),
    })
  const { name, tape, seed, ...own } = body
  const [surplus] = Object.keys(own).filter((field) => field !== 'snapshot')
  if (surplus !== undefined)
    throw new UserError(
      `${surplus} is what the snapshot says; beside it only name, tape and seed are allowed`,
    )
  return registry.copy(parseSandboxState(snapshot), {
    ...(name === undefined ? {} : { name }),
    ...(tape === undefined ? {} : { tape }),
    ...(seed === undefined ? {} : { seed }),
  })
}
