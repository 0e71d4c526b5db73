/** A sandbox as it was kept, on the world that its state was taken of. */
import { scenarioInline } from '../../scenario/reading.ts'
import type { Run } from '../run.ts'
import type { Key } from '../tenancy/key.ts'
import type { Tenancy } from '../tenancy/tenancy.ts'
import type { Wish } from '../wish.ts'
import type { SavedKey, SavedWish } from './schema.ts'
import type { SandboxState } from './state.ts'

/** A run that goes on from a state, in place of all that it holds; nobody may be connected yet. */
export function restored(run: Run, state: SandboxState): Run {
  const { place } = state
  run.clock.resume(place.clock)
  run.playhead.resume(place.playhead)
  run.player.reposition()
  run.trouble.clear()
  for (const { name, given, ...began } of place.scenarios ?? [])
    run.trouble.put(scenarioInline(given, name), began)
  run.alerts.resume(place.alertsGiven, state.alerts)
  run.weights.resume(state.spending)
  restoreTenancy(run.tenancy, state)
  const { full, partner, sub, bare } = place.first.keys
  return {
    ...run,
    marks: new Map(place.marks.map(({ mark, atMs }) => [mark, atMs])),
    nonces: new Map(state.nonces.map(({ name, untilMs }) => [name, untilMs])),
    keys: { full: key(full), partner: key(partner), sub: key(sub), bare: key(bare) },
    inviteToken: place.first.inviteToken,
  }
}

/** How a sandbox was asked for, as it is asked for again. */
export function wishOf({ scenarios, ...made }: SavedWish): Wish {
  if (!scenarios) return made
  return { ...made, scenarios: scenarios.map(({ name, given }) => scenarioInline(given, name)) }
}

function restoreTenancy(tenancy: Tenancy, state: SandboxState): void {
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
