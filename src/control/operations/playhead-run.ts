import { Type } from '../../contract/schema.ts'
import {
  CONDITION_COMPARISONS_MAX,
  CONDITION_DEPTH_MAX,
  CONDITION_LETTERS_MAX,
  parseEventCondition,
} from '../../sandbox/event-condition.ts'
import { controlOperation } from '../control-operation.ts'
import { EventReached, runToEvent, SEARCH_MAX_MS } from '../run-to-event.ts'

export const playheadRun = controlOperation({
  id: 'playhead.run',
  method: 'POST',
  path: '/sandboxes/:id/playhead/run',
  movesTime: true,
  title: 'Run until a condition comes true',
  about:
    'Such as `coin == BTC and px > 62000`, over kind, coin, px, sz, side, bid, ask, address, ' +
    'dir, type and time of events. Moves the clock until the playhead is there; ' +
    'subscribers receive everything up to it. At most ' +
    `${CONDITION_COMPARISONS_MAX} comparisons, ${CONDITION_DEPTH_MAX} parentheses within one ` +
    'another. The search ends when its caller goes away, or the sandbox is reset or dropped.',
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
          description: 'tape time to look through; one lap if left out, a week at most',
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
