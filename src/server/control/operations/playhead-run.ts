import { Type } from '../../../contract/schema.ts'
import {
  CONDITION_COMPARISONS_MAX,
  CONDITION_DEPTH_MAX,
  CONDITION_LETTERS_MAX,
  parseEventCondition,
} from '../../../sandbox/event-condition.ts'
import { controlOperation } from '../control-operation.ts'
import { EventReached, runToEvent, SEARCH_MAX_MS } from '../run-to-event.ts'

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
