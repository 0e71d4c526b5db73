/** Market events as the control plane takes and shows them. */

import type { Slices } from '../../clock/turns.ts'
import { Nullable, OneOf, type Static, type TSchema, Type } from '../../contract/schema.ts'
import { EVENT_KINDS, eventEndMs } from '../../market/events/market-event.ts'
import { type AskedEvent, eventStateAt } from '../../sandbox/market-events/asked-event.ts'
import { outcomeOf } from '../../sandbox/market-events/telling.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

const KINDS = EVENT_KINDS.map(({ kind }) => kind)

/** The fields of all kinds, each with what it is for each of them; the kind's own are checked. */
const KIND_FIELDS: Record<string, TSchema> = Object.fromEntries(
  [...new Set(EVENT_KINDS.flatMap(({ fields }) => Object.keys(fields.properties)))].map((name) => [
    name,
    Type.Optional(mergedField(name)),
  ]),
)

/** What the market is to do; which fields there are says the kind. */
export const MarketEventBody = Type.Object(
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

/** An event as of where the playhead is. */
export function* marketEventRecord(
  { world, playhead, clock }: Sandbox,
  asked: AskedEvent,
): Slices<Static<typeof MarketEventRecord>> {
  const { id, scenario, timed } = asked
  const { atMs } = playhead.positionAt(clock.nowMs())
  return {
    id,
    event: timed.event,
    scenario,
    asked: timed.askedMs,
    from: timed.fromMs,
    to: eventEndMs(timed),
    state: eventStateAt(asked, atMs),
    outcome: yield* outcomeOf(world, asked, atMs),
  }
}
