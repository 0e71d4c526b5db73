/** Orders of the perpetual DEX. */
import type { AnswerTo } from '../../../contract/questions.ts'
import { isJsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { objectsOf } from '../../response-reading.ts'
import { someOpenPosition, someTraders } from '../../target-lookups.ts'
import { column } from '../../value-checks.ts'
import { byName, dataIn, type Observers } from '../observer.ts'

/** How it is spelled in some orders that they were cancelled. */
const wordsIn = (data: unknown): string[] =>
  (Array.isArray(data) ? data : [])
    .map((one) => (isJsonObject(one) ? String(one.status) : ''))
    .filter((status) => /^cancell?ed$/.test(status))

/** The simple form, then those of the venue; once where they agree. */
const SPELLINGS: Record<string, AnswerTo<'order-status-spelling'>> = {
  'cancelled,canceled': 'by-form',
  cancelled: 'cancelled',
  canceled: 'canceled',
}

const OPEN_ORDERS = { path: '/hl/orders/top-open-orders', query: { limit: 100 } }

export const PERPDEX_ORDER_OBSERVERS: Observers = {
  'order-form': byName(
    async (probe) => {
      const { address } = await someOpenPosition(probe)
      return { path: `/hl/filled-orders/${address}/latest`, query: { limit: 1 } }
    },
    { order: 'nested', oid: 'flat' },
  ),
  'order-status-spelling': async (probe: Probe) => {
    for (const address of await someTraders(probe)) {
      const path = `/hl/orders/${address}/latest`
      const words = wordsIn(await dataIn(probe, { path, query: { limit: 2_000 } }))
      const body = { type: 'historicalOrders', user: address }
      const native = wordsIn(await dataIn(probe, { method: 'POST', path: '/hl/info', body }))
      if (words.length === 0 || native.length === 0) continue
      return SPELLINGS[[...new Set([words[0], native[0]])].join()] ?? null
    }
    probe.skip('nobody has cancelled an order')
  },
  'open-order-triggers': async (probe) => {
    const rows = await objectsOf(probe, OPEN_ORDERS)
    if (rows.length === 0) return null
    return rows.some(({ tif }) => tif === null) ? 'present' : 'absent'
  },
  'distance-sign': async (probe) => {
    const rows = await objectsOf(probe, OPEN_ORDERS)
    if (rows.length === 0) return null
    return column(rows, 'distPct').some((one) => one < 0) ? 'signed' : 'absolute'
  },
}
