import { checkFields } from '../../../contract/fields/field-check.ts'
import { FlawList, flawsText } from '../../../contract/fields/field-flaw.ts'
import { Type } from '../../../contract/schema.ts'
import { readEvent } from '../../../market/events/event-reading.ts'
import { UserError } from '../../../platform/user-error.ts'
import type { AskedEvent } from '../../../sandbox/market-events/asked-event.ts'
import { tellMarket } from '../../../sandbox/market-events/telling.ts'
import { controlOperation } from '../control-operation.ts'
import { MarketEventBody, MarketEventRecord, marketEventRecord } from '../market-records.ts'

// Not literals in their place: which fields a kind has is not among the declared ones.
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
    const [asked] = yield* tellMarket(sandbox, { plot, scenario: null })
    return yield* marketEventRecord(sandbox, asked as AskedEvent)
  },
})

/** Which fields there are beside `afterS` says the kind. */
function checkBody(body: object): void {
  const { afterS, ...event } = body as { afterS?: unknown }
  const flaws = new FlawList()
  flaws.collect(() => checkFields(Delay, { afterS }, []))
  flaws.collect(() => readEvent(event))
  if (!flaws.isEmpty) throw new UserError(flawsText(flaws.found, 'the market event'))
}

const Delay = Type.Pick(MarketEventBody, ['afterS'])
