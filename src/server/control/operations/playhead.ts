/** Control calls about the playhead: the position of the market in the tape. */

import { tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import { OneOf, type Static, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import {
  CONDITION_COMPARISONS_MAX,
  CONDITION_DEPTH_MAX,
  CONDITION_LETTERS_MAX,
  type EventCondition,
  type EventFields,
  parseEventCondition,
} from '../../../sandbox/event-condition.ts'
import { type EndBehaviour, marksOf, placeIn } from '../../../sandbox/playhead.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { checkGrowth } from '../../../sandbox/sandbox-config.ts'
import { someNames } from '../../../sandbox/some-names.ts'
import { journalMove } from '../../../sandbox/tape-player.ts'
import { eventFieldsOf, upcomingEvents } from '../../../sandbox/timeline-run.ts'
import type { ControlCall } from '../control-call.ts'
import { controlOperation } from '../control-operation.ts'
import {
  BookmarkField,
  DeliveryField,
  EndField,
  SandboxRecord,
  SpeedField,
  sandboxRecord,
} from '../sandbox-record.ts'
import { ForceField, moveTime } from './clock.ts'

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
  *answer({ body }, { sandbox, checkActive }) {
    const found = sandbox()
    const at = tapeTimeOf(found, body.at)
    if (at !== undefined) yield* reach(found, at, body)
    checkActive()
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
        found.changes.notify([() => journalMove(found, 'seek')], null)
      }
      return sandboxRecord(found)
    })
    if (settling) yield* settling as Slices<void>
    return record
  },
})

/** Grows the market up to a position after its tape, and reads its data. */
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

// Moves the playhead to a future event.

/** Maximum tape time of a search: a week. */
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

/** Moves the clock to the first matching event; a UserError when there is none. */
function* runToEvent(
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
  const found = yield* searchEvent(sandbox, condition, withinMs, call.checkActive)
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

/** The next matching event; a UserError when there is none. */
function* searchEvent(
  { playhead, clock, world }: Sandbox,
  condition: EventCondition,
  withinMs: number | undefined,
  checkActive: () => void,
): Slices<FoundEvent> {
  const { lapMs } = playhead
  const requestedMs = withinMs ?? Math.min(lapMs, SEARCH_MAX_MS)
  // All laps have the same events, so one lap is enough.
  const lengthMs = playhead.end === 'loop' ? Math.min(requestedMs, lapMs) : requestedMs
  const fromMs = playhead.travelledAt(clock.nowMs())
  for (const upcoming of upcomingEvents(world, playhead, fromMs, fromMs + lengthMs)) {
    const isPlace = upcoming === null || upcoming instanceof Promise
    yield isPlace ? (upcoming ?? undefined) : undefined
    checkActive()
    if (isPlace) continue
    const fields = eventFieldsOf(upcoming.event).find(condition)
    if (fields) return { travelledMs: upcoming.travelledMs, fields }
  }
  const laps =
    lengthMs < requestedMs ? `: a lap of ${lapMs} ms has none, and all laps are alike` : ''
  throw new UserError(`no such event within ${requestedMs} ms of the tape${laps}`)
}

export const playheadRun = controlOperation({
  id: 'playhead.run',
  method: 'POST',
  path: '/sandboxes/:id/playhead/run',
  movesTime: true,
  title: 'Run until a condition is true',
  about:
    'Example: `coin == BTC and px > 62000`. A condition may use kind, coin, px, sz, side, bid, ' +
    'ask, address, dir, type and time of events. The call moves the clock until the playhead ' +
    'reaches the event; subscribers receive everything up to it. A condition has at most ' +
    `${CONDITION_COMPARISONS_MAX} comparisons and ${CONDITION_DEPTH_MAX} nested parentheses. The ` +
    'search ends if its caller disconnects, or if the sandbox is reset or dropped.',
  params: {
    body: Type.Object({
      until: Type.String({
        minLength: 1,
        maxLength: CONDITION_LETTERS_MAX,
        description: 'the condition',
      }),
      withinMs: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: SEARCH_MAX_MS,
          description: 'tape time to search, ms; one lap by default, at most a week',
        }),
      ),
    }),
  },
  examples: [
    {
      name: 'a large trade',
      body: { until: 'kind == trade and coin == BTC and sz > 1', withinMs: 3_600_000 },
    },
  ],
  data: EventReached,
  answer: ({ body }, call) => runToEvent(call, parseEventCondition(body.until), body.withinMs),
})

export const playheadStep = controlOperation({
  id: 'playhead.step',
  method: 'POST',
  path: '/sandboxes/:id/playhead/step',
  movesTime: true,
  title: 'Step to the next event',
  about:
    'Moves the clock until the playhead reaches the event; subscribers receive everything up to ' +
    'it. With a coin or a kind, steps to the next matching event.',
  params: {
    body: Type.Object({
      coin: Type.Optional(Type.String({ description: 'only events of this coin' })),
      kind: Type.Optional(
        OneOf(
          ['trade', 'book', 'bbo', 'mark', 'fill', 'order', 'ledger'],
          'only events of this kind',
        ),
      ),
    }),
  },
  examples: [{ name: 'a trade of one coin', body: { coin: 'BTC', kind: 'trade' } }],
  data: EventReached,
  answer: ({ body }, call) =>
    runToEvent(
      call,
      (fields) =>
        (body.coin === undefined || fields.coin === body.coin) &&
        (body.kind === undefined || fields.kind === body.kind),
    ),
})

export const playheadMarks = controlOperation({
  id: 'playhead.marks',
  method: 'GET',
  path: '/sandboxes/:id/playhead/marks',
  title: 'Marks along the tape',
  about:
    'Gaps of the tape, faults of scenarios (the newest 1000 that are still in the journal) and ' +
    'bookmarks, ordered by time. You can set the playhead to `at`.',
  params: {
    query: Type.Object({
      kind: Type.Optional(OneOf(['bookmark', 'gap', 'fault'], 'only marks of this kind')),
    }),
  },
  data: Type.Array(
    Type.Object(
      {
        at: Type.Integer({ description: 'tape time, ms' }),
        until: Type.Integer({ description: 'end of a gap; otherwise the same as `at`, ms' }),
        kind: OneOf(['bookmark', 'gap', 'fault'], 'kind of the mark'),
        what: Type.String({ description: 'name of the bookmark or rule, or reason of the gap' }),
      },
      { title: 'Mark' },
    ),
  ),
  answer: ({ query: { kind } }, { sandbox }) =>
    marksOf(sandbox()).filter((mark) => kind === undefined || mark.kind === kind),
})
