/** News and flashes. */

import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { isSuccess, objectsOf } from '../response-reading.ts'
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
    const rows = await firstPages(probe, '/content/news-list')
    const seen = new Set(rows.map(({ language }) => language))
    if (seen.has(10) === seen.has(0)) probe.skip('no news is in Chinese, or in both numbers')
    return seen.has(10) ? '10' : '0'
  },
  'news-list-language': async (probe: Probe) => {
    const rows = await firstPages(probe, '/content/news-list')
    return languageOf(rows.map(({ language }) => language !== ENGLISH))
  },
  'rss-language': async (probe: Probe) => {
    const rows = await firstPages(probe, '/content/square/market/news-list')
    return languageOf(rows.map(({ title }) => CHINESE.test(String(title))))
  },
}

/** Its number in an article. */
const ENGLISH = 11
const CHINESE = /\p{Script=Han}/u

async function firstPages(probe: Probe, path: string) {
  const pages = []
  for (const page of [1, 2, 3])
    pages.push(await objectsOf(probe, { path, query: { page, pageSize: 20 } }))
  const rows = pages.flat()
  if (rows.length === 0) probe.skip('the target lists no news')
  return rows
}

function languageOf(areChinese: readonly boolean[]): 'both' | 'cn' | 'en' {
  if (areChinese.every((isChinese) => isChinese)) return 'cn'
  return areChinese.includes(true) ? 'both' : 'en'
}
