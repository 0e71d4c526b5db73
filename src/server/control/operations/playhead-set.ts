import { tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import { Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { type EndBehaviour, placeIn } from '../../../sandbox/playhead.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { checkGrowth } from '../../../sandbox/sandbox-config.ts'
import { someNames } from '../../../sandbox/some-names.ts'
import { journalMove } from '../../../sandbox/tape-player.ts'
import { controlOperation } from '../control-operation.ts'
import {
  BookmarkField,
  DeliveryField,
  EndField,
  SandboxRecord,
  SpeedField,
  sandboxRecord,
} from '../sandbox-record.ts'
import { ForceField } from '../time-move.ts'

export const playheadSet = controlOperation({
  id: 'playhead.set',
  method: 'PUT',
  path: '/sandboxes/:id/playhead',
  movesTime: true,
  title: 'Set speed, position, end behaviour and delivery',
  about:
    'For a position after the end of the tape, the market is grown first. `continue` lets the ' +
    'market continue after its tape. `hold` stops it at the end, or at its present position ' +
    'after the end. `loop` starts the tape again: data of the previous lap is gone, ' +
    'subscribers receive snapshots, and the journal has an entry. Another position has the ' +
    'same effects.',
  params: {
    body: Type.Object({
      at: Type.Optional(BookmarkField),
      speed: Type.Optional(SpeedField),
      end: Type.Optional(EndField),
      delivery: Type.Optional(DeliveryField),
      force: Type.Optional(ForceField),
    }),
  },
  examples: [
    { name: 'ten times as fast', body: { speed: 10 } },
    { name: 'without losing frames', body: { delivery: 'lossless' } },
    { name: 'ten minutes after the start', body: { at: 600_000, end: 'continue' } },
  ],
  data: SandboxRecord,
  *answer({ body }, { sandbox, checkWanted }) {
    const found = sandbox()
    const at = tapeTimeOf(found, body.at)
    if (at !== undefined) yield* reach(found, at, body)
    checkWanted()
    let settling: Slices<void> | null = null
    const record = found.changes.keep(() => {
      found.player.catchUp()
      found.playhead.set(found.clock.nowMs(), {
        ...(at === undefined ? {} : { atMs: at }),
        ...(body.speed === undefined ? {} : { speed: body.speed }),
        ...(body.end === undefined ? {} : { end: body.end }),
      })
      if (body.delivery !== undefined) found.delivery.mode = body.delivery
      if (at === undefined) found.player.reposition()
      else {
        settling = found.player.seek()
        found.changes.tell([() => journalMove(found, 'seek')], null)
      }
      return sandboxRecord(found)
    })
    if (settling) yield* settling as Slices<void>
    return record
  },
})

/** Has the market grown as far as a position after its tape, and read what there is. */
function* reach(
  { world, playhead, player }: Sandbox,
  at: number,
  { end = playhead.end, force = false }: { end?: EndBehaviour; force?: boolean },
): Slices<void> {
  const atMs = placeIn(playhead.span, end, at)
  if (atMs > world.timeline.endMs) {
    checkGrowth(world, atMs, force)
    yield world.growth?.ensure(tapeMs(atMs))
  }
  yield* player.prepare(atMs)
}

/** Tape time of a position that is given as a time or a bookmark. */
function tapeTimeOf({ bookmarks }: Sandbox, at: number | string | undefined): number | undefined {
  if (typeof at !== 'string') return at
  const atMs = bookmarks.get(at)
  if (atMs !== undefined) return atMs
  throw new UserError(`no bookmark "${at}"; there are ${someNames(bookmarks)}`)
}
