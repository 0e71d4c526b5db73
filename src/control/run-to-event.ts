/** Moving the playhead to something that is yet to happen. */

import { type Static, Type } from '../contract/schema.ts'
import type { EventCondition, EventFields } from '../sandbox/event-condition.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { eventFieldsOf, upcomingEvents } from '../sandbox/upcoming-events.ts'
import { UserError } from '../user-error.ts'
import { waitForSubscribers } from './back-pressure.ts'
import { SandboxRecord, sandboxRecord } from './sandbox-record.ts'

export const EventReached = Type.Object({
  happened: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'what happens there',
  }),
  sandbox: SandboxRecord,
})

/** Moves the clock until the first happening that fits has come; a UserError when there is none. */
export async function runToEvent(
  sandbox: Sandbox,
  fits: EventCondition,
  withinMs = sandbox.playhead.lapMs,
): Promise<Static<typeof EventReached>> {
  const { playhead, clock, world, player } = sandbox
  if (playhead.speed === 0 || playhead.speed === 'max')
    throw new UserError(
      `the playhead must move at a number above 0, its speed is ${playhead.speed}`,
    )
  player.catchUp()
  const nowMs = clock.nowMs()
  const fromMs = playhead.travelledAt(nowMs)
  for (const { travelledMs, event } of upcomingEvents(
    world.timeline,
    playhead,
    fromMs,
    fromMs + withinMs,
  )) {
    const fields = eventFieldsOf(event).find(fits)
    if (!fields) continue
    const whenMs = playhead.sessionMsOf(travelledMs) ?? nowMs
    await clock.advance(Math.max(0, Math.ceil(whenMs - nowMs)), () => waitForSubscribers(sandbox))
    player.catchUp()
    await clock.waitUntilSignaturesDiffer()
    return { happened: { ...(fields as EventFields) }, sandbox: sandboxRecord(sandbox) }
  }
  throw new UserError(`nothing like that happens within ${withinMs} ms of the tape`)
}
