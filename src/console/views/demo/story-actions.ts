/** What the steps of a story do, as calls of the control plane. */
import type { SandboxControl } from '../../../control-client/control.ts'
import type { StoryAction } from '../../story/player.ts'

/** Carries them out one after another; throws at the first that is refused. */
export async function carryOut(
  control: SandboxControl,
  actions: readonly StoryAction[],
): Promise<void> {
  for (const { market, scenario, calm, speed } of actions) {
    if (calm) await control.scenario.clear()
    if (scenario !== undefined) await control.scenario.add({ name: scenario })
    if (speed !== undefined) await control.playhead.set({ speed })
    if (market !== undefined) await control.market.trigger(market as never)
  }
}

/**
 * Takes back what stories have done: scenarios come off, and where the market was told anything
 * it begins anew.
 */
export async function cleared(control: SandboxControl): Promise<void> {
  const { events } = await control.market.events()
  if (events.length > 0) await control.reset()
  else await control.scenario.clear()
}
