/** Actions of a story's steps, as calls of the control plane. */
import type { SandboxControl } from '../../../clients/control/control.ts'
import type { StoryAction } from './player.ts'

/** Runs them in sequence; throws at the first refusal. */
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

/** Reverts stories: scenarios are removed, and a market with events starts over. */
export async function cleared(control: SandboxControl): Promise<void> {
  const { events } = await control.market.events()
  if (events.length > 0) await control.reset()
  else await control.scenario.clear()
}
