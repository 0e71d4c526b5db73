/** The parts of a sandbox's state by kind and id, each as JSON. */
import type { Journal } from '../journal/journal.ts'
import type { LoadedWorld } from '../loaded-world.ts'
import type { SandboxConfig } from '../sandbox-config.ts'
import type { SandboxRun } from '../sandbox-run.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import type { InitialKeys } from '../tenancy/initial-tenancy.ts'
import type { Distributor } from '../tenancy/tenancy.ts'
import {
  parseSandboxState,
  type SandboxState,
  STATE_FORMAT,
  STATE_VERSION,
} from './sandbox-state.ts'
import type { SavedDistributor, SavedKey, SavedOptions, SavedProgress } from './state-schema.ts'

export type PartKind =
  | 'progress'
  | 'key'
  | 'distributor'
  | 'invite'
  | 'alert'
  | 'usage'
  | 'nonce'
  | 'venueWeight'

/** The source of a sandbox's state. */
export interface SnapshotSource extends SandboxRun {
  readonly id: string
  readonly config: SandboxConfig
  readonly world: Pick<LoadedWorld, 'id'>
  readonly journal: Journal
}

interface PartReader {
  ids(sandbox: SnapshotSource): Iterable<string>
  /** undefined when there is none of that id. */
  read(sandbox: SnapshotSource, id: string): object | undefined
}

/** The id of a part that exists once. */
export const SINGLE_ID = ''

export const STATE_PARTS: Readonly<Record<PartKind, PartReader>> = {
  progress: { ids: () => [SINGLE_ID], read: savedProgressOf },
  key: {
    ids: ({ tenancy }) => tenancy.keys.keys(),
    read: ({ tenancy }, id) => mapDefined(tenancy.keys.get(id), savedKey),
  },
  distributor: {
    ids: ({ tenancy }) => tenancy.distributors.keys(),
    read: ({ tenancy }, id) => mapDefined(tenancy.distributors.get(id), savedDistributor),
  },
  invite: {
    ids: ({ tenancy }) => tenancy.invites.keys(),
    read: ({ tenancy }, id) => mapDefined(tenancy.invites.get(id), (invite) => ({ ...invite })),
  },
  alert: {
    ids: ({ alerts }) => alerts.list().map(({ id }) => String(id)),
    read: ({ alerts }, id) => alerts.get(Number(id)),
  },
  usage: {
    ids: ({ tenancy }) => tenancy.usage.names(),
    read: ({ tenancy }, name) => {
      const count = tenancy.usage.countOf(name)
      // Reading a count creates it: an empty one is not stored.
      return count && count.inMonth + count.inMinute > 0 ? { name, ...count } : undefined
    },
  },
  nonce: {
    ids: ({ nonces }) => nonces.keys(),
    read: ({ nonces }, name) => mapDefined(nonces.get(name), (untilMs) => ({ name, untilMs })),
  },
  venueWeight: {
    ids: () => [SINGLE_ID],
    read: ({ venueWeight }) => venueWeight.saved ?? undefined,
  },
}

/** The state of a sandbox. */
export function sandboxStateOf(sandbox: SnapshotSource): SandboxState {
  const all = (kind: PartKind) =>
    [...STATE_PARTS[kind].ids(sandbox)].flatMap((id) => STATE_PARTS[kind].read(sandbox, id) ?? [])
  const state = {
    format: STATE_FORMAT,
    version: STATE_VERSION,
    world: sandbox.world.id,
    options: savedOptionsOf(sandbox),
    progress: savedProgressOf(sandbox),
    keys: all('key'),
    distributors: all('distributor'),
    invites: all('invite'),
    alerts: sandbox.alerts.list(),
    usage: all('usage'),
    nonces: all('nonce'),
    venueWeight: sandbox.venueWeight.saved,
  }
  return state as SandboxState
}

/** A stored part of a state: its value is JSON. */
export interface StoredPart {
  kind: string
  value: string
}

/** The state of stored parts, in order of creation; a UserError names an unreadable one. */
export function stateOfParts(
  { version, world, options }: { version: number; world: string; options: string },
  stored: readonly StoredPart[],
): SandboxState {
  const parts = Object.groupBy(stored, ({ kind }) => kind)
  const all = (kind: PartKind) => (parts[kind] ?? []).map(({ value }) => JSON.parse(value))
  const [progress] = all('progress')
  const [venueWeight = null] = all('venueWeight')
  return parseSandboxState({
    format: STATE_FORMAT,
    version,
    world,
    options: JSON.parse(options),
    progress,
    venueWeight,
    keys: all('key'),
    distributors: all('distributor'),
    invites: all('invite'),
    alerts: all('alert'),
    usage: all('usage'),
    nonces: all('nonce'),
  })
}

/** The options of a sandbox, under its first name. */
export function savedOptionsOf({ config }: Pick<SnapshotSource, 'config'>): SavedOptions {
  const { scenarios, ...options } = config.options
  return {
    ...options,
    ...(scenarios ? { scenarios: scenarios.map(({ name, source }) => ({ name, source })) } : {}),
    name: config.origin,
    identitySeed: config.identitySeed,
    questions: { ...config.answers },
  }
}

/** The progress of a sandbox: time, market, scenarios, and counters. */
export function savedProgressOf(sandbox: SnapshotSource): SavedProgress {
  const {
    clock,
    playhead,
    delivery,
    bookmarks,
    journal,
    faultInjection,
    marketEvents,
    tenancy,
    alerts,
    keys,
    inviteToken,
  } = sandbox
  return {
    clock: clock.saved,
    playhead: playhead.saved,
    delivery: delivery.mode,
    bookmarks: [...bookmarks].map(([bookmark, atMs]) => ({ bookmark, atMs })),
    journal: journal.settings,
    scenarios: faultInjection.activeScenarios.map(
      ({ scenario: { name, source }, startedAt, rules }) => ({ name, source, ...startedAt, rules }),
    ),
    marketEvents: marketEvents.saved,
    mintedCount: tenancy.mintedCount,
    lastAlertId: alerts.lastId,
    initialKeys: savedInitialKeys(keys),
    inviteToken,
  }
}

const savedInitialKeys = ({ full, partner, sub, bare }: InitialKeys) => ({
  full: savedKey(full),
  partner: savedKey(partner),
  sub: savedKey(sub),
  bare: savedKey(bare),
})

const savedKey = ({ grants, ...key }: ApiKey): SavedKey => ({
  ...key,
  grants: grants && [...grants],
})

const savedDistributor = ({ levels, ...distributor }: Distributor): SavedDistributor => ({
  ...distributor,
  levels: [...levels].map(([level, config]) => ({ level, config })),
})

const mapDefined = <T, U>(value: T | undefined, map: (value: T) => U): U | undefined =>
  value === undefined ? undefined : map(value)
