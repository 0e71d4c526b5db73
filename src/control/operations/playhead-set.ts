import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../operation.ts'
import { AtField, End, SandboxRecord, SpeedField, sandboxRecord } from '../records.ts'

export const playheadSet = controlOperation({
  id: 'playhead.set',
  method: 'PUT',
  path: '/sandboxes/:id/playhead',
  title: 'Set speed, place and end behaviour',
  params: {
    body: Type.Object({
      at: Type.Optional(AtField),
      speed: Type.Optional(SpeedField),
      end: Type.Optional(End),
    }),
  },
  data: SandboxRecord,
  answer({ body }, { sandbox }) {
    const found = sandbox()
    found.player.catchUp()
    found.playhead.set(found.clock.nowMs(), {
      ...(body.at === undefined ? {} : { atMs: body.at }),
      ...(body.speed === undefined ? {} : { speed: body.speed }),
      ...(body.end === undefined ? {} : { end: body.end }),
    })
    found.player.reposition()
    return sandboxRecord(found)
  },
})
