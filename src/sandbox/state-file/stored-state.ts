import type { StoredSandbox } from '../sandbox-store.ts'
import { parseSandboxState, STATE_FORMAT } from '../snapshot/sandbox-state.ts'
import type { PartKind } from '../snapshot/state-parts.ts'
import type { partTable, sandboxTable } from './tables.ts'

/** A sandbox from its rows; a UserError says what of them cannot be read. */
export function storedState(
  { id, version, world, options, from }: typeof sandboxTable.$inferSelect,
  rows: (typeof partTable.$inferSelect)[],
): StoredSandbox {
  const parts = Object.groupBy(rows, ({ kind }) => kind)
  const all = (kind: PartKind) => (parts[kind] ?? []).map(({ value }) => JSON.parse(value))
  const [progress] = all('progress')
  const [venueWeight = null] = all('venueWeight')
  const state = parseSandboxState({
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
  return { id, state, snapshot: from === null ? null : parseSandboxState(JSON.parse(from)) }
}
