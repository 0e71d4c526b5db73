/** Moving the playhead to an event that is yet to come. */

import { type Static, Type } from '../contract/schema.ts'
import type { EventCondition, EventFields } from '../sandbox/event-condition.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { eventFieldsOf, upcomingEvents } from '../sandbox/upcoming-events.ts'
import { UserError } from '../user-error.ts'
import { waitForSubscribers } from './back-pressure.ts'
import { SandboxRecord, sandboxRecord } from './sandbox-record.ts'

export const EventReached = Type.Object({
  event: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'the event',
  }),
  sandbox: SandboxRecord,
})

/** Moves the clock until the first event that matches has come; a UserError when there is none. */
export async function runToEvent(
  sandbox: Sandbox,
  condition: EventCondition,
  withinMs = sandbox.playhead.lapMs,
): Promise<Static<typeof EventReached>> {
  const { playhead, clock, world, player } = sandbox
  if (playhead.speed === 0 || playhead.speed === 'max')
    throw new UserError(
      `the playhead must move at a number above 0, its speed is ${playhead.speed}`,
    )
  player.settle()
  const nowMs = clock.nowMs()
  const fromMs = playhead.travelledAt(nowMs)
  for (const { travelledMs, event } of upcomingEvents(
    world.timeline,
    playhead,
    fromMs,
    fromMs + withinMs,
  )) {
    const fields = eventFieldsOf(event).find(condition)
    if (!fields) continue
    const whenMs = playhead.sessionMsOf(travelledMs) ?? nowMs
    await clock.advance(Math.max(0, Math.ceil(whenMs - nowMs)), () => waitForSubscribers(sandbox))
    player.catchUp()
    await clock.waitUntilSignaturesDiffer()
    return { event: { ...(fields as EventFields) }, sandbox: sandboxRecord(sandbox) }
  }
  throw new UserError(`no such event within ${withinMs} ms of the tape`)
}
