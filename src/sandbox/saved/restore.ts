/** Puts a state into a sandbox that is on the world the state was taken of. */
import { scenarioInline } from '../../scenario/reading.ts'
import type { Sandbox } from '../sandbox.ts'
import type { FirstKeys } from '../tenancy/first-keys.ts'
import type { Key } from '../tenancy/key.ts'
import type { Wish } from '../wish.ts'
import type { SavedKey, SavedWish } from './schema.ts'
import type { SandboxState } from './state.ts'

/** In place of all that it holds; nobody may be connected yet. */
export function restore(sandbox: Sandbox, state: SandboxState): void {
  const { place } = state
  sandbox.clock.resume(place.clock)
  sandbox.playhead.resume(place.playhead)
  sandbox.player.reposition()
  sandbox.journal.set(place.journal)
  sandbox.trouble.clear()
  for (const { name, given, ...began } of place.scenarios ?? [])
    sandbox.trouble.put(scenarioInline(given, name), began)
  sandbox.alerts.resume(place.alertsGiven, state.alerts)
  sandbox.weights.resume(state.spending)
  refill(
    sandbox.marks,
    place.marks.map(({ mark, atMs }) => [mark, atMs]),
  )
  refill(
    sandbox.nonces,
    state.nonces.map(({ name, untilMs }) => [name, untilMs]),
  )
  const { full, partner, sub, bare } = place.first.keys
  const keys = { full: key(full), partner: key(partner), sub: key(sub), bare: key(bare) }
  Object.assign(sandbox, { keys: keys satisfies FirstKeys, inviteToken: place.first.inviteToken })
  restoreTenancy(sandbox, state)
}

/** How a sandbox was asked for, as it is asked for again. */
export function wishOf({ scenarios, ...made }: SavedWish): Wish {
  if (!scenarios) return made
  return { ...made, scenarios: scenarios.map(({ name, given }) => scenarioInline(given, name)) }
}

function restoreTenancy({ tenancy }: Sandbox, state: SandboxState): void {
  for (const shelf of [tenancy.keys, tenancy.distributors, tenancy.invites]) shelf.clear()
  tenancy.minted = state.place.minted
  for (const saved of state.keys) tenancy.addKey(key(saved))
  for (const { levels, accessKey, ...presets } of state.distributors) {
    const made = tenancy.addDistributor({ accessKey }, presets)
    for (const { level, config } of levels) made.levels.set(level, config)
  }
  for (const { token, presets, usedBy } of state.invites)
    tenancy.addInvite(token, presets).usedBy = usedBy
  tenancy.usage.resume(state.counts.map(({ name, ...count }) => [name, count]))
}

const key = ({ grants, ...saved }: SavedKey): Key => ({
  ...saved,
  grants: grants && new Set(grants),
})

function refill<K, V>(map: Map<K, V>, entries: Iterable<[K, V]>): void {
  map.clear()
  for (const [name, value] of entries) map.set(name, value)
}
