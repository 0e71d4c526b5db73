import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import { isSuccess } from '../response-reading.ts'
import { among, dataIn, type Observers } from './observer.ts'

export const INDEX_OBSERVERS: Observers = {
  'index-info-signature': async (probe) => {
    const query = { key: 'i:total:index' }
    const request = { path: '/index/indexInfo', query, signedIn: 'nowhere' } as const
    return isSuccess(await probe.request(request)) ? 'open' : 'signed'
  },
  'index-without-price': async (probe) => {
    const data = await dataIn(probe, { path: '/index/getIndex' })
    const list = isJsonObject(data) && Array.isArray(data.list) ? (data.list as JsonObject[]) : null
    if (list === null) return null
    return list.some((row) => Object.values(row).includes('-')) ? 'dash' : 'none'
  },
  'index-unknown': async (probe) => {
    const exchange = await probe.request({ path: '/index/indexPrice', query: { key: 'nothing' } })
    if (isSuccess(exchange) || !isJsonObject(exchange.json)) return null
    return among(exchange.json.errorCode, ['304', '400'])
  },
}
