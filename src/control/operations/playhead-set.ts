import { Type } from '../../contract/schema.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { someNames } from '../../sandbox/some-names.ts'
import { UserError } from '../../user-error.ts'
import { controlOperation } from '../control-operation.ts'
import {
  BookmarkField,
  EndField,
  SandboxRecord,
  SpeedField,
  sandboxRecord,
} from '../sandbox-record.ts'

export const playheadSet = controlOperation({
  id: 'playhead.set',
  method: 'PUT',
  path: '/sandboxes/:id/playhead',
  movesTime: true,
  title: 'Set speed, position and end behaviour',
  params: {
    body: Type.Object({
      at: Type.Optional(BookmarkField),
      speed: Type.Optional(SpeedField),
      end: Type.Optional(EndField),
    }),
  },
  examples: [
    { name: 'ten times as fast', body: { speed: 10 } },
    { name: 'ten minutes after the start', body: { at: 600_000, end: 'loop' } },
  ],
  data: SandboxRecord,
  answer({ body }, { sandbox }) {
    const found = sandbox()
    const at = tapeTimeOf(found, body.at)
    found.player.catchUp()
    found.playhead.set(found.clock.nowMs(), {
      ...(at === undefined ? {} : { atMs: at }),
      ...(body.speed === undefined ? {} : { speed: body.speed }),
      ...(body.end === undefined ? {} : { end: body.end }),
    })
    found.player.reposition()
    return sandboxRecord(found)
  },
})

/** Tape time of a position that is given as a time or a bookmark. */
function tapeTimeOf({ bookmarks }: Sandbox, at: number | string | undefined): number | undefined {
  if (typeof at !== 'string') return at
  const atMs = bookmarks.get(at)
  if (atMs !== undefined) return atMs
  throw new UserError(`no bookmark "${at}"; there are ${someNames(bookmarks)}`)
}
