/** Moving the playhead to an event that is yet to come. */

import type { Slices } from '../../clock/turns.ts'
import { type Static, Type } from '../../contract/schema.ts'
import { UserError } from '../../platform/user-error.ts'
import type { EventCondition, EventFields } from '../../sandbox/event-condition.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { eventFieldsOf, upcomingEvents } from '../../sandbox/timeline-run.ts'
import type { ControlCall } from './control-call.ts'
import { SandboxRecord, sandboxRecord } from './sandbox-record.ts'
import { moveTime } from './time-move.ts'

/** Tape time that may be looked through at most: a week. */
export const SEARCH_MAX_MS = 7 * 86_400_000

export const EventReached = Type.Object(
  {
    event: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'the event',
    }),
    sandbox: SandboxRecord,
  },
  { title: 'EventReached' },
)

/** Moves the clock until the first event that matches has come; a UserError when there is none. */
export function* runToEvent(
  call: ControlCall,
  condition: EventCondition,
  withinMs?: number,
): Slices<Static<typeof EventReached>> {
  const sandbox = call.sandbox()
  const { playhead, clock, player } = sandbox
  if (playhead.speed === 0 || playhead.speed === 'max')
    throw new UserError(
      `the playhead must move at a number above 0, its speed is ${playhead.speed}`,
    )
  player.settle()
  const found = yield* searchEvent(sandbox, condition, withinMs, call.checkWanted)
  player.settle()
  const nowMs = clock.nowMs()
  const whenMs = playhead.sessionMsOf(found.travelledMs) ?? nowMs
  const byMs = Math.max(0, Math.ceil(whenMs - nowMs))
  yield* moveTime(call, { nowMs: nowMs + byMs }, (_, backPressure) =>
    clock.advancing(byMs, backPressure),
  )
  return { event: { ...found.fields }, sandbox: sandboxRecord(sandbox) }
}

interface FoundEvent {
  /** Tape time travelled since the first lap began. */
  travelledMs: number
  fields: EventFields
}

/** The next event that matches; a UserError when there is none. */
function* searchEvent(
  { playhead, clock, world }: Sandbox,
  condition: EventCondition,
  withinMs: number | undefined,
  checkWanted: () => void,
): Slices<FoundEvent> {
  const { lapMs } = playhead
  const askedMs = withinMs ?? Math.min(lapMs, SEARCH_MAX_MS)
  // Each lap brings the same events: what one of them does not have, none has.
  const lengthMs = playhead.end === 'loop' ? Math.min(askedMs, lapMs) : askedMs
  const fromMs = playhead.travelledAt(clock.nowMs())
  for (const upcoming of upcomingEvents(world, playhead, fromMs, fromMs + lengthMs)) {
    const isPlace = upcoming === null || upcoming instanceof Promise
    yield isPlace ? (upcoming ?? undefined) : undefined
    checkWanted()
    if (isPlace) continue
    const fields = eventFieldsOf(upcoming.event).find(condition)
    if (fields) return { travelledMs: upcoming.travelledMs, fields }
  }
  const laps = lengthMs < askedMs ? `: a lap of ${lapMs} ms has none, and all laps are alike` : ''
  throw new UserError(`no such event within ${askedMs} ms of the tape${laps}`)
}
