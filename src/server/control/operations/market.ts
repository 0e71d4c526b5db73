/** Control calls about market events, and their schemas. */

import type { Slices } from '../../../clock/turns.ts'
import { checkFields, FlawList, flawsText } from '../../../contract/fields/field-check.ts'
import { Nullable, OneOf, type Static, type TSchema, Type } from '../../../contract/schema.ts'
import { readEvent } from '../../../market/events/event-schedule.ts'
import { EVENT_KINDS, eventEndMs } from '../../../market/events/market-event.ts'
import { UserError } from '../../../platform/user-error.ts'
import {
  eventStateAt,
  outcomeOf,
  type RequestedEvent,
  scheduleMarketEvents,
} from '../../../sandbox/market-events/event-request.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { controlOperation } from '../control-operation.ts'

// Market events as the control plane takes and shows them.

const KINDS = EVENT_KINDS.map(({ kind }) => kind)

/** The fields of all kinds with their meanings; those of the given kind are checked. */
const KIND_FIELDS: Record<string, TSchema> = Object.fromEntries(
  [...new Set(EVENT_KINDS.flatMap(({ fields }) => Object.keys(fields.properties)))].map((name) => [
    name,
    Type.Optional(mergedField(name)),
  ]),
)

/** A requested market event; its kind determines the allowed fields. */
const MarketEventBody = Type.Object(
  {
    kind: OneOf([...KINDS], 'kind of the event'),
    ...KIND_FIELDS,
    afterS: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 86_400,
        description: 'delay of its start, s of market time; at once by default',
      }),
    ),
  },
  { title: 'MarketEventRequest' },
)

function mergedField(name: string): TSchema {
  const own = EVENT_KINDS.flatMap(({ kind, fields }) => {
    const field = (fields.properties as Record<string, TSchema>)[name]
    return field ? [{ kind, field }] : []
  })
  const words = own.flatMap(({ field }) =>
    ((field.anyOf ?? []) as TSchema[]).map((one) => String(one.const)),
  )
  const texts = [...Map.groupBy(own, ({ field }) => field.description ?? '')]
  const description = texts
    .map(([text, kinds]) => `${kinds.map(({ kind }) => kind).join(', ')}: ${text}`)
    .join('; ')
  if (words.length > 0) return OneOf([...new Set(words)], description)
  return own[0]?.field.type === 'string'
    ? Type.String({ description })
    : Type.Number({ description })
}

const Price = Nullable(Type.String({ description: 'price of the last trade' }))
const Money = (description: string) => Type.String({ description: `${description}, dollars` })

export const MarketEventRecord = Type.Object(
  {
    id: Type.Integer({ description: 'number of the event within the sandbox' }),
    event: Type.Object(
      { kind: OneOf([...KINDS], 'kind of the event') },
      { additionalProperties: true, description: 'as requested, with the name of its coin' },
    ),
    scenario: Nullable(Type.String({ description: 'the scenario that contains it' })),
    asked: Type.Integer({ description: 'time of the request, tape time, ms' }),
    from: Type.Integer({ description: 'begin, tape time, ms' }),
    to: Type.Integer({ description: 'end, tape time, ms' }),
    shown: Type.Object(
      { asked: Type.Integer(), from: Type.Integer(), to: Type.Integer() },
      { description: 'the same three in shown time, ms: as clients see the market' },
    ),
    state: OneOf(['planned', 'acting', 'done'], 'state of the event'),
    outcome: Type.Array(
      Type.Object({
        coin: Type.String(),
        pxBefore: Price,
        pxAfter: Price,
        tradedUsd: Money('turnover'),
        boughtUsd: Money('part of the turnover that takers bought'),
        liquidatedUsd: Type.Object({
          long: Money('longs that were liquidated'),
          short: Money('shorts that were liquidated'),
        }),
      }),
      {
        description: 'for each affected coin, from the begin of the event until now or its end',
      },
    ),
  },
  { title: 'MarketEvent' },
)

/** A market event as of the playhead's position. */
function* marketEventRecord(
  { world, playhead, clock }: Sandbox,
  requested: RequestedEvent,
): Slices<Static<typeof MarketEventRecord>> {
  const { id, scenario, timed } = requested
  const { atMs, shiftMs } = playhead.positionAt(clock.nowMs())
  const times = { asked: timed.requestedMs, from: timed.fromMs, to: eventEndMs(timed) }
  const { asked, from, to } = times
  return {
    id,
    event: timed.event,
    scenario,
    ...times,
    shown: { asked: asked + shiftMs, from: from + shiftMs, to: to + shiftMs },
    state: eventStateAt(requested, atMs),
    outcome: yield* outcomeOf(world, requested, atMs),
  }
}

// Not literals in place: the fields of a kind are not among the declared ones.
const FALL = { kind: 'move', coin: 'BTC', pct: -5, overS: 120, revertPct: 50 } as const
const RALLY = { kind: 'move', coin: 'BTC', pct: 5, overS: 300, afterS: 1_800 } as const
const CASCADE = { kind: 'liquidations', coin: 'ETH', side: 'long', usd: 2_000_000 } as const
const HALT = { kind: 'halt', coin: 'SOL', forS: 60 } as const

export const marketTrigger = controlOperation({
  id: 'market.trigger',
  method: 'POST',
  path: '/sandboxes/:id/market/events',
  movesTime: true,
  title: 'Start a market event',
  about:
    'The event begins now, or `afterS` later. Other coins, exchanges, books, positions, funding ' +
    'and news follow. From then on the sandbox has its own market; data already shown to clients ' +
    'does not change. An impossible event is refused with the reason, and changes nothing.',
  params: { body: MarketEventBody },
  checkBody,
  examples: [
    { name: 'a fall, half of which is recovered', body: FALL },
    { name: 'a rally in half an hour', body: RALLY },
    { name: 'a cascade of liquidations', body: CASCADE },
    { name: 'a halt of one coin', body: HALT },
  ],
  data: MarketEventRecord,
  *answer({ body }, call) {
    const sandbox = call.sandbox()
    const { afterS = 0, ...event } = body
    const plot = [{ afterMs: Math.round(afterS * 1000), event: readEvent(event) }]
    const [requested] = yield* scheduleMarketEvents(sandbox, { plot, scenario: null })
    return yield* marketEventRecord(sandbox, requested as RequestedEvent)
  },
})

/** Checks the fields besides `afterS` by the kind. */
function checkBody(body: object): void {
  const { afterS, ...event } = body as { afterS?: unknown }
  const flaws = new FlawList()
  flaws.collect(() => checkFields(Delay, { afterS }, []))
  flaws.collect(() => readEvent(event))
  if (!flaws.isEmpty) throw new UserError(flawsText(flaws.found, 'the market event'))
}

const Delay = Type.Pick(MarketEventBody, ['afterS'])

export const marketEvents = controlOperation({
  id: 'market.events',
  method: 'GET',
  path: '/sandboxes/:id/market/events',
  title: 'The market events of a sandbox, with their results',
  about: 'In the order of the requests, as of the position of the playhead.',
  data: Type.Object({ events: Type.Array(MarketEventRecord) }),
  *answer(_, { sandbox }) {
    const found = sandbox()
    const events = []
    for (const requested of found.marketEvents.list)
      events.push(yield* marketEventRecord(found, requested))
    return { events }
  },
})
