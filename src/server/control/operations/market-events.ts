import { Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'
import { MarketEventRecord, marketEventRecord } from '../market-records.ts'

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
    for (const asked of found.marketEvents.list) events.push(yield* marketEventRecord(found, asked))
    return { events }
  },
})
