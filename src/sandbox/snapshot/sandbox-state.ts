/** The state of a sandbox as one JSON value: all that clients and the control plane can change. */

import { readBody } from '../../contract/parameter-reader.ts'
import { isRefusal } from '../../contract/refusal.ts'
import { refusalText } from '../../contract/refusal-body.ts'
import { Nullable, type Static, Type } from '../../contract/schema.ts'
import { UserError } from '../../platform/user-error.ts'
import { checkRules } from '../sandbox-bounds.ts'
import { parseScenario } from '../scenario/scenario-parser.ts'
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

/** Raised when the form changes; a state of another version is refused. */
export const STATE_VERSION = 2

/** Secret keys are inside by nature. Connections and the journal's entries are not part of it. */
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

/** Reads a state that came from outside; a UserError says what is wrong with it. */
export function parseSandboxState(given: unknown): SandboxState {
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
  const read = readBody(SandboxState, given, 'values')
  if (isRefusal(read)) throw new UserError(`the snapshot is broken: ${refusalText(read)}`)
  const state = read as SandboxState
  checkRules(
    (state.progress.scenarios ?? []).map(({ name, source }) => parseScenario(source, name)),
  )
  return state
}
