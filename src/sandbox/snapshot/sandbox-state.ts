/** The state of a sandbox as one JSON value: all that clients and the control plane can change. */

import { runToEnd, type Slices } from '../../clock/turns.ts'
import { readBody } from '../../contract/parameter-reader.ts'
import { isRefusal } from '../../contract/refusal.ts'
import { refusalText } from '../../contract/refusal-forms.ts'
import { Nullable, type Static, type TObject, Type } from '../../contract/schema.ts'
import { UserError } from '../../platform/user-error.ts'
import { checkRules } from '../sandbox-config.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { parseScenario, scenarioOf } from '../scenario/scenario-parser.ts'
import {
  SavedAlert,
  SavedDistributor,
  SavedInvite,
  SavedKey,
  SavedNonce,
  SavedOptions,
  SavedProgress,
  SavedUsage,
  SavedVenueWeight,
} from './state-schema.ts'

export const STATE_FORMAT = 'tapewright-sandbox'

/** Version of the form; a state of another version is refused. */
export const STATE_VERSION = 2

/** The state contains secret keys; connections and the journal's entries are not part of it. */
export const SandboxState = Type.Object({
  format: Type.Literal(STATE_FORMAT),
  version: Type.Integer({ description: 'of this form' }),
  world: Type.String({ description: 'tape digest and seed' }),
  options: SavedOptions,
  progress: SavedProgress,
  keys: Type.Array(SavedKey),
  distributors: Type.Array(SavedDistributor),
  invites: Type.Array(SavedInvite),
  alerts: Type.Array(SavedAlert),
  usage: Type.Array(SavedUsage),
  nonces: Type.Array(SavedNonce),
  venueWeight: Nullable(SavedVenueWeight),
})
export type SandboxState = Static<typeof SandboxState>

/** Parses a state from outside; a UserError describes the first error. */
export const parseSandboxState = (given: unknown): SandboxState => runToEnd(readSandboxState(given))

/** Parses a state in slices. */
export function* readSandboxState(given: unknown): Slices<SandboxState> {
  checkForm(given)
  const state: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(SandboxState.properties)) {
    const value = (given as Record<string, unknown>)[name]
    const field = Type.Object({ [name]: schema })
    state[name] = Array.isArray(value)
      ? yield* readList(field, name, value)
      : readField(field, name, value)
    yield
  }
  const read = state as SandboxState
  const scenarios: Scenario[] = []
  for (const saved of read.progress.scenarios ?? []) scenarios.push(yield* savedScenarioOf(saved))
  for (const saved of read.options.scenarios ?? []) yield* savedScenarioOf(saved)
  checkRules(scenarios)
  return read
}

/** Number of entries of a list checked at once. */
const ENTRIES_PER_SLICE = 100

function* readList(field: TObject, name: string, entries: readonly unknown[]): Slices<unknown[]> {
  const read: unknown[] = []
  for (let from = 0; from < entries.length; from += ENTRIES_PER_SLICE) {
    const some = entries.slice(from, from + ENTRIES_PER_SLICE)
    read.push(...(readField(field, name, some, from) as unknown[]))
    yield
  }
  return read
}

/** @param from index of the first entry in its list */
function readField(field: TObject, name: string, value: unknown, from = 0): unknown {
  const given = value === undefined ? {} : { [name]: value }
  const read = readBody(field, given, 'values')
  if (!isRefusal(read)) return (read as Record<string, unknown>)[name]
  const place = (whole: string, at: string) => whole.replace(at, String(Number(at) + from))
  const text = refusalText(read).replace(new RegExp(`\\b${name}\\.(\\d+)`), place)
  throw new UserError(`the snapshot is broken: ${text}`)
}

/** Throws for a value that is no snapshot, or has another version. */
function checkForm(given: unknown): void {
  const { format, version } = (given ?? {}) as Record<string, unknown>
  if (format === STATE_FORMAT && typeof version === 'number' && version > STATE_VERSION)
    throw new UserError(
      `the snapshot has version ${version}, this program reads up to ${STATE_VERSION}: ` +
        'use a newer program',
    )
  if (format === STATE_FORMAT && version !== STATE_VERSION)
    throw new UserError(
      `version of the snapshot must be ${STATE_VERSION}: it was written by an older program, ` +
        'begin a new one',
    )
  const unknown = Object.keys(given ?? {}).find((name) => !(name in SandboxState.properties))
  if (unknown !== undefined) throw new UserError(`a snapshot has no field "${unknown}"`)
  if (format !== STATE_FORMAT)
    throw new UserError(`this is not a snapshot of a sandbox: format must be "${STATE_FORMAT}"`)
}

/** Parsed scenarios by their source: each is parsed once, in slices. */
const readScenarios = new WeakMap<object, Scenario>()

interface SavedScenario {
  name: string
  source: unknown
}

function* savedScenarioOf({ name, source }: SavedScenario): Slices<Scenario> {
  const scenario = yield* scenarioOf(source, name)
  readScenarios.set(source as object, scenario)
  return scenario
}

/** The scenario of a state; it is parsed again only where the state did not come from outside. */
export function restoredScenario({ name, source }: SavedScenario): Scenario {
  const read = readScenarios.get(source as object)
  return read?.name === name ? read : parseScenario(source, name)
}
