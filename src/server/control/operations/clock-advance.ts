import { minuteOf, nextMonthMs } from '../../../clock/calendar.ts'
import { OneOf, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { controlOperation } from '../control-operation.ts'
import { SandboxRecord, sandboxRecord } from '../sandbox-record.ts'
import { ForceField, MarketField, moveTime } from '../time-move.ts'

const Fired = Type.Object({
  at: Type.Number({ description: 'session time, ms' }),
  what: Type.String({ description: 'purpose of the alarm' }),
})

export const clockAdvance = controlOperation({
  id: 'clock.advance',
  method: 'POST',
  path: '/sandboxes/:id/clock/advance',
  movesTime: true,
  title: 'Move the clock forward',
  about:
    'Answers when every due alarm has fired, in order, and every push has been queued. The ' +
    'market moves with the clock. After the end of its tape it is grown as far as needed, ' +
    'during the call. For a step over weeks, to renew quotas or to age keys, use `"market": ' +
    '"stays"`: the market stays at its instant, and only its shown times move, by the same ' +
    'amount in one step or in many. `next-month` does this by default. The call stops where it ' +
    'is if its caller disconnects, or if the sandbox is reset or dropped. If a `Timestamp` ' +
    "names the machine's time, a move that ages signatures also waits for the machine's next " +
    'second, because a `Timestamp` has whole seconds: older signatures are then older, and new ' +
    'ones are fresh.',
  params: {
    body: Type.Object({
      ms: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 40_000_000_000,
          description: 'length of the step, ms',
        }),
      ),
      to: Type.Optional(
        OneOf(
          ['next-minute', 'next-month'],
          'the next refill of rate limits, or renewal of quotas',
        ),
      ),
      market: Type.Optional(MarketField),
      force: Type.Optional(ForceField),
    }),
  },
  examples: [
    { name: 'by a minute', body: { ms: 60_000 } },
    { name: 'to the next refill of rate limits', body: { to: 'next-minute' } },
    { name: 'to the next renewal of quotas', body: { to: 'next-month' } },
  ],
  data: Type.Composite([
    SandboxRecord,
    Type.Object({
      fired: Type.Array(Fired, { description: 'the alarms that fired, in order' }),
      more: Type.Integer({ description: 'number of alarms that fired after those' }),
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
