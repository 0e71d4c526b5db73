/** News and flashes. */

import type { Probe } from '../probe.ts'
import { isJsonObject, isSuccess, objectsOf } from '../response-reading.ts'
import { column } from '../value-checks.ts'
import type { Observers } from './observer.ts'

export const CONTENT_OBSERVERS: Observers = {
  'flash-createtime': async (probe: Probe) => {
    const path = '/content/flashList'
    const times = column(await objectsOf(probe, { path }), 'createtime').sort((a, b) => a - b)
    const middle = times[times.length >> 1]
    if (middle === undefined) probe.skip('the target lists no industry flash')
    const found = column(
      await objectsOf(probe, { path, query: { createtime: middle } }),
      'createtime',
    )
    if (found.every((one) => one === middle)) return null
    if (found.every((one) => one <= middle)) return 'older'
    return found.every((one) => one >= middle) ? 'newer' : null
  },
  'news-absent': async (probe: Probe) => {
    const exchange = await probe.request({ path: '/content/news-detail', query: { id: 1 } })
    if (!isJsonObject(exchange.json)) return null
    if (isSuccess(exchange)) return exchange.json.data === null ? 'null' : null
    const code = String(exchange.json.errorCode)
    return code === '403' || code === '404' ? code : null
  },
  'news-language': async (probe: Probe) => {
    const seen = new Set<unknown>()
    for (const page of [1, 2, 3]) {
      const query = { page, pageSize: 20 }
      for (const row of await objectsOf(probe, { path: '/content/news-list', query }))
        seen.add(row.language)
    }
    if (seen.has(10) === seen.has(0)) probe.skip('no news is in Chinese, or in both numbers')
    return seen.has(10) ? '10' : '0'
  },
}
