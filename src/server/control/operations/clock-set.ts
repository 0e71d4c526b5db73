import type { BackPressure } from '../../../clock/clock-move.ts'
import type { SessionClock } from '../../../clock/session-clock.ts'
import { Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { controlOperation } from '../control-operation.ts'
import { ClockStateField, SandboxRecord, sandboxRecord } from '../sandbox-record.ts'
import { ForceField, moveTime } from '../time-move.ts'

export const clockSet = controlOperation({
  id: 'clock.set',
  method: 'PUT',
  path: '/sandboxes/:id/clock',
  movesTime: true,
  title: 'Run, hold or set the clock',
  about:
    'If you set the clock forward, every due alarm fires first, and the market moves with the ' +
    'clock; clock/advance can leave the market at its instant. A clock cannot be set back.',
  params: {
    body: Type.Object({
      state: Type.Optional(ClockStateField),
      now: Type.Optional(Type.Integer({ minimum: 0, description: 'session time, ms' })),
      force: Type.Optional(ForceField),
    }),
  },
  examples: [{ name: 'held', body: { state: 'held' } }],
  data: SandboxRecord,
  *answer({ body }, call) {
    const found = call.sandbox()
    const nowMs = Math.floor(found.clock.nowMs())
    if (body.now !== undefined && body.now < nowMs)
      throw new UserError(`now must be ${nowMs} or later: a clock cannot be set back; use reset`)
    const to = {
      ...(body.state === undefined ? {} : { state: body.state }),
      ...(body.now === undefined ? {} : { nowMs: body.now }),
    }
    const { force } = body
    const move = (clock: SessionClock, backPressure: BackPressure) =>
      clock.setting(to, backPressure)
    yield* moveTime(call, to, move, { force })
    return sandboxRecord(found)
  },
})
