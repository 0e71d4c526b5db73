/** A sandbox as it was kept, on the world that its state was taken of. */
import { parseScenario } from '../../scenario/scenario-parser.ts'
import type { SandboxOptions } from '../sandbox-options.ts'
import type { SandboxRun } from '../sandbox-run.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import type { Tenancy } from '../tenancy/tenancy.ts'
import type { SandboxState } from './sandbox-state.ts'
import type { SavedKey, SavedOptions } from './state-schema.ts'

/** A run that goes on from a state, in place of all that it holds; nobody may be connected yet. */
export function restored(run: SandboxRun, state: SandboxState): SandboxRun {
  const { place } = state
  run.clock.restore(place.clock)
  run.playhead.restore(place.playhead)
  run.player.reposition()
  run.faultInjection.remove()
  for (const { name, given, ...began } of place.scenarios ?? [])
    run.faultInjection.add(parseScenario(given, name), began)
  run.alerts.restore(place.alertsGiven, state.alerts)
  run.venueWeight.restore(state.spending)
  restoreTenancy(run.tenancy, state)
  const { full, partner, sub, bare } = place.first.keys
  return {
    ...run,
    bookmarks: new Map(place.bookmarks.map(({ bookmark, atMs }) => [bookmark, atMs])),
    nonces: new Map(state.nonces.map(({ name, untilMs }) => [name, untilMs])),
    keys: {
      full: apiKeyOf(full),
      partner: apiKeyOf(partner),
      sub: apiKeyOf(sub),
      bare: apiKeyOf(bare),
    },
    inviteToken: place.first.inviteToken,
  }
}

/** How a sandbox was asked for, as it is asked for again. */
export function optionsOf({ scenarios, ...made }: SavedOptions): SandboxOptions {
  if (!scenarios) return made
  return { ...made, scenarios: scenarios.map(({ name, given }) => parseScenario(given, name)) }
}

function restoreTenancy(tenancy: Tenancy, state: SandboxState): void {
  for (const shelf of [tenancy.keys, tenancy.distributors, tenancy.invites]) shelf.clear()
  tenancy.mintedCount = state.place.minted
  for (const saved of state.keys) tenancy.addKey(apiKeyOf(saved))
  for (const { levels, accessKey, ...presets } of state.distributors) {
    const made = tenancy.addDistributor({ accessKey }, presets)
    for (const { level, config } of levels) made.levels.set(level, config)
  }
  for (const { token, presets, usedBy } of state.invites)
    tenancy.addInvite(token, presets).usedBy = usedBy
  tenancy.usage.restore(state.counts.map(({ name, ...count }) => [name, count]))
}

const apiKeyOf = ({ grants, ...saved }: SavedKey): ApiKey => ({
  ...saved,
  grants: grants && new Set(grants),
})
