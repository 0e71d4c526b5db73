import { permission } from '../../access.ts'
import { INFO_TYPES, VENUE_INFO_TYPES } from '../../info/index.ts'
import { infoAnswerer } from '../../info/info-type.ts'
import { B, operation } from '../../operation.ts'
import { Type } from '../../schema.ts'

const answerOf = infoAnswerer(INFO_TYPES)
const answerAll = infoAnswerer(VENUE_INFO_TYPES)

export const info = operation({
  id: 'perpdex.info',
  method: 'POST',
  path: '/hl/info',
  title: 'Requests of the perpetual venue',
  about:
    "The body has the venue's format, with a `type`; the answer has the venue's format, in " +
    'envelope B.',
  source: 'Action map, Info proxy',
  envelope: B(),
  access: permission('HL_INFO'),
  params: {
    body: Type.Object(
      { type: Type.String({ description: INFO_TYPES.map((one) => one.type).join(', ') }) },
      { additionalProperties: true },
    ),
  },
  bodies: new Map(VENUE_INFO_TYPES.map((one) => [one.type, one])),
  data: Type.Unknown({ description: 'as the venue answers this type' }),
  refuses: ['infoType', 'missing', 'invalid'],
  assumed: [
    'dex-unknown',
    'An unknown type is HTTP 200 with code "400".',
    '`historicalOrders` shows each order twice: when placed (`open`), and when ended.',
    '`aggregateByTime` sums sizes, fees and PnL and averages the price; the rest is that of the ' +
      'first partial fill.',
    '`userFees` shows the rates that are charged: on spot 1.6 times those of perpetuals. A ' +
      'builder dex charges twice the rates of perpetuals.',
    '`userFunding` has a row for each hour and position; `nSamples` is null.',
    '`usdc` of a withdrawal in `userNonFundingLedgerUpdates` contains its `fee`.',
    'The answer for an unknown coin is null where the venue itself would fail.',
  ],
  examples: INFO_TYPES.flatMap((one) =>
    one.examples.map((rest) => ({ name: one.title, body: { type: one.type, ...rest } })),
  ),
  answer: ({ body }, facts) =>
    (facts.moment.answers['info-types'] === 'all' ? answerAll : answerOf)(body, facts),
})
