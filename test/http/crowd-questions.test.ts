/** Every request about an address is answered for accounts of the crowd. */
import { expect, test } from 'bun:test'
import { filledExample, type TargetInventory } from '../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { VENUE_INFO_TYPES } from '../../src/contract/info/index.ts'
import { PREFIXES } from '../../src/contract/prefixes.ts'
import { isOfCrowd } from '../../src/market/world/crowd-address.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'
import { marketOf } from '../fixtures/requested-market.ts'

const opened = await recordedRegistry()
const { ask } = marketOf(opened)
const { request } = memoryTransport(opened.registry)
const traded = ask('GET', '/hl/fills/top-trades', {
  query: { coin: 'BTC', interval: '1h', limit: '50' },
}) as { address: string }[]
const [liquidated] = ask('GET', '/hl/liquidations/top-positions', {
  query: { coin: 'BTC', interval: '1d', limit: '1' },
}) as { address: string }[]
const crowd = traded.map(({ address }) => address).filter(isOfCrowd)
const addresses = [...new Set(crowd)].slice(0, 2).concat(liquidated?.address ?? '')

const statusOf = (method: string, place: string, query = {}, body = {}) => {
  const url = `${PREFIXES[0]}${place}?${signed('demo', -1)}&${new URLSearchParams(query)}`
  return request(method, url, method === 'GET' ? '' : JSON.stringify(body)).status
}

test('operations with an address answer it', () => {
  const inventory = opened.cast() as unknown as TargetInventory
  let tried = 0
  expect(addresses).toHaveLength(3)
  for (const operation of OPERATIONS) {
    const { method, access } = operation
    if (access.kind === 'distributor' || operation.changes) continue
    for (const example of operation.examples) {
      const filled = filledExample(operation, example, inventory)
      for (const address of addresses) {
        const requested = JSON.stringify(filled).replaceAll(/0x[0-9a-f]{40}/g, address)
        if (!requested.includes(address)) continue
        const { path, query, body } = JSON.parse(requested)
        const place = operation.path.replace(/:(\w+)/g, (_, name) => path?.[name] ?? '')
        expect([operation.id, statusOf(method, place, query, body) < 500]).toEqual([
          operation.id,
          true,
        ])
        tried++
      }
    }
  }
  expect(tried).toBeGreaterThan(90)
})

test('info types with a user answer it', () => {
  for (const { type } of VENUE_INFO_TYPES)
    for (const user of addresses) {
      const given = { type, user, coin: 'BTC', oid: 1, startTime: 0, endTime: 1, req: {} }
      expect([type, statusOf('POST', '/hl/info', {}, given) < 500]).toEqual([type, true])
    }
})
