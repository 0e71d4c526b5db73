import { Type } from '../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { MarketEventRecord, marketEventRecord } from '../market-records.ts'

export const marketEvents = controlOperation({
  id: 'market.events',
  method: 'GET',
  path: '/sandboxes/:id/market/events',
  title: 'What the market was told, and what came of it',
  about: 'In the order in which it was asked for, as of where the playhead is.',
  data: Type.Object({ events: Type.Array(MarketEventRecord) }),
  *answer(_, { sandbox }) {
    const found = sandbox()
    const events = []
    for (const asked of found.marketEvents.list) events.push(yield* marketEventRecord(found, asked))
    return { events }
  },
})
