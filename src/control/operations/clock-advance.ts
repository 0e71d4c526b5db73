import { minuteOf, nextMonthMs } from '../../clock/calendar.ts'
import { OneOf, Type } from '../../contract/schema.ts'
import { UserError } from '../../user-error.ts'
import { controlOperation } from '../control-operation.ts'
import { SandboxRecord, sandboxRecord } from '../sandbox-record.ts'
import { ForceField, MarketField, moveTime } from '../time-move.ts'

const Fired = Type.Object({
  at: Type.Number({ description: 'session time, ms' }),
  what: Type.String({ description: 'what it was for' }),
})

export const clockAdvance = controlOperation({
  id: 'clock.advance',
  method: 'POST',
  path: '/sandboxes/:id/clock/advance',
  movesTime: true,
  title: 'Move the clock forward',
  about:
    'Answers when every alarm that fell due has fired, in order, and every push has been queued. ' +
    'The market goes with the clock, after its tape as far as it takes: it is grown first, as ' +
    'the call goes on. A step over weeks, to renew quotas or to age keys, leaves it where it is ' +
    'with `"market": "stays"`, as `next-month` does by itself: then only the times move that ' +
    'clients are shown of it, as much in one step as in many. ' +
    'It ends where it has come to when its caller goes away, or the sandbox is reset or ' +
    'dropped. ' +
    "A move that ages signatures also waits for the machine's next second, where a `Timestamp` " +
    "names the machine's time, because it names no less: one signed before is then older, one " +
    'signed after is fresh.',
  params: {
    body: Type.Object({
      ms: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 40_000_000_000, description: 'how far, ms' }),
      ),
      to: Type.Optional(
        OneOf(['next-minute', 'next-month'], 'where rates are refilled, or quotas renewed'),
      ),
      market: Type.Optional(MarketField),
      force: Type.Optional(ForceField),
    }),
  },
  examples: [
    { name: 'by a minute', body: { ms: 60_000 } },
    { name: 'to where rates are refilled', body: { to: 'next-minute' } },
    { name: 'to where quotas are renewed', body: { to: 'next-month' } },
  ],
  data: Type.Composite([
    SandboxRecord,
    Type.Object({
      fired: Type.Array(Fired, { description: 'the alarms that fired, in order' }),
      more: Type.Integer({ description: 'how many fired after those' }),
    }),
  ]),
  *answer({ body: { ms, to, market: asked, force } }, call) {
    const found = call.sandbox()
    if ((ms === undefined) === (to === undefined)) throw new UserError('give one of ms and to')
    const nowMs = found.clock.nowMs()
    const targetMs =
      to === 'next-month' ? nextMonthMs(nowMs) : to ? (minuteOf(nowMs) + 1) * 60_000 : nowMs
    const byMs = ms ?? targetMs - nowMs
    // Nobody waits for a month of market to have quotas renewed.
    const market = asked ?? (to === 'next-month' ? 'stays' : 'moves')
    const firedAlarms = yield* moveTime(
      call,
      { nowMs: nowMs + byMs },
      (clock, backPressure) => clock.advancing(byMs, backPressure),
      { market, force },
    )
    const fired = firedAlarms.alarms.map(({ timeMs, what }) => ({ at: timeMs, what }))
    return { ...sandboxRecord(found), fired, more: firedAlarms.more }
  },
})
