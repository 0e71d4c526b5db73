/** A sandbox taken apart: every part of its state by kind and id, each as JSON. */
import type { Journal } from '../journal/journal.ts'
import type { Run } from '../run.ts'
import type { Stage } from '../stage.ts'
import type { Distributor } from '../tenancy/distributor.ts'
import type { FirstKeys } from '../tenancy/first-keys.ts'
import type { Key } from '../tenancy/key.ts'
import type { Terms } from '../terms.ts'
import type { SavedDistributor, SavedKey, SavedPlace, SavedWish } from './schema.ts'
import { type SandboxState, STATE_FORMAT, STATE_VERSION } from './state.ts'

export type PartKind =
  | 'place'
  | 'key'
  | 'distributor'
  | 'invite'
  | 'alert'
  | 'count'
  | 'nonce'
  | 'spending'

/** What is kept of a sandbox follows from these. */
export interface Savable extends Run {
  readonly id: string
  readonly terms: Terms
  readonly stage: Pick<Stage, 'id'>
  readonly journal: Journal
}

interface Part {
  ids(sandbox: Savable): Iterable<string>
  /** undefined when there is none of that id. */
  take(sandbox: Savable, id: string): object | undefined
}

/** The only id of a part of which there is one. */
export const ONLY = ''

export const PARTS: Readonly<Record<PartKind, Part>> = {
  place: { ids: () => [ONLY], take: placeOf },
  key: {
    ids: ({ tenancy }) => tenancy.keys.keys(),
    take: ({ tenancy }, id) => mapped(tenancy.keys.get(id), savedKey),
  },
  distributor: {
    ids: ({ tenancy }) => tenancy.distributors.keys(),
    take: ({ tenancy }, id) => mapped(tenancy.distributors.get(id), savedDistributor),
  },
  invite: {
    ids: ({ tenancy }) => tenancy.invites.keys(),
    take: ({ tenancy }, id) => tenancy.invites.get(id),
  },
  alert: {
    ids: ({ alerts }) => alerts.list().map(({ id }) => String(id)),
    take: ({ alerts }, id) => alerts.get(Number(id)),
  },
  count: {
    ids: ({ tenancy }) => tenancy.usage.names(),
    take: ({ tenancy }, name) => {
      const count = tenancy.usage.last(name)
      // Looking at a count makes one: nothing counted is none.
      return count && count.inMonth + count.inMinute > 0 ? { name, ...count } : undefined
    },
  },
  nonce: {
    ids: ({ nonces }) => nonces.keys(),
    take: ({ nonces }, name) => mapped(nonces.get(name), (untilMs) => ({ name, untilMs })),
  },
  spending: { ids: () => [ONLY], take: ({ weights }) => weights.saved ?? undefined },
}

/** The state of a sandbox. */
export function stateOf(sandbox: Savable): SandboxState {
  const all = (kind: PartKind) =>
    [...PARTS[kind].ids(sandbox)].flatMap((id) => PARTS[kind].take(sandbox, id) ?? [])
  const state = {
    format: STATE_FORMAT,
    version: STATE_VERSION,
    world: sandbox.stage.id,
    made: madeOf(sandbox),
    place: placeOf(sandbox),
    keys: all('key'),
    distributors: all('distributor'),
    invites: all('invite'),
    alerts: all('alert'),
    counts: all('count'),
    nonces: all('nonce'),
    spending: sandbox.weights.saved,
  }
  return state as SandboxState
}

/** How a sandbox was asked for, under its first name. */
export function madeOf({ terms }: Pick<Savable, 'terms'>): SavedWish {
  const { scenarios, ...wish } = terms.wish
  return {
    ...wish,
    ...(scenarios ? { scenarios: scenarios.map(({ name, given }) => ({ name, given })) } : {}),
    name: terms.origin,
    chance: terms.chance,
    questions: { ...terms.answers },
  }
}

function placeOf(sandbox: Savable): SavedPlace {
  const { clock, playhead, marks, journal, trouble, tenancy, alerts, keys, inviteToken } = sandbox
  return {
    clock: clock.saved,
    playhead: playhead.saved,
    marks: [...marks].map(([mark, atMs]) => ({ mark, atMs })),
    journal: journal.settings,
    scenarios: trouble.standing.map(({ scenario: { name, given }, began }) => ({
      name,
      given,
      ...began,
    })),
    minted: tenancy.minted,
    alertsGiven: alerts.given,
    first: { keys: savedFirst(keys), inviteToken },
  }
}

const savedFirst = ({ full, partner, sub, bare }: FirstKeys) => ({
  full: savedKey(full),
  partner: savedKey(partner),
  sub: savedKey(sub),
  bare: savedKey(bare),
})

const savedKey = ({ grants, ...key }: Key): SavedKey => ({
  ...key,
  grants: grants && [...grants],
})

const savedDistributor = ({ levels, ...distributor }: Distributor): SavedDistributor => ({
  ...distributor,
  levels: [...levels].map(([level, config]) => ({ level, config })),
})

const mapped = <T, U>(value: T | undefined, map: (value: T) => U): U | undefined =>
  value === undefined ? undefined : map(value)
