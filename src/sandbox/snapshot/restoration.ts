/** Restores a sandbox from a saved state, on the world of that state. */

import type { SandboxOptions } from '../sandbox-config.ts'
import type { SandboxRun } from '../sandbox-run.ts'
import type { ApiKey } from '../tenancy/api-key.ts'
import type { Tenancy } from '../tenancy/tenancy.ts'
import { restoredScenario, type SandboxState } from './sandbox-state.ts'
import type { SavedKey, SavedOptions } from './state-schema.ts'

/** A run that continues from a state; there must be no connections yet. */
export function restored(run: SandboxRun, state: SandboxState): SandboxRun {
  const { progress } = state
  run.clock.restore(progress.clock)
  run.playhead.restore(progress.playhead)
  run.delivery.mode = progress.delivery ?? 'paced'
  run.player.reposition()
  run.faultInjection.remove()
  for (const { name, source, rules = [], ...startedAt } of progress.scenarios ?? [])
    run.faultInjection.add(restoredScenario({ name, source }), { startedAt, rules })
  run.marketEvents.restore(progress.marketEvents ?? [])
  run.venueWeight.restore(state.venueWeight)
  restoreTenants(run, state)
  run.bookmarks.clear()
  for (const { bookmark, atMs } of progress.bookmarks) run.bookmarks.set(bookmark, atMs)
  const { full, partner, sub, bare } = progress.initialKeys
  return {
    ...run,
    nonces: new Map(state.nonces.map(({ name, untilMs }) => [name, untilMs])),
    keys: {
      full: apiKeyOf(full),
      partner: apiKeyOf(partner),
      sub: apiKeyOf(sub),
      bare: apiKeyOf(bare),
    },
    inviteToken: progress.inviteToken,
  }
}

/** Replaces keys, levels, invites, usage and alerts by the saved ones. */
export function restoreTenants(
  { alerts, tenancy }: Pick<SandboxRun, 'alerts' | 'tenancy'>,
  state: SandboxState,
): void {
  alerts.restore(state.progress.lastAlertId, state.alerts)
  restoreTenancy(tenancy, state)
}

/** The options of a sandbox, to make it again. */
export function optionsOf({ scenarios, ...options }: SavedOptions): SandboxOptions {
  if (!scenarios) return options
  return { ...options, scenarios: scenarios.map(restoredScenario) }
}

function restoreTenancy(tenancy: Tenancy, state: SandboxState): void {
  tenancy.clear()
  tenancy.mintedCount = state.progress.mintedCount
  for (const saved of state.keys) tenancy.addKey(apiKeyOf(saved))
  for (const { levels, accessKey, ...presets } of state.distributors) {
    const distributor = tenancy.addDistributor({ accessKey }, presets)
    for (const { level, config } of levels) tenancy.putLevel(distributor, level, config)
  }
  for (const { token, presets, usedBy } of state.invites)
    tenancy.addInvite(token, presets).usedBy = usedBy
  tenancy.usage.restore(state.usage.map(({ name, ...count }) => [name, count]))
}

/** A key as it was stored. */
export const apiKeyOf = ({ grants, ...saved }: SavedKey): ApiKey => ({
  ...saved,
  grants: grants && new Set(grants),
})
