import { assertSame, assertSuccess } from '../assertions.ts'
import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import { objectOf, objectsOf } from '../response-reading.ts'

/** Indexes (the service's documentation, Futures, index and coin data). */
export const INDEX_CASES: readonly Case[] = [
  {
    id: 'index.count',
    title: 'count of the index list is the number of its items, as text',
    checks: ['record.indexItem.count'],
    run: async (probe: Probe) => {
      const data = await objectOf(probe, { path: '/index/getIndex' })
      const list = Array.isArray(data.list) ? data.list : []
      assertSame(probe, data.count, String(list.length), 'count is the length of list, as text')
    },
  },
  {
    id: 'index.keys',
    title: 'every key of the index list has a price and a description',
    checks: ['index.price.key'],
    run: async (probe: Probe) => {
      const list = await objectsOf(probe, { path: '/index/getIndex' }, 'list')
      for (const { key } of list.slice(0, 5))
        for (const path of ['/index/indexPrice', '/index/indexInfo']) {
          const answer = await probe.request({ path, query: { key: String(key) } })
          assertSuccess(probe, answer, `${path} knows the listed key ${key}`)
        }
    },
  },
]
