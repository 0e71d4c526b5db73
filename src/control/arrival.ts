/** Moving the playhead to something that is yet to happen. */
import { Complaint } from '../complaint.ts'
import { type Static, Type } from '../contract/schema.ts'
import type { Condition, Fields } from '../sandbox/condition.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { fieldsOf, upcoming } from '../sandbox/upcoming.ts'
import { SandboxRecord, sandboxRecord } from './records.ts'
import { settled } from './settling.ts'

export const Arrival = Type.Object({
  happened: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'what happens there',
  }),
  sandbox: SandboxRecord,
})

/** Moves the clock until the first happening that fits has come; a Complaint when there is none. */
export async function arriveAt(
  sandbox: Sandbox,
  fits: Condition,
  withinMs = sandbox.playhead.lapMs,
): Promise<Static<typeof Arrival>> {
  const { playhead, clock, stage, player } = sandbox
  if (playhead.speed === 0 || playhead.speed === 'max')
    throw new Complaint(
      `the playhead must move at a number above 0, its speed is ${playhead.speed}`,
    )
  player.catchUp()
  const nowMs = clock.nowMs()
  const fromMs = playhead.travelled(nowMs)
  for (const { travelledMs, happening } of upcoming(
    stage.story,
    playhead,
    fromMs,
    fromMs + withinMs,
  )) {
    const fields = fieldsOf(happening).find(fits)
    if (!fields) continue
    const whenMs = playhead.sessionMsOf(travelledMs) ?? nowMs
    await clock.advance(Math.max(0, Math.ceil(whenMs - nowMs)), () => settled(sandbox))
    player.catchUp()
    await clock.untilSignaturesDiffer()
    return { happened: { ...(fields as Fields) }, sandbox: sandboxRecord(sandbox) }
  }
  throw new Complaint(`nothing like that happens within ${withinMs} ms of the tape`)
}
