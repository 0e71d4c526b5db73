import { Complaint } from '../../complaint.ts'
import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../operation.ts'
import { ClockState, SandboxRecord, sandboxRecord } from '../records.ts'
import { settled } from '../settling.ts'

export const clockSet = controlOperation({
  id: 'clock.set',
  method: 'PUT',
  path: '/sandboxes/:id/clock',
  title: 'Run, hold or set the clock',
  about: 'Set forward, every alarm that falls due rings first. It cannot be set back.',
  params: {
    body: Type.Object({
      state: Type.Optional(ClockState),
      now: Type.Optional(Type.Integer({ minimum: 0, description: 'session time, ms' })),
    }),
  },
  data: SandboxRecord,
  async answer({ body }, { sandbox }) {
    const found = sandbox()
    const nowMs = Math.floor(found.clock.nowMs())
    if (body.now !== undefined && body.now < nowMs)
      throw new Complaint(`now must be ${nowMs} or later: a clock is not set back; use reset`)
    const to = {
      ...(body.state === undefined ? {} : { state: body.state }),
      ...(body.now === undefined ? {} : { nowMs: body.now }),
    }
    await found.clock.set(to, () => settled(found))
    found.player.catchUp()
    await found.clock.untilSignaturesDiffer()
    return sandboxRecord(found)
  },
})
