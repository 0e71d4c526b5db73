import { Type } from '../../contract/schema.ts'
import { parseEventCondition } from '../../sandbox/event-condition.ts'
import { controlOperation } from '../control-operation.ts'
import { EventReached, runToEvent } from '../run-to-event.ts'

export const playheadRun = controlOperation({
  id: 'playhead.run',
  method: 'POST',
  path: '/sandboxes/:id/playhead/run',
  title: 'Run until a condition comes true',
  about:
    'Such as `coin == BTC and px > 62000`, over kind, coin, px, sz, side, bid, ask, address, ' +
    'dir, type and time of events. Moves the clock until the playhead is there; ' +
    'subscribers receive everything up to it.',
  params: {
    body: Type.Object({
      until: Type.String({ minLength: 1, maxLength: 1000, description: 'the condition' }),
      withinMs: Type.Optional(
        Type.Integer({ minimum: 1, description: 'tape time to look through; one lap if left out' }),
      ),
    }),
  },
  data: EventReached,
  answer: ({ body }, { sandbox }) =>
    runToEvent(sandbox(), parseEventCondition(body.until), body.withinMs),
})
