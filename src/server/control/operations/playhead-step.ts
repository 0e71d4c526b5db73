import { OneOf, Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { EventReached, runToEvent } from '../run-to-event.ts'

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
